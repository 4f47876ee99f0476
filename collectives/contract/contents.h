/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in a rank's buffers, as a table: the language of `before` and `after` in contracts. Pure. */
#ifndef TTI_CONTRACT_CONTENTS_H
#define TTI_CONTRACT_CONTENTS_H

#include "collectives/contract/algorithm.h"

/* Some bytes of a buffer, and what is in them: the bytes from `from` on of what each of the ranks first …
 * last contributes, combined in rank order where they are several. A gather has a content of each rank; a
 * scan one of the ranks 0 … r at rank r; what a scatter or an exchange of all with all brings begins
 * somewhere within a contribution. Places and sizes may differ from content to content. */
typedef struct {
    tti_place place;
    size_t bytes;
    size_t from;
    int first, last;
} tti_content;

/* Returns how many contents shape->rank has, and writes number `index` of them, if there are so many. They
 * stand in the order of their places, all in one space, so that the last one ends the buffer; of collectives
 * with tables, in any order. */
typedef int tti_contents_fn(const tti_shape *shape, int index, tti_content *content);

/* Of contracts' functions: where the compiler sees the contract (call_check.h) nothing is left of them but
 * the few numbers that a check needs. */
#define TTI_CONTENTS static inline __attribute__((always_inline))

/* Bytes of `space` up to the end of the last content, where they stand in any order. */
static inline size_t tti_contents_furthest(tti_contents_fn *contents, const tti_shape *shape,
                                           enum tti_space space)
{
    tti_content content = {.bytes = 0};
    size_t end = 0;
    for (int i = 0; i < contents(shape, i, &content); i++) {
        const size_t here = content.place.offset + content.bytes;
        if (content.place.space == space && content.bytes > 0 && here > end) end = here;
    }
    return end;
}

/* Bytes of `space` up to the end of the last content. */
TTI_CONTENTS size_t tti_contents_end(tti_contents_fn *contents, const tti_shape *shape, enum tti_space space)
{
    tti_content last = {.bytes = 0};
    const int count = contents(shape, 0, &last);
    if (count == 0) return 0;
    if (count > 1) contents(shape, count - 1, &last);
    return last.place.space == space ? last.place.offset + last.bytes : 0;
}

/* What several collectives have. */

TTI_CONTENTS int tti_contents_none(const tti_shape *shape, int index, tti_content *content)
{
    (void)shape;
    (void)index;
    (void)content;
    return 0;
}

/* `shape`'s bytes at `place`, of the contributions of ranks first … last. */
TTI_CONTENTS tti_content tti_content_at(tti_place place, const tti_shape *shape, int first, int last)
{
    return (tti_content){.place = place, .bytes = tti_shape_bytes(shape), .first = first, .last = last};
}

/* The caller's own, at the beginning of the buffer that it is in. */
TTI_CONTENTS int tti_contents_own(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_shape_own(shape), shape, shape->rank, shape->rank);
    return 1;
}

/* The combination of all. */
TTI_CONTENTS int tti_contents_all(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, 0, shape->size - 1);
    return 1;
}

/* The part of rank `index`, if there is one: who looks through contents asks for one more. */
TTI_CONTENTS tti_extent tti_contents_listed(const tti_shape *shape, const tti_table *table, int index)
{
    return index < shape->size ? tti_shape_part(shape, table, index) : (tti_extent){0, 0};
}

/* Each rank's, one after the other or as the table says. */
TTI_CONTENTS int tti_contents_each(const tti_shape *shape, int index, tti_content *content)
{
    const tti_extent part = tti_contents_listed(shape, &shape->recv, index);
    *content = (tti_content){
        .place = tti_place_at(TTI_OUTPUT, part.at), .bytes = part.bytes, .first = index, .last = index};
    return shape->size;
}

/* The same at the root alone. */
TTI_CONTENTS int tti_contents_each_at_root(const tti_shape *shape, int index, tti_content *content)
{
    return shape->rank == shape->root ? tti_contents_each(shape, index, content) : 0;
}

/* The caller's own; in place it is where the former has it at the end. */
TTI_CONTENTS int tti_contents_own_of_each(const tti_shape *shape, int index, tti_content *content)
{
    tti_contents_own(shape, index, content);
    if (shape->in_place)
        tti_contents_each(shape, shape->rank, content);
    else
        content->bytes = tti_shape_own_bytes(shape);
    return 1;
}

/* Where the part for `rank` begins in a contribution. By a table it may lie anywhere, and who gets it does
 * not know where: parts are then told apart by numbers of their own, larger than any part. */
#define TTI_PART_BITS 36
TTI_CONTENTS size_t tti_contents_part(const tti_shape *shape, int rank)
{
    return (size_t)rank * (shape->parted ? shape->element << TTI_PART_BITS : tti_shape_bytes(shape));
}

/* The caller's own of a block for each rank, one after the other or as the table says. */
TTI_CONTENTS int tti_contents_blocks(const tti_shape *shape, int index, tti_content *content)
{
    const tti_extent part = tti_contents_listed(shape, &shape->send, index);
    *content = (tti_content){.place = tti_place_plus(tti_shape_own(shape), part.at),
                             .bytes = part.bytes,
                             .from = tti_contents_part(shape, index),
                             .first = shape->rank,
                             .last = shape->rank};
    return shape->size;
}

/* The same of the root alone. */
TTI_CONTENTS int tti_contents_blocks_of_root(const tti_shape *shape, int index, tti_content *content)
{
    return shape->rank == shape->root ? tti_contents_blocks(shape, index, content) : 0;
}

/* The root's block for the caller; in place the root keeps all as it was. */
TTI_CONTENTS int tti_contents_block_of_root(const tti_shape *shape, int index, tti_content *content)
{
    if (shape->in_place) return tti_contents_blocks_of_root(shape, index, content);
    *content = (tti_content){.place = tti_place_at(TTI_OUTPUT, 0),
                             .bytes = tti_shape_own_bytes(shape),
                             .from = tti_contents_part(shape, shape->rank),
                             .first = shape->root,
                             .last = shape->root};
    return 1;
}

/* Each rank's block for the caller. */
TTI_CONTENTS int tti_contents_block_of_each(const tti_shape *shape, int index, tti_content *content)
{
    const int count = tti_contents_each(shape, index, content);
    content->from = tti_contents_part(shape, shape->rank);
    return count;
}

/* All ranks' blocks for the caller combined. */
TTI_CONTENTS int tti_contents_block_of_all(const tti_shape *shape, int index, tti_content *content)
{
    tti_contents_all(shape, index, content);
    content->bytes = tti_shape_own_bytes(shape);
    content->from = tti_contents_part(shape, shape->rank);
    return 1;
}

#endif
