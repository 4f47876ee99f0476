/* SPDX-License-Identifier: BSD-3-Clause */
/* When what goes into windows goes past the caches: the choice on given times, and the copy itself, whose own
 * times decide nothing here. */
#include "collectives/execute/filling.h"

#include <string.h>

#include "runtime/machine/crossings.h"
#include "tests/unit/expect.h"

#define KIB ((size_t)1024)
#define PIECE (16 * KIB)
/* ns for a piece: where the readers share a cache with the writer, where they share none, and where a copy
 * was interrupted. */
#define NEAR 600
#define FAR 4500
#define INTERRUPTED 4000000

static tti_figures machine(void)
{
    char why[160];
    tti_figures figures = tti_figures_unknown();
    EXPECT(tti_figures_parse("line=61 kernel_call=1402 kernel_mib=75792 shared_mib=165568 piece_mib=200576 "
                             "past_call=286 past_mib=128546 copy_mib=25659 switch=1622",
                             &figures, why, sizeof why));
    return figures;
}

static void note(tti_filling *filling, int times, int64_t ns)
{
    const tti_figures figures = machine();
    for (int i = 0; i < times; i++)
        tti_filling_note(filling, &figures, PIECE, ns);
}

static tti_filling opened(void)
{
    const tti_figures figures = machine();
    tti_filling filling;
    tti_filling_open(&filling, &figures);
    return filling;
}

static void test_the_way_follows_the_times(void)
{
    tti_filling filling = opened();
    EXPECT(filling.past_least == TTI_CROSSING_NEVER);
    note(&filling, 20, NEAR);
    EXPECT(filling.past_least == TTI_CROSSING_NEVER);
    note(&filling, 12, FAR);
    EXPECT(filling.past_least >= TTI_FILLING_LEAST && filling.past_least < PIECE);
    note(&filling, 8, NEAR);
    EXPECT(filling.past_least == TTI_CROSSING_NEVER);
}

/* Who lost the processor in the midst of a copy learns nothing of caches. */
static void test_an_interruption_decides_nothing(void)
{
    tti_filling filling = opened();
    note(&filling, 20, NEAR);
    note(&filling, 1, INTERRUPTED);
    EXPECT(filling.past_least == TTI_CROSSING_NEVER);
}

/* As short as the clock can tell: nothing is divided by, and the mean finds back. */
static void test_no_time_at_all(void)
{
    tti_filling filling = opened();
    note(&filling, 200, 0);
    EXPECT(filling.mib_ns >= 1);
    note(&filling, 40, FAR);
    EXPECT(filling.past_least < PIECE);
}

/* The longer way is tried now and then, else it would never be seen to have become the shorter. */
static void test_both_ways_are_tried(void)
{
    const tti_figures figures = machine();
    static unsigned char from[PIECE + 64], window[PIECE + 64];
    tti_filling filling = opened();
    int through = 0;
    for (int i = 0; i < 1000; i++) {
        filling.past_least = TTI_FILLING_LEAST;
        if (!tti_filling_copy(&filling, &figures, window, from, PIECE)) through++;
    }
    EXPECT(through > 10 && through < 100);
}

/* From any place to any place, whichever way; and nothing beside it. */
static void test_what_is_copied(void)
{
    const tti_figures figures = machine();
    static unsigned char from[PIECE + 128], window[PIECE + 128];
    tti_filling filling = opened();
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 7 + 1);
    for (size_t at = 0; at < 64; at += 3) {
        filling.past_least = at % 2 == 0 ? TTI_FILLING_LEAST : TTI_CROSSING_NEVER;
        memset(window, 0, sizeof window);
        tti_filling_copy(&filling, &figures, window + at, from + 64 - at, PIECE - at);
        EXPECT(memcmp(window + at, from + 64 - at, PIECE - at) == 0);
        EXPECT(window[PIECE] == 0 && (at == 0 || window[at - 1] == 0));
    }
}

int main(void)
{
    test_the_way_follows_the_times();
    test_an_interruption_decides_nothing();
    test_no_time_at_all();
    test_both_ways_are_tried();
    test_what_is_copied();
    return 0;
}
