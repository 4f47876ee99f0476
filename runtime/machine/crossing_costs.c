/* SPDX-License-Identifier: BSD-3-Clause */
/* As measured on machines that differ much. What both of two ways have in common is left out: a call's own
 * work, and the passing of its first flag.
 *
 *     one piece        copied in by one rank, then out by another
 *     pieces           the same, but for the first, at the same time
 *     kernel's copy    a call, two more passages of flags (offer, end), and one copy
 *
 * A collective asks for two passages more: who reads must know that all have come, and who is read from when
 * all have read. */
#include "runtime/machine/crossing_costs.h"

#define KIB ((size_t)1024)
#define BUFFER (16 * KIB)      /* in pieces of this, at most, data passes through shared memory */
#define SHARED_AREA (64 * KIB) /* of a pair of ranks; when it is full the other has to run */
#define OFFER_LINES 2
/* The handling of an offer and of its end counts as two passages more: so the ways cross where they were
 * seen to. */
#define FETCH_LINES (OFFER_LINES + 2)
#define OPERATION_LINES 4
/* Two that call the kernel at once, for each other's memory, wait for two lines more. */
#define BOTH_LINES (OPERATION_LINES + 2)

static int64_t of_bytes(const tti_figures *f, enum tti_figure figure, size_t bytes)
{
    return (int64_t)((uint64_t)f->value[figure] * bytes >> 20);
}

static int64_t lines(const tti_figures *f, int count)
{
    return count * f->value[TTI_FIGURE_LINE];
}

/* Where a second rank saves more by doing half of the kernel's copying than it costs to ask it and to make
 * one more call; half as much again, since it may come late. */
size_t tti_cost_help_least(const tti_figures *f)
{
    const int64_t asked = f->value[TTI_FIGURE_KERNEL_CALL] + lines(f, OFFER_LINES);
    return (size_t)((uint64_t)asked * 3 * (KIB * KIB) / (uint64_t)f->value[TTI_FIGURE_KERNEL_MIB]);
}

size_t tti_cost_power_below(size_t bytes)
{
    size_t power = 1;
    while (power <= bytes / 2)
        power *= 2;
    return power;
}

size_t tti_cost_nearest_power(size_t bytes)
{
    const size_t power = tti_cost_power_below(bytes);
    return bytes > power + power / 2 ? 2 * power : power;
}

static int64_t one_piece(const tti_figures *f, size_t bytes)
{
    return of_bytes(f, TTI_FIGURE_PIECE_MIB, bytes);
}

static int64_t pieces(const tti_figures *f, size_t bytes)
{
    if (bytes <= BUFFER) return one_piece(f, bytes);
    return one_piece(f, BUFFER) + of_bytes(f, TTI_FIGURE_SHARED_MIB, bytes - BUFFER);
}

/* The same, but that pieces are written past the caches. */
static int64_t past_pieces(const tti_figures *f, size_t bytes)
{
    const int64_t all = of_bytes(f, TTI_FIGURE_PAST_MIB, bytes);
    return f->value[TTI_FIGURE_PAST_CALL] + all;
}

/* A long message asks for leave first. */
int64_t tti_cost_packets(const tti_figures *f, size_t bytes)
{
    const int64_t through = pieces(f, bytes), past = past_pieces(f, bytes);
    return (past < through ? past : through) + (bytes > TTI_CROSSING_EAGER_MOST ? lines(f, OFFER_LINES) : 0);
}

/* By one rank, and by two from some size on. */
static int64_t kernel_copy(const tti_figures *f, size_t bytes)
{
    const size_t own = bytes < tti_cost_nearest_power(tti_cost_help_least(f)) ? bytes : bytes / 2;
    return f->value[TTI_FIGURE_KERNEL_CALL] + of_bytes(f, TTI_FIGURE_KERNEL_MIB, own);
}

int64_t tti_cost_fetch(const tti_figures *f, size_t bytes)
{
    return kernel_copy(f, bytes) + lines(f, FETCH_LINES);
}

/* Of ranks that share a core nobody helps, each area's fill takes two switches, and what is copied is found
 * in the cache. */
int64_t tti_cost_shared_fetch(const tti_figures *f, size_t bytes)
{
    return f->value[TTI_FIGURE_KERNEL_CALL] + of_bytes(f, TTI_FIGURE_KERNEL_MIB, bytes);
}

int64_t tti_cost_shared_packets(const tti_figures *f, size_t bytes)
{
    const int64_t turns = 1 + (int64_t)(bytes / SHARED_AREA);
    return 2 * turns * f->value[TTI_FIGURE_SWITCH] + 2 * of_bytes(f, TTI_FIGURE_COPY_MIB, bytes);
}

static int64_t single_bcast(const tti_figures *f, size_t bytes)
{
    return kernel_copy(f, bytes) + lines(f, OPERATION_LINES);
}

/* The root fetches and combines, of long ones three quarters. */
static int64_t single_reduce(const tti_figures *f, size_t bytes)
{
    const size_t own = bytes < tti_cost_help_least(f) ? bytes : bytes / 4 * 3;
    return f->value[TTI_FIGURE_KERNEL_CALL] + lines(f, OPERATION_LINES) +
           of_bytes(f, TTI_FIGURE_KERNEL_MIB, own) + of_bytes(f, TTI_FIGURE_COPY_MIB, own);
}

static int64_t single_allgather(const tti_figures *f, size_t bytes)
{
    return f->value[TTI_FIGURE_KERNEL_CALL] + lines(f, BOTH_LINES) +
           of_bytes(f, TTI_FIGURE_KERNEL_MIB, bytes);
}

static int64_t single_edges(const tti_figures *f, size_t bytes)
{
    return lines(f, BOTH_LINES) +
           2 * (f->value[TTI_FIGURE_KERNEL_CALL] + of_bytes(f, TTI_FIGURE_KERNEL_MIB, bytes));
}

/* What is in a cache by then is combined, or copied once more. */
static int64_t pieces_and_copy(const tti_figures *f, size_t bytes)
{
    return pieces(f, bytes) + of_bytes(f, TTI_FIGURE_COPY_MIB, bytes);
}

/* The root combines what the other copies in. */
static int64_t blocks_reduce(const tti_figures *f, size_t bytes)
{
    return pieces(f, bytes) + of_bytes(f, TTI_FIGURE_COPY_MIB, bytes) / 2;
}

/* Either way both get and combine all. */
static int64_t single_allreduce(const tti_figures *f, size_t bytes)
{
    return single_allgather(f, bytes) + of_bytes(f, TTI_FIGURE_COPY_MIB, bytes);
}

const tti_cost_pair tti_cost_collectives[TTI_CROSSING_COLLECTIVES] = {
    [TTI_CROSSING_BCAST] = {single_bcast, pieces},
    [TTI_CROSSING_REDUCE] = {single_reduce, blocks_reduce},
    [TTI_CROSSING_ALLREDUCE] = {single_allreduce, pieces_and_copy},
    /* Both copy in at the same time, and then out. */
    [TTI_CROSSING_ALLGATHER] = {single_allgather, pieces},
    [TTI_CROSSING_EDGES] = {single_edges, pieces_and_copy},
    [TTI_CROSSING_ONE_WAY] = {single_bcast, pieces},
};
