/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_leaders_window.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

typedef struct {
    tti_window_call call; /* first; its window's blocks are the pieces */
    const tti_by_leaders *by;
    int region; /* the first of two */
    int apart;  /* place of the rank that alone gives, or that takes nothing; -1: there is none */
} passing;

static const passing *passing_of(const tti_window_call *call)
{
    return (const passing *)(const void *)call;
}

static bool leads(const tti_by_leaders *by, int part)
{
    return tti_by_leaders_here(by, part) == by->place;
}

/* Piece `k` of a part: where it is in the data, and where it lies in a WINDOW. */
static tti_extent piece_of(const passing *p, int part, int k)
{
    return tti_blocks_cut(&p->call.blocks, tti_by_leaders_part(p->by, part), k);
}
static size_t piece_region(const passing *p, int part, int k)
{
    return tti_blocks_region(&p->call.blocks, (p->region + k % TTI_WINDOW_HALVES) * p->by->parts + part);
}

static passing open(tti_by_leaders *by, int region, int apart)
{
    const tti_shape *shape = by->shape;
    const size_t most = tti_by_leaders_part(by, 0).bytes; /* no other is larger */
    passing p = {.by = by, .region = region, .apart = apart};
    p.call = (tti_window_call){.shape = shape,
                               .builder = by->builder,
                               .blocks = tti_blocks_open(shape, most, TTI_WINDOW_REGIONS * by->parts),
                               .posts = by->posts};
    by->posts += p.call.blocks.count;
    tti_build_part(by->builder, by->local);
    return p;
}

static void show(const passing *p, tti_place data, int part, int k)
{
    const tti_extent piece = piece_of(p, part, k);
    tti_build_copy(p->by->builder, tti_place_plus(data, piece.at),
                   tti_place_at(TTI_WINDOW, piece_region(p, part, k)), piece.bytes);
}

static void copy_from(const passing *p, int place, int part, int k)
{
    const tti_extent piece = piece_of(p, part, k);
    tti_build_copy_from(p->by->builder, place, piece_region(p, part, k), tti_place_at(TTI_OUTPUT, piece.at),
                        piece.bytes);
}

static void show_to_leaders(const tti_window_call *call, int k)
{
    const passing *p = passing_of(call);
    const bool one = p->apart >= 0;
    const tti_place data = one ? tti_place_at(TTI_OUTPUT, 0) : tti_shape_own(call->shape);
    if (one && p->apart != p->by->place) return;
    for (int part = 0; part < p->by->parts; part++)
        if (!leads(p->by, part)) show(p, data, part, k);
}

/* The neighbours' first, so that not all read from the same rank at once. */
static void combine_led(const tti_window_call *call, int k)
{
    const passing *p = passing_of(call);
    for (int part = 0; part < p->by->parts; part++) {
        const tti_extent piece = piece_of(p, part, k);
        for (int i = 1; leads(p->by, part) && i < p->by->size; i++)
            tti_build_reduce_from(call->builder, tti_ring(p->by->place, i, p->by->size),
                                  piece_region(p, part, k), tti_place_at(TTI_OUTPUT, piece.at), piece.bytes);
    }
}

static void copy_led(const tti_window_call *call, int k)
{
    const passing *p = passing_of(call);
    for (int part = 0; p->by->place != p->apart && part < p->by->parts; part++)
        if (leads(p->by, part)) copy_from(p, p->apart, part, k);
}

static void show_led(const tti_window_call *call, int k)
{
    const passing *p = passing_of(call);
    for (int part = 0; part < p->by->parts; part++)
        if (leads(p->by, part)) show(p, tti_place_at(TTI_OUTPUT, 0), part, k);
}

static void copy_others(const tti_window_call *call, int k)
{
    const passing *p = passing_of(call);
    for (int turn = 0; p->by->place != p->apart && turn < p->by->parts; turn++) {
        const int part = tti_by_leaders_turn(p->by, turn);
        if (!leads(p->by, part)) copy_from(p, tti_by_leaders_here(p->by, part), part, k);
    }
}

void tti_by_leaders_combine_shared(tti_by_leaders *by)
{
    const passing p = open(by, 0, -1);
    for (int part = 0; part < by->parts; part++) {
        const tti_extent cut = tti_by_leaders_part(by, part);
        if (leads(by, part))
            tti_build_copy(by->builder, tti_place_plus(tti_shape_own(by->shape), cut.at),
                           tti_place_at(TTI_OUTPUT, cut.at), cut.bytes);
    }
    tti_window_exchange(&p.call, show_to_leaders, combine_led);
    tti_build_whole(by->builder);
}

void tti_by_leaders_scatter_shared(tti_by_leaders *by, int root)
{
    const passing p = open(by, 0, root);
    tti_window_exchange(&p.call, show_to_leaders, copy_led);
    tti_build_whole(by->builder);
}

void tti_by_leaders_spread_shared(tti_by_leaders *by, int except)
{
    const passing p = open(by, TTI_WINDOW_HALVES, except);
    tti_window_exchange(&p.call, show_led, copy_others);
    tti_build_whole(by->builder);
}
