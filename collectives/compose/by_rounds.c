/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_rounds.h"

#include "collectives/patterns/parts.h"

/* A message goes to a rank in a round of either phase: the tags of the second follow those of the first. */
enum { TAG_REDUCE = 0, TAG_GATHER = TTI_ROUNDS_MOST };

static size_t bytes_of(const tti_by_rounds *by, int position)
{
    return by->block(by->shape, by->rounds.order[position]).bytes;
}

static size_t bytes_between(const tti_by_rounds *by, int first, int end)
{
    size_t bytes = 0;
    for (int i = first; i < end; i++)
        bytes += bytes_of(by, i);
    return bytes;
}

static tti_place sorted_at(const tti_by_rounds *by, int position)
{
    return tti_place_plus(by->sorted, bytes_between(by, 0, position));
}

bool tti_by_rounds_open(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                        tti_extent (*block)(const tti_shape *shape, int block), tti_by_rounds *by)
{
    *by = (tti_by_rounds){.shape = shape, .builder = builder, .block = block};
    int *memory = tti_build_numbers(builder, TTI_ROUNDS_NUMBERS(shape->size));
    if (memory == NULL) return false;
    pattern(shape->rank, shape->size, memory, &by->rounds);
    by->sorted = tti_build_scratch(builder, bytes_between(by, 0, shape->size));
    return true;
}

tti_extent tti_by_rounds_part(const tti_shape *shape, int part)
{
    return (tti_extent){tti_part_start(shape->count, shape->size, part) * shape->element,
                        tti_part_size(shape->count, shape->size, part) * shape->element};
}

/* Calls `copy` for the positions from `first` on, with blocks that lie one after the other at once. */
static void each_row(const tti_by_rounds *by, int first,
                     void (*copy)(const tti_by_rounds *, tti_place, size_t, size_t), tti_place buffer)
{
    size_t sorted = bytes_between(by, 0, first);
    for (int i = first; i < by->rounds.size;) {
        const tti_extent row = by->block(by->shape, by->rounds.order[i++]);
        size_t bytes = row.bytes;
        while (i < by->rounds.size && by->block(by->shape, by->rounds.order[i]).at == row.at + bytes)
            bytes += bytes_of(by, i++);
        copy(by, tti_place_plus(buffer, row.at), sorted, bytes);
        sorted += bytes;
    }
}

static void copy_in(const tti_by_rounds *by, tti_place buffer, size_t sorted, size_t bytes)
{
    tti_build_copy(by->builder, buffer, tti_place_plus(by->sorted, sorted), bytes);
}

static void copy_out(const tti_by_rounds *by, tti_place buffer, size_t sorted, size_t bytes)
{
    tti_build_copy(by->builder, tti_place_plus(by->sorted, sorted), buffer, bytes);
}

void tti_by_rounds_sort(const tti_by_rounds *by, tti_place from)
{
    each_row(by, 0, copy_in, from);
}

void tti_by_rounds_unsort(const tti_by_rounds *by, tti_place to, int first)
{
    each_row(by, first, copy_out, to);
}

/* How many of the positions from which round k sends, from number `i` on, are in a row. */
static int row_of(const tti_by_rounds *by, int k, int i)
{
    const int *source = by->rounds.source;
    int n = 1;
    while (i + n < by->rounds.have[k + 1] && source[i + n] == source[i] + n)
        n++;
    return n;
}

/* Round k backwards: sums that others' trees wait for go out, and what comes is combined with what is here.
 */
static void reduce_round(const tti_by_rounds *by, int k)
{
    const tti_rounds *r = &by->rounds;
    const int first = r->have[k], end = r->have[k + 1];
    tti_build_send(by->builder, sorted_at(by, first), bytes_between(by, first, end), r->from[k],
                   TAG_REDUCE + k);
    size_t bytes = 0;
    for (int i = first; i < end; i++)
        bytes += bytes_of(by, r->source[i]);
    tti_place part = tti_build_scratch(by->builder, bytes);
    tti_build_recv(by->builder, part, bytes, r->to[k], TAG_REDUCE + k);
    for (int i = first, n; i < end; i += n) {
        n = row_of(by, k, i);
        const size_t row = bytes_between(by, r->source[i], r->source[i] + n);
        tti_build_reduce(by->builder, part, sorted_at(by, r->source[i]), row);
        part = tti_place_plus(part, row);
    }
}

void tti_by_rounds_reduce(const tti_by_rounds *by)
{
    for (int k = by->rounds.rounds - 1; k >= 0; k--)
        reduce_round(by, k);
}

/* What round k sends: where it is, if that is one row, else copied together. */
static tti_place collect(const tti_by_rounds *by, int k, size_t *bytes)
{
    const tti_rounds *r = &by->rounds;
    const int first = r->have[k], end = r->have[k + 1];
    *bytes = 0;
    for (int i = first; i < end; i++)
        *bytes += bytes_of(by, r->source[i]);
    if (row_of(by, k, first) == end - first) return sorted_at(by, r->source[first]);
    const tti_place together = tti_build_scratch(by->builder, *bytes);
    tti_place at = together;
    for (int i = first, n; i < end; i += n) {
        n = row_of(by, k, i);
        const size_t row = bytes_between(by, r->source[i], r->source[i] + n);
        tti_build_copy(by->builder, sorted_at(by, r->source[i]), at, row);
        at = tti_place_plus(at, row);
    }
    return together;
}

void tti_by_rounds_gather(const tti_by_rounds *by)
{
    const tti_rounds *r = &by->rounds;
    for (int k = 0; k < r->rounds; k++) {
        size_t bytes;
        const tti_place out = collect(by, k, &bytes);
        tti_build_send(by->builder, out, bytes, r->to[k], TAG_GATHER + k);
        tti_build_recv(by->builder, sorted_at(by, r->have[k]), bytes_between(by, r->have[k], r->have[k + 1]),
                       r->from[k], TAG_GATHER + k);
    }
}

void tti_by_rounds_allgather(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern)
{
    tti_by_rounds by;
    if (!tti_by_rounds_open(shape, builder, pattern, tti_shape_received, &by)) return;
    const tti_extent own = tti_shape_received(shape, shape->rank);
    tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), shape->in_place ? own.at : 0), by.sorted,
                   own.bytes);
    tti_by_rounds_gather(&by);
    tti_by_rounds_unsort(&by, tti_place_at(TTI_OUTPUT, 0), shape->in_place ? 1 : 0);
}

void tti_by_rounds_reduce_scatter(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern)
{
    tti_by_rounds by;
    if (!tti_by_rounds_open(shape, builder, pattern, tti_shape_sent, &by)) return;
    tti_by_rounds_sort(&by, tti_shape_own(shape));
    tti_by_rounds_reduce(&by);
    tti_build_copy(builder, by.sorted, tti_place_at(TTI_OUTPUT, 0), bytes_of(&by, 0));
}

void tti_by_rounds_allreduce(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern)
{
    tti_by_rounds by;
    if (!tti_by_rounds_open(shape, builder, pattern, tti_by_rounds_part, &by)) return;
    tti_by_rounds_sort(&by, tti_shape_own(shape));
    tti_by_rounds_reduce(&by);
    tti_by_rounds_gather(&by);
    tti_by_rounds_unsort(&by, tti_place_at(TTI_OUTPUT, 0), 0);
}
