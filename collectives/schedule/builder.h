/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a schedule. An algorithm states its steps as if they were executed one after the other; the builder
 * keeps of that order only what the data needs: a step depends on the last writer of what it reads, and on
 * the last writer and the readers of what it overwrites. Everything else may overlap. Order that no data
 * carries (a barrier's) is stated by tti_build_after().
 * Of what other ranks see, or show, it keeps more: a step that writes to the own WINDOW (or another space
 * that is shown) or reads a peer's waits for the POST or AWAIT before it, and a POST for all such steps
 * before it.
 *
 * Memory running out and tags beyond 16 bits are remembered and reported once, by tti_build_finish(). */
#ifndef TTI_SCHEDULE_BUILDER_H
#define TTI_SCHEDULE_BUILDER_H

#include "collectives/schedule/access.h"
#include "collectives/schedule/schedule.h"

/* A place in one of the spaces. */
typedef struct {
    enum tti_space space;
    size_t offset;
} tti_place;

static inline tti_place tti_place_at(enum tti_space space, size_t offset)
{
    return (tti_place){space, offset};
}
static inline tti_place tti_place_plus(tti_place place, size_t bytes)
{
    place.offset += bytes;
    return place;
}

/* Bytes of a cache line, and of so many whole lines as so many bytes need. SCRATCH, regions of a WINDOW and
 * buffers begin on lines of their own. */
#define TTI_LINE ((size_t)64)
static inline size_t tti_lines(size_t bytes)
{
    return (bytes + TTI_LINE - 1) / TTI_LINE * TTI_LINE;
}

typedef struct tti_builder tti_builder;

#define TTI_BUILD_TAGS 65536

/* NULL if memory is out. */
tti_builder *tti_build_begin(size_t element);
/* The most whole elements that fit, in bytes, but at least one. */
size_t tti_build_whole_elements(const tti_builder *builder, size_t bytes);

/* Each returns the new step's index. A message or copy of 0 bytes of data is not made, and -1 returned; both
 * ends of a message know its size, so both leave it out. */
int tti_build_send(tti_builder *builder, tti_place from, size_t bytes, int peer, int tag);
int tti_build_recv(tti_builder *builder, tti_place to, size_t bytes, int peer, int tag);
int tti_build_copy(tti_builder *builder, tti_place from, tti_place to, size_t bytes);
int tti_build_reduce(tti_builder *builder, tti_place from, tti_place to, size_t bytes);

/* Shared memory: the same from a peer's WINDOW, or from what it shows: `from` is its INPUT or OUTPUT. POST
 * returns the step; its number is how many there are by then. */
int tti_build_copy_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes);
int tti_build_reduce_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes);
int tti_build_copy_shown(tti_builder *builder, int peer, tti_place from, tti_place to, size_t bytes);
int tti_build_reduce_shown(tti_builder *builder, int peer, tti_place from, tti_place to, size_t bytes);
/* Into what a peer shows of its OUTPUT, at `offset`. The peer's own steps there are not known here: its part
 * of the algorithm has to await the post that follows, and the checker to prove it. */
int tti_build_put(tti_builder *builder, int peer, tti_place from, size_t offset, size_t bytes);
/* The same at the offset that stands as a number in SCRATCH, where the peer's message has brought it. */
int tti_build_put_told(tti_builder *builder, int peer, tti_place from, tti_place number, size_t bytes);
int tti_build_post(tti_builder *builder, int peer);
int tti_build_await_post(tti_builder *builder, int peer, int number);
/* Before all steps: others may read `bytes` at `place`, which they name `as`, INPUT or OUTPUT. What is
 * written there is ordered with POST and AWAIT as if it were WINDOW. */
void tti_build_show(tti_builder *builder, enum tti_space as, tti_place place, size_t bytes);
/* Likewise: others may write there, which they name OUTPUT; where they know, or all of them by a number. */
void tti_build_show_room(tti_builder *builder, tti_place place, size_t bytes, bool told);
/* A number in the own WINDOW, or SCRATCH, for one rank to compare: in the WINDOW of the peer that tells it,
 * or, passed on with what is around it, in another peer's, or its own memory (TTI_OWN), where it is `about`
 * that rank. */
int tti_build_tell(tti_builder *builder, tti_place to, size_t number);
int tti_build_compare(tti_builder *builder, int peer, size_t offset, size_t number);
int tti_build_compare_passed(tti_builder *builder, int peer, tti_place from, size_t number, int about);
/* The step, a SEND, RECV or COPY of slots, moves no more than that; nothing happens for step -1. */
void tti_build_need(tti_builder *builder, int step, tti_need need);
/* Peers may read up to there in the own WINDOW, whether something was written there or not. */
void tti_build_window(tti_builder *builder, size_t bytes);

/* Messages without data. */
int tti_build_signal(tti_builder *builder, int peer, int tag);
int tti_build_await(tti_builder *builder, int peer, int tag);
/* The newest step also waits for step `earlier` (-1: nothing). */
void tti_build_after(tti_builder *builder, int earlier);

/* Compositions. From here on a peer is named by its place in `members` (which must stay until that changes)
 * and stands for the rank there; NULL: peers are ranks again. */
void tti_build_part(tti_builder *builder, const int *members);
/* And what it names INPUT and OUTPUT is at these places (apart from each other), and its tags, fewer than
 * `tags`, begin at `tag`. */
void tti_build_place(tti_builder *builder, tti_place input, tti_place output, int tag, int tags);
/* Back to all ranks, the whole buffers, and tags from 0. */
void tti_build_whole(tti_builder *builder);
/* Every step from here on waits for every step so far: order that no data carries, between the parts. */
void tti_build_fence(tti_builder *builder);
/* Memory for `count` things of `width` bytes, numbers, or sizes, that lasts until the end; NULL if memory is
 * out, which is remembered. */
void *tti_build_memory(tti_builder *builder, int count, size_t width);
int *tti_build_numbers(tti_builder *builder, int count);
size_t *tti_build_sizes(tti_builder *builder, int count);

/* `bytes` more of SCRATCH, which begin on a line. */
tti_place tti_build_scratch(tti_builder *builder, size_t bytes);

/* Ends the builder. TUTTI_ERR_NO_MEMORY, or TUTTI_ERR_LIMIT where a tag did not fit. */
int tti_build_finish(tti_builder *builder, tti_schedule **schedule);

#endif
