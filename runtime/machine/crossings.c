/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/crossings.h"

#include "runtime/machine/crossing_costs.h"

#define KIB ((size_t)1024)
/* Messages up to this go at once whatever the machine does. */
#define EAGER_LEAST (4 * KIB)
/* Crossings are looked for up to here; where the kernel's copy is the longer way even of this, it always is.
 */
#define LARGEST ((size_t)16 << 20)
#define CLOSE (12 * KIB) /* to what is small: so that one of four figures more or less decides nothing */
/* Of a shorter packet so few lines pass that all do at once. */
#define PAST_LEAST 512
#define QUICK_CALL 1000 /* ns */

static bool kernel_copies(const tti_figures *f)
{
    return f->value[TTI_FIGURE_KERNEL_CALL] > 0 && f->value[TTI_FIGURE_KERNEL_MIB] > 0;
}

/* The smallest size, in whole KiB, from which on `one` takes no longer than `other`, as far as steps of at
 * most a sixteenth show. */
static size_t cross(const tti_figures *f, tti_cost_fn *one, tti_cost_fn *other, size_t least)
{
    size_t from = TTI_CROSSING_NEVER;
    for (size_t bytes = LARGEST; bytes >= least && one(f, bytes) <= other(f, bytes);) {
        const size_t step = bytes / 16 / KIB * KIB;
        from = bytes;
        bytes -= step > 0 ? step : KIB;
    }
    /* Where steps are longer: 64 KiB is a size that programs have, and often the one at which ways cross. */
    while (from != TTI_CROSSING_NEVER && from >= least + KIB && one(f, from - KIB) <= other(f, from - KIB))
        from -= KIB;
    return from;
}

static void cross_messages(const tti_figures *f, tti_crossings *c)
{
    c->fetch = cross(f, tti_cost_fetch, tti_cost_packets, KIB);
    c->fetch_shared = cross(f, tti_cost_shared_fetch, tti_cost_shared_packets, KIB);
    c->help = tti_cost_nearest_power(tti_cost_help_least(f));
    if (c->fetch >= TTI_CROSSING_EAGER_MOST) return;
    /* Up to the longest that was seen to be the shorter way so; but programs rest on short sends waiting for
     * nobody, and must not hang where figures were taken at a bad moment. */
    c->eager_sure = c->fetch > EAGER_LEAST + KIB ? c->fetch - KIB : EAGER_LEAST;
    c->fetch = c->eager_sure + 1;
    /* Who lags behind, or shares the core, waits for nothing then: the copy may be dearer by half. */
    const size_t twice = 2 * tti_cost_power_below(c->fetch);
    c->eager_most = twice < TTI_CROSSING_EAGER_MOST ? twice : TTI_CROSSING_EAGER_MOST;
}

/* Whether the kernel copies about as fast as a processor does, and four times as fast as data pass between
 * two: of ranks that share processors half of all pairs do not share one. */
static bool is_quick(const tti_figures *f)
{
    const int64_t kernel = f->value[TTI_FIGURE_KERNEL_MIB], copy = f->value[TTI_FIGURE_COPY_MIB];
    return f->value[TTI_FIGURE_KERNEL_CALL] <= QUICK_CALL && kernel <= copy * 5 / 4 &&
           4 * kernel <= f->value[TTI_FIGURE_PIECE_MIB];
}

static size_t small_most(const tti_figures *f, int collective)
{
    const bool one = collective == TTI_CROSSING_BCAST || collective == TTI_CROSSING_REDUCE;
    return one && is_quick(f) ? TTI_CROSSING_QUICK_MOST : TTI_CROSSING_SMALL_MOST;
}

static void cross_collectives(const tti_figures *f, tti_crossings *c)
{
    bool always = true;
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++) {
        c->single[i] =
            cross(f, tti_cost_collectives[i].single, tti_cost_collectives[i].blocks, small_most(f, i) + KIB);
        always = always && c->single[i] <= CLOSE;
    }
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES && always; i++)
        c->single[i] = small_most(f, i) + 1;
}

/* Where the kernel copies twice as fast as data pass through shared memory, it is the shorter way without
 * help, of memory that no cache holds, and where a figure was taken at a bad moment; four times, if it does
 * so twice. Elsewhere a copy pays that both make, but for what goes one way: there it is a message. */
static void cross_alone(const tti_figures *f, tti_crossings *c)
{
    const bool pays = 2 * f->value[TTI_FIGURE_KERNEL_MIB] <= f->value[TTI_FIGURE_PIECE_MIB];
    const size_t both = c->help / 2 + 1;
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES && !pays; i++) {
        const bool helped = i == TTI_CROSSING_BCAST || i == TTI_CROSSING_REDUCE;
        if (!helped) c->single[i] = TTI_CROSSING_NEVER;
        if (helped && c->single[i] < both) c->single[i] = both;
    }
    if (4 * f->value[TTI_FIGURE_KERNEL_MIB] > f->value[TTI_FIGURE_PIECE_MIB])
        c->single[TTI_CROSSING_EDGES] = TTI_CROSSING_NEVER;
    c->single[TTI_CROSSING_ONE_WAY] = TTI_CROSSING_NEVER;
}

/* Blocks of more than two ranks, or in the cache of a shared core, cost a copy and a half: the second finds
 * its data there. */
static size_t part_least(const tti_figures *f)
{
    const int64_t saved = f->value[TTI_FIGURE_COPY_MIB] * 3 / 2 - f->value[TTI_FIGURE_KERNEL_MIB];
    if (saved <= 0) return TTI_CROSSING_NEVER;
    return tti_cost_nearest_power((size_t)(f->value[TTI_FIGURE_KERNEL_CALL] * (int64_t)(KIB * KIB) / saved));
}

/* What is written through the caches passes line by line, so it takes longer as a line does. Of how long that
 * takes one who has just read a line knows a part, from half to nearly all: a writer has to get it, too. */
tti_figures tti_figures_at(const tti_figures *figures, int64_t load_ns)
{
    static const enum tti_figure passing[] = {TTI_FIGURE_LINE, TTI_FIGURE_LOAD, TTI_FIGURE_SHARED_MIB,
                                              TTI_FIGURE_PIECE_MIB};
    const int64_t load = figures->value[TTI_FIGURE_LOAD];
    tti_figures now = *figures;
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        const tti_figure_row *row = tti_figure_describe(passing[i]);
        const int64_t value = figures->value[passing[i]] * load_ns / load;
        now.value[passing[i]] = value < row->least ? row->least : value > row->most ? row->most : value;
    }
    return now;
}

/* From where on `saved` ns a MiB make up for what it takes to write anything past the caches. */
static size_t past_from(const tti_figures *f, int64_t saved)
{
    if (saved <= 0) return TTI_CROSSING_NEVER;
    const size_t least = (size_t)((uint64_t)f->value[TTI_FIGURE_PAST_CALL] * (KIB * KIB) / (uint64_t)saved);
    return least > PAST_LEAST ? least : PAST_LEAST;
}

/* It has to save half: short pieces cost less through the caches than their share of a long one, and where a
 * line passes in 70 ns it is timed as taking up to 135. */
size_t tti_crossing_past_least(const tti_figures *f)
{
    return past_from(f, f->value[TTI_FIGURE_PIECE_MIB] / 2 - f->value[TTI_FIGURE_PAST_MIB]);
}

/* It has to save a third: a reader that is near finds in a cache what has passed through it. */
size_t tti_crossing_past_filled(const tti_figures *f, int64_t fill_ns)
{
    const int64_t through = fill_ns + f->value[TTI_FIGURE_COPY_MIB];
    return past_from(f, through * 2 / 3 - f->value[TTI_FIGURE_PAST_MIB]);
}

size_t tti_crossing_kept(const tti_figures *f, int ranks, int processors)
{
    const size_t cache = (size_t)f->value[TTI_FIGURE_CACHE] * KIB;
    return cache > 0 && processors > 0 ? cache * 3 / 4 * (size_t)processors / (size_t)ranks : SIZE_MAX;
}

tti_crossings tti_crossings_of(const tti_figures *f)
{
    tti_crossings c = {.eager_sure = TTI_CROSSING_EAGER_MOST,
                       .eager_most = TTI_CROSSING_EAGER_MOST,
                       .fetch = TTI_CROSSING_NEVER,
                       .fetch_shared = TTI_CROSSING_NEVER,
                       .help = TTI_CROSSING_NEVER,
                       .single_part = TTI_CROSSING_NEVER,
                       .figures = *f};
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        c.single[i] = TTI_CROSSING_NEVER;
    if (!kernel_copies(f)) return c;
    cross_messages(f, &c);
    cross_collectives(f, &c);
    cross_alone(f, &c);
    c.single_part = part_least(f);
    c.quick = is_quick(f);
    return c;
}

void tti_crossings_force(tti_crossings *c, size_t single_least)
{
    c->forced = true;
    c->fetch = c->fetch_shared = single_least;
    if (single_least < c->eager_sure) c->eager_sure = single_least;
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        c->single[i] = single_least;
    c->single_part = single_least;
    c->quick = false;
}
