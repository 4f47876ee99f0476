/* SPDX-License-Identifier: BSD-3-Clause */
/* Recorded figures of machines, and what is chosen on them. */
#include <stdio.h>

#include "runtime/machine/crossings.h"
#include "tests/unit/expect.h"

#define KIB ((size_t)1024)

static tti_figures machine(const char *text)
{
    char why[160];
    tti_figures figures = tti_figures_unknown();
    EXPECT(tti_figures_parse(text, &figures, why, sizeof why));
    figures =
        tti_figures_completed(&figures); /* some were recorded before there was the way past the caches */
    EXPECT(tti_figures_whole(&figures) || figures.value[TTI_FIGURE_KERNEL_CALL] == TTI_FIGURE_NONE);
    return figures;
}

static tti_crossings crossings_of(const char *text)
{
    const tti_figures figures = machine(text);
    return tti_crossings_of(&figures);
}

/* The choices that were found by measuring on it, one by one, before they were computed. */
static void expect_xeon(const tti_crossings *c)
{
    EXPECT(c->eager_sure == 5 * KIB && c->eager_most == 8 * KIB);
    EXPECT(c->fetch == 5 * KIB + 1 && c->fetch_shared <= 8 * KIB);
    EXPECT(c->help == 64 * KIB);
    EXPECT(c->single_part == 32 * KIB && c->quick);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c->single[i] == (i == TTI_CROSSING_ONE_WAY                             ? TTI_CROSSING_NEVER
                                : i == TTI_CROSSING_BCAST || i == TTI_CROSSING_REDUCE ? 7 * KIB + 1
                                                                                      : 8 * KIB + 1));
}

/* The same kind another day: a copy within one processor is timed as anything from 31 to 48 us. Four ranks on
 * two processors, us, through windows and by the kernel's copies: alltoall of 16, 32, 64, 256 KiB 13 22 49
 * 291 and 15 19 28 209, scatter 9 14 24 71 and 6 7 10 23. */
static void test_quick_whatever_the_copy(void)
{
    const char *const others =
        "line=150 kernel_call=406 kernel_mib=31500 shared_mib=110000 piece_mib=212000 ";
    for (int copy = 31000; copy <= 48000; copy += 1000) {
        char text[200];
        snprintf(text, sizeof text, "%scopy_mib=%d switch=456", others, copy);
        EXPECT(crossings_of(text).quick);
    }
}

static void test_xeon(void)
{
    const tti_crossings c = crossings_of("line=200 kernel_call=700 kernel_mib=49000 shared_mib=174000 "
                                         "piece_mib=305000 copy_mib=47000 switch=500");
    expect_xeon(&c);
    const tti_figures typical = tti_figures_typical();
    const tti_crossings same = tti_crossings_of(&typical);
    expect_xeon(&same);
}

/* Measured there, us: messages of 4100 B, 8, 16, 64, 256 KiB, 1 MiB by the kernel's copy 2.6 2.7 3.3 5.1 15
 * 50, in packets 0.44 0.72 1.4 3.6 13.3 54; allreduce 0.64 3.05 4.3 10.2 46 153, by blocks 0.63 1.0 1.85 5.7
 * 26 103. */
static void test_epyc(void)
{
    const tti_crossings c = crossings_of("line=74 kernel_call=2100 kernel_mib=102400 shared_mib=54000 "
                                         "piece_mib=87000 copy_mib=44000 switch=1900");
    EXPECT(c.eager_sure == 16 * KIB && c.eager_most == 16 * KIB);
    EXPECT(c.fetch > 256 * KIB && c.fetch <= 1024 * KIB);
    EXPECT(c.single[TTI_CROSSING_BCAST] > 256 * KIB && c.single[TTI_CROSSING_BCAST] <= 1024 * KIB);
    EXPECT(c.single[TTI_CROSSING_REDUCE] > 64 * KIB);
    EXPECT(!c.quick && c.single_part == TTI_CROSSING_NEVER &&
           c.single[TTI_CROSSING_ALLREDUCE] == TTI_CROSSING_NEVER &&
           c.single[TTI_CROSSING_ALLGATHER] == TTI_CROSSING_NEVER);
    /* A switch there costs what a call of the kernel does. */
    EXPECT(c.fetch_shared <= 16 * KIB);
}

/* The same kind of machine another day. Where ranks share cores a second turn of the sender's, for a message
 * that fills the area, costs more than the kernel's copy: of 64 KiB, and not only of the 67 KiB that lie a
 * sixteenth above the last size at which packets are the shorter way. */
static void test_crossings_are_found_to_the_kib(void)
{
    const tti_crossings c = crossings_of("line=55 kernel_call=1282 kernel_mib=71328 shared_mib=118016 "
                                         "piece_mib=100672 copy_mib=21693 switch=1354");
    EXPECT(c.fetch_shared == 64 * KIB);
}

/* A third kind: lines take as long as where two processors share nothing, many at a time. Two ranks, us, in
 * windows and by the kernel's copies: allgather of 64, 128, 256 KiB 5.3 9.9 19.9 and 6.9 9.5 16.9,
 * alltoall 5.4 11.0 24.3 and 7.0 9.4 17.0, allreduce 6.8 12.7 26.0 and 8.0 11.5 25.0, bcast 3.7 6.6 12.1
 * and 5.1 6.6 10.0. */
static void test_zen_5(void)
{
    const tti_crossings c =
        crossings_of("line=337 load=161 kernel_call=2514 kernel_mib=36400 shared_mib=78188 "
                     "piece_mib=134016 past_call=206 past_mib=73181 copy_mib=18666 "
                     "switch=2073");
    static const enum tti_crossing_collective known[] = {TTI_CROSSING_BCAST, TTI_CROSSING_ALLREDUCE,
                                                         TTI_CROSSING_ALLGATHER};
    for (int i = 0; i < 3; i++)
        EXPECT(c.single[known[i]] > 64 * KIB && c.single[known[i]] <= 128 * KIB);
    EXPECT(c.single[TTI_CROSSING_EDGES] == TTI_CROSSING_NEVER && !c.quick);
}

static void test_slow_arm(void)
{
    const tti_crossings c = crossings_of("line=150 kernel_call=3000 kernel_mib=200000 shared_mib=300000 "
                                         "piece_mib=500000 past_call=3000 past_mib=500000 copy_mib=150000 "
                                         "switch=3000");
    EXPECT(c.eager_sure > 8 * KIB && c.eager_sure < 16 * KIB && c.eager_most == 16 * KIB);
    EXPECT(c.fetch == c.eager_sure + 1);
}

static void test_no_kernel_copy(void)
{
    const tti_crossings c =
        crossings_of("line=100 kernel_call=0 kernel_mib=0 shared_mib=90000 piece_mib=150000 "
                     "copy_mib=50000 switch=900");
    EXPECT(c.eager_sure == 16 * KIB);
    EXPECT(c.fetch == TTI_CROSSING_NEVER && c.fetch_shared == TTI_CROSSING_NEVER);
    EXPECT(c.single_part == TTI_CROSSING_NEVER && !c.quick);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c.single[i] == TTI_CROSSING_NEVER);
}

/* 8 ranks on two processors that share a cache of 32 MiB. */
static void test_room_in_caches(void)
{
    tti_figures figures = machine("cache=16384");
    EXPECT(tti_crossing_kept(&figures, 8, 2) == 3072 * KIB);
    EXPECT(tti_crossing_kept(&figures, 2, 2) == 12288 * KIB);
    figures.value[TTI_FIGURE_CACHE] = TTI_FIGURE_NONE;
    EXPECT(tti_crossing_kept(&figures, 8, 2) == SIZE_MAX);
}

/* Whatever is within bounds gives choices that hold together: figures come from a file. */
static void expect_sane(const tti_crossings *c)
{
    EXPECT(c->eager_sure <= c->eager_most && c->eager_most <= TTI_CROSSING_EAGER_MOST);
    EXPECT(c->eager_sure >= 4 * KIB && c->eager_most >= 8 * KIB);
    EXPECT(c->help > 0);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c->single[i] > (c->quick ? TTI_CROSSING_QUICK_MOST : TTI_CROSSING_SMALL_MOST));
}

/* Another day on the Xeon, us: latency of 5500 B, 6, 7, 8, 10 KiB by the kernel's copy 3.32 3.33 3.35 3.40
 * 3.50, in packets 2.57 2.75 3.02 3.55 4.48; a halo of them 8.8 8.3 8.8 8.5 9.3 and 6.1 6.5 7.1 7.8 8.3. */
static void test_xeon_again(void)
{
    const tti_crossings c = crossings_of("line=188 kernel_call=712 kernel_mib=53360 shared_mib=166296 "
                                         "piece_mib=254016 copy_mib=46025 switch=678");
    EXPECT(c.eager_sure >= 6 * KIB && c.eager_sure <= 8 * KIB && c.eager_most == 8 * KIB);
    EXPECT(c.fetch == c.eager_sure + 1);
}

/* Another machine of that kind, whose two processors are now of one core, now of one cache, now of none. A
 * line then takes 28, 60, 260 ns; 4, 8, 16 KiB through one buffer 0.2 0.4 0.8, 0.4 0.9 2.4, 1.7 4.7 9.5 us,
 * and past the caches 0.9 1.4 2.3, 0.8 1.4 2.4, 0.9 1.5 2.3 us. */
static void expect_wandering(const char *text)
{
    const tti_figures kept = machine(text);
    const tti_figures core = tti_figures_at(&kept, 28), cache = tti_figures_at(&kept, 60),
                      none = tti_figures_at(&kept, 260);
    EXPECT(tti_crossing_past_least(&core) > 16 * KIB && tti_crossing_past_least(&cache) > 4 * KIB);
    EXPECT(tti_crossing_past_least(&none) <= 3 * KIB);
    const tti_crossings near = tti_crossings_of(&core), far = tti_crossings_of(&none);
    EXPECT(near.eager_sure == 16 * KIB && far.eager_sure == 16 * KIB);
    EXPECT(near.fetch > 48 * KIB && far.fetch > 16 * KIB && far.fetch <= 64 * KIB);
    /* Without the way past the caches short ones would be fetched there. */
    tti_figures through = none;
    through.value[TTI_FIGURE_PAST_MIB] = tti_figure_describe(TTI_FIGURE_PAST_MIB)->most;
    EXPECT(tti_crossings_of(&through).eager_sure < 8 * KIB);
    EXPECT(tti_crossing_past_least(&through) == TTI_CROSSING_NEVER);
}

static void test_wandering(void)
{
    expect_wandering(
        "line=28 kernel_call=1302 kernel_mib=68560 shared_mib=38176 piece_mib=53248 past_call=301 "
        "past_mib=144247 copy_mib=34001 switch=1335");
    expect_wandering(
        "line=53 kernel_call=1292 kernel_mib=71616 shared_mib=117132 piece_mib=155712 past_call=178 "
        "past_mib=103219 copy_mib=21492 switch=1303");
    expect_wandering("line=320 kernel_call=1292 kernel_mib=71616 shared_mib=475944 piece_mib=590336 "
                     "past_call=126 past_mib=138786 copy_mib=36935 switch=1788");
}

/* Where a line of one cache is timed as taking twice as long, a piece of 8 KiB, 1.2 us through it and 1.6
 * past it, must still not go past it. */
static void test_timed_too_long(void)
{
    const tti_figures kept = machine("line=56 kernel_call=1322 kernel_mib=71136 shared_mib=156192 "
                                     "piece_mib=148032 past_call=299 past_mib=144247 copy_mib=33459 "
                                     "switch=1311");
    const tti_figures cache = tti_figures_at(&kept, 130), none = tti_figures_at(&kept, 300);
    EXPECT(tti_crossing_past_least(&cache) > 8 * KIB);
    EXPECT(tti_crossing_past_least(&none) <= 2 * KIB);
}

/* What several ranks read: where writing takes as long as of near ones it never goes past the caches, with
 * far ones from some KiB on, and the sooner the longer it takes. */
static void test_filled(void)
{
    const tti_figures kept = machine("line=61 kernel_call=1402 kernel_mib=75792 shared_mib=165568 "
                                     "piece_mib=200576 past_call=286 past_mib=128546 copy_mib=25659 "
                                     "switch=1622");
    EXPECT(tti_crossing_past_filled(&kept, 30000) == TTI_CROSSING_NEVER);
    EXPECT(tti_crossing_past_filled(&kept, 150000) == TTI_CROSSING_NEVER);
    const size_t far = tti_crossing_past_filled(&kept, 250000),
                 farther = tti_crossing_past_filled(&kept, 500000);
    EXPECT(far <= 8 * KIB && farther <= 2 * KIB);
    tti_figures none = kept;
    none.value[TTI_FIGURE_PAST_MIB] = tti_figure_describe(TTI_FIGURE_PAST_MIB)->most;
    EXPECT(tti_crossing_past_filled(&none, 500000) == TTI_CROSSING_NEVER);
}

/* What who reads a line times is half of what it takes to pass, or nearly all. */
static void test_load(void)
{
    const tti_figures kept = machine("line=337 load=160 shared_mib=78188 piece_mib=134016");
    const tti_figures same = tti_figures_at(&kept, 160), near = tti_figures_at(&kept, 40);
    EXPECT(same.value[TTI_FIGURE_LINE] == 337 && same.value[TTI_FIGURE_SHARED_MIB] == 78188);
    EXPECT(near.value[TTI_FIGURE_LINE] == 84 && near.value[TTI_FIGURE_PIECE_MIB] == 33504);
    const tti_figures unknown = machine("line=74");
    EXPECT(unknown.value[TTI_FIGURE_LOAD] == 74);
}

static void test_at(void)
{
    const tti_figures typical = tti_figures_typical(), same = tti_figures_at(&typical, 200),
                      longest = tti_figures_at(&typical, 1000000);
    for (int i = 0; i < TTI_FIGURES; i++) {
        EXPECT(same.value[i] == typical.value[i]);
        EXPECT(tti_figure_fits((enum tti_figure)i, longest.value[i]));
    }
    EXPECT(longest.value[TTI_FIGURE_PIECE_MIB] > typical.value[TTI_FIGURE_PIECE_MIB]);
}

static void test_extremes(void)
{
    for (unsigned corner = 0; corner < 1u << TTI_FIGURES; corner++) {
        tti_figures figures;
        for (int i = 0; i < TTI_FIGURES; i++) {
            const tti_figure_row *row = tti_figure_describe((enum tti_figure)i);
            figures.value[i] = corner >> i & 1 ? row->most : row->least;
        }
        const tti_crossings c = tti_crossings_of(&figures);
        expect_sane(&c);
    }
}

static void test_forced(void)
{
    const tti_figures typical = tti_figures_typical();
    tti_crossings c = tti_crossings_of(&typical);
    tti_crossings_force(&c, 2 * KIB);
    EXPECT(c.fetch == 2 * KIB && c.eager_sure == 2 * KIB && c.single_part == 2 * KIB &&
           c.single[TTI_CROSSING_REDUCE] == 2 * KIB);
    c = tti_crossings_of(&typical);
    tti_crossings_force(&c, 1024 * KIB);
    EXPECT(c.fetch == 1024 * KIB && c.single[TTI_CROSSING_BCAST] == 1024 * KIB);
}

int main(void)
{
    test_xeon();
    test_quick_whatever_the_copy();
    test_xeon_again();
    test_epyc();
    test_crossings_are_found_to_the_kib();
    test_wandering();
    test_timed_too_long();
    test_filled();
    test_load();
    test_at();
    test_zen_5();
    test_slow_arm();
    test_no_kernel_copy();
    test_room_in_caches();
    test_extremes();
    test_forced();
    return 0;
}
