/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_rounds.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_rounds rounds;
    tti_extent (*block)(const tti_shape *shape, int block); /* where it is in a buffer of all blocks */
    size_t most;         /* bytes of a message, but at least a block goes; 0: all of a round at once */
    const size_t *start; /* [size + 1] where each position's block begins in `sorted` */
    tti_place sorted;    /* all blocks in the order of the rounds: SCRATCH */
} by_rounds;

/* Of a message that goes to a rank in a round of either phase, piece by piece. */
enum phase { REDUCE, GATHER, PHASES };
static int tag_of(enum phase phase, int round, int piece)
{
    return (piece * PHASES + (int)phase) * TTI_ROUNDS_MOST + round;
}

static size_t bytes_of(const by_rounds *by, int position)
{
    return by->start[position + 1] - by->start[position];
}

static size_t bytes_between(const by_rounds *by, int first, int end)
{
    return by->start[end] - by->start[first];
}

static tti_place sorted_at(const by_rounds *by, int position)
{
    return tti_place_plus(by->sorted, bytes_between(by, 0, position));
}

/* False if memory is out (the builder remembers). */
static bool open_rounds(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                        tti_extent (*block)(const tti_shape *shape, int block), by_rounds *by)
{
    *by = (by_rounds){.shape = shape, .builder = builder, .block = block};
    int *memory = tti_build_numbers(builder, TTI_ROUNDS_NUMBERS(shape->size));
    size_t *start = tti_build_sizes(builder, shape->size + 1), at = 0;
    if (memory == NULL || start == NULL) return false;
    pattern(shape->rank, shape->size, memory, &by->rounds);
    for (int i = 0; i < shape->size; i++) {
        start[i] = at;
        at += block(shape, by->rounds.order[i]).bytes;
    }
    start[shape->size] = at;
    by->start = start;
    by->sorted = tti_build_scratch(builder, bytes_between(by, 0, shape->size));
    return true;
}

static tti_extent part_of(const tti_shape *shape, int rank)
{
    return tti_shape_cut(shape, shape->size, rank);
}

/* Calls `copy` for the positions from `first` on, with blocks that lie one after the other at once. */
static void each_row(const by_rounds *by, int first,
                     void (*copy)(const by_rounds *, tti_place, size_t, size_t), tti_place buffer)
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

static void copy_in(const by_rounds *by, tti_place buffer, size_t sorted, size_t bytes)
{
    tti_build_copy(by->builder, buffer, tti_place_plus(by->sorted, sorted), bytes);
}

static void copy_out(const by_rounds *by, tti_place buffer, size_t sorted, size_t bytes)
{
    tti_build_copy(by->builder, tti_place_plus(by->sorted, sorted), buffer, bytes);
}

/* Copies all blocks of the buffer at `from` to where they are sorted; and from there those from position
 * `first` on to the buffer at `to`. */
static void sort(const by_rounds *by, tti_place from)
{
    each_row(by, 0, copy_in, from);
}

static void unsort(const by_rounds *by, tti_place to, int first)
{
    each_row(by, first, copy_out, to);
}

/* How many of the sender's positions for `first` … end - 1 are in a row from the first one on. */
static int row_of(const by_rounds *by, int first, int end)
{
    const int *source = by->rounds.source;
    int n = 1;
    while (first + n < end && source[first + n] == source[first] + n)
        n++;
    return n;
}

/* Bytes of what is at the positions first … end - 1 of the receiver, as the sender knows them. */
static size_t source_bytes(const by_rounds *by, int first, int end)
{
    size_t bytes = 0;
    for (int i = first; i < end; i++)
        bytes += bytes_of(by, by->rounds.source[i]);
    return bytes;
}

/* Where the message ends that begins at `first`: `bytes` tells of the one side's or the other's positions. */
static int piece_end(const by_rounds *by, int round, int first, size_t (*bytes)(const by_rounds *, int, int))
{
    const int end = by->rounds.have[round + 1];
    int n = 1;
    if (by->most == 0) return end;
    while (first + n < end && bytes(by, first, first + n + 1) <= by->most)
        n++;
    return first + n;
}

/* Round k backwards: sums that others' trees wait for go out … */
static void give_sums(const by_rounds *by, int k)
{
    int piece = 0;
    for (int i = by->rounds.have[k], end; i < by->rounds.have[k + 1]; i = end, piece++) {
        end = piece_end(by, k, i, bytes_between);
        tti_build_send(by->builder, sorted_at(by, i), bytes_between(by, i, end), by->rounds.from[k],
                       tag_of(REDUCE, k, piece));
    }
}

/* … and what comes is combined with what is here. */
static void add_sums(const by_rounds *by, int k, int first, int end, int piece)
{
    const size_t bytes = source_bytes(by, first, end);
    tti_place part = tti_build_scratch(by->builder, bytes);
    tti_build_recv(by->builder, part, bytes, by->rounds.to[k], tag_of(REDUCE, k, piece));
    for (int i = first, n; i < end; i += n) {
        n = row_of(by, i, end);
        const size_t row = source_bytes(by, i, i + n);
        tti_build_reduce(by->builder, part, sorted_at(by, by->rounds.source[i]), row);
        part = tti_place_plus(part, row);
    }
}

/* The rounds backwards: of contributions to all blocks to the sum of the caller's own, the first. */
static void reduce(const by_rounds *by)
{
    for (int k = by->rounds.rounds - 1; k >= 0; k--) {
        int piece = 0;
        give_sums(by, k);
        for (int i = by->rounds.have[k], end; i < by->rounds.have[k + 1]; i = end) {
            end = piece_end(by, k, i, source_bytes);
            add_sums(by, k, i, end, piece++);
        }
    }
}

/* What a message takes: where it is, if that is one row, else copied together. */
static tti_place collect(const by_rounds *by, int first, int end)
{
    if (row_of(by, first, end) == end - first) return sorted_at(by, by->rounds.source[first]);
    const tti_place together = tti_build_scratch(by->builder, source_bytes(by, first, end));
    tti_place at = together;
    for (int i = first, n; i < end; i += n) {
        n = row_of(by, i, end);
        const size_t row = source_bytes(by, i, i + n);
        tti_build_copy(by->builder, sorted_at(by, by->rounds.source[i]), at, row);
        at = tti_place_plus(at, row);
    }
    return together;
}

static void gather_round(const by_rounds *by, int k)
{
    const tti_rounds *r = &by->rounds;
    int piece = 0;
    for (int i = r->have[k], end; i < r->have[k + 1]; i = end, piece++) {
        end = piece_end(by, k, i, source_bytes);
        tti_build_send(by->builder, collect(by, i, end), source_bytes(by, i, end), r->to[k],
                       tag_of(GATHER, k, piece));
    }
    piece = 0;
    for (int i = r->have[k], end; i < r->have[k + 1]; i = end, piece++) {
        end = piece_end(by, k, i, bytes_between);
        tti_build_recv(by->builder, sorted_at(by, i), bytes_between(by, i, end), r->from[k],
                       tag_of(GATHER, k, piece));
    }
}

/* The rounds: from the caller's own, the first, to all. */
static void gather(const by_rounds *by)
{
    for (int k = 0; k < by->rounds.rounds; k++)
        gather_round(by, k);
}

void tti_by_rounds_allgather(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most)
{
    by_rounds by;
    if (!open_rounds(shape, builder, pattern, tti_shape_received, &by)) return;
    by.most = most;
    tti_build_copy(builder, tti_shape_own_part(shape), by.sorted, bytes_of(&by, 0));
    gather(&by);
    unsort(&by, tti_place_at(TTI_OUTPUT, 0), shape->in_place ? 1 : 0);
}

void tti_by_rounds_reduce_scatter(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                                  size_t most)
{
    by_rounds by;
    if (!open_rounds(shape, builder, pattern, tti_shape_sent, &by)) return;
    by.most = most;
    sort(&by, tti_shape_own(shape));
    reduce(&by);
    tti_build_copy(builder, by.sorted, tti_place_at(TTI_OUTPUT, 0), bytes_of(&by, 0));
}

void tti_by_rounds_allreduce(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most)
{
    by_rounds by;
    if (!open_rounds(shape, builder, pattern, part_of, &by)) return;
    by.most = most;
    sort(&by, tti_shape_own(shape));
    reduce(&by);
    gather(&by);
    unsort(&by, tti_place_at(TTI_OUTPUT, 0), 0);
}
