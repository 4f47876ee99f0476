/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on windows that are explored. */
#include "tests/explore/windows_payload.h"
#include "tests/explore/windows_runs.h"

#define TINY TTI_NODE_WINDOW_TINY
#define SMALL TTI_NODE_WINDOW_SMALL
#define LARGE TTI_NODE_WINDOW_LARGE
#define FRONT TTI_NODE_WINDOW_FRONT
#define PARTS TTI_NODE_WINDOW_PARTS

#define SEGMENT(ranks)                                                                                       \
    {                                                                                                        \
        ranks, 2, 8, 128, 0, 1,                                                                              \
        {                                                                                                    \
            WINDOWS_BYTES, WINDOWS_BYTES, WINDOWS_BYTES, WINDOWS_BYTES, WINDOWS_PARTS_BYTES                  \
        }                                                                                                    \
    }
#define ALL(kind)                                                                                            \
    {                                                                                                        \
        SHARED, 0, kind                                                                                      \
    }
#define COUNT(kind)                                                                                          \
    {                                                                                                        \
        COUNTED, 0, kind                                                                                     \
    }
#define FROM(root, kind)                                                                                     \
    {                                                                                                        \
        SPREAD, root, kind                                                                                   \
    }
static const windows_plan
    shared = {SEGMENT(2), SLEEPS, 1, 0, {ALL(SMALL), ALL(SMALL), ALL(SMALL), ALL(SMALL)}},
    looked = {SEGMENT(2), LOOKS, 1, 0, {FROM(0, SMALL), {HALVES, 0, SMALL}, FROM(0, SMALL), FROM(0, SMALL)}},
    freed = {SEGMENT(2), SLEEPS_FOR_WINDOWS, 1, 0, {FROM(1, LARGE), FROM(1, LARGE), FROM(1, LARGE)}},
    ordered = {SEGMENT(2),
               SLEEPS,
               3,
               0,
               {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL), {HALVES, 0, SMALL}, FROM(1, SMALL)}},
    kinds = {SEGMENT(2), SLEEPS, 2, 0, {ALL(LARGE), FROM(1, LARGE), FROM(0, SMALL), FROM(1, LARGE)}},
    fronts = {SEGMENT(2),
              SLEEPS,
              2,
              0,
              {{BEHIND, 0, FRONT}, {BEHIND, 0, FRONT}, FROM(0, FRONT), FROM(0, FRONT)}},
    fronts_freed = {SEGMENT(2),
                    SLEEPS_FOR_WINDOWS,
                    1,
                    0,
                    {FROM(1, FRONT), FROM(1, FRONT), {BEHIND, 1, FRONT}, FROM(1, FRONT)}},
    three = {SEGMENT(3), SLEEPS, 1, 0, {ALL(SMALL), FROM(1, SMALL), FROM(2, SMALL), ALL(SMALL)}},
    freed_three = {SEGMENT(3), SLEEPS_FOR_WINDOWS, 1, 0, {FROM(1, LARGE), FROM(1, LARGE)}},
    passed = {SEGMENT(3),
              SLEEPS,
              2,
              0,
              {{PASSED, 0, SMALL}, {PASSED, 1, SMALL}, {PASSED, 0, SMALL}, {PASSED, 0, SMALL}}},
    counted = {SEGMENT(2), SLEEPS, 1, 0, {COUNT(SMALL), COUNT(SMALL), COUNT(SMALL), COUNT(SMALL)}},
    counted_looked = {SEGMENT(2), LOOKS, 1, 0, {COUNT(SMALL), COUNT(SMALL), COUNT(SMALL)}},
    counted_order = {SEGMENT(2), SLEEPS, 2, 0, {COUNT(SMALL), FROM(1, SMALL), COUNT(SMALL), COUNT(SMALL)}},
    counted_three = {SEGMENT(3), SLEEPS, 1, 0, {COUNT(SMALL), COUNT(SMALL), COUNT(SMALL)}},
    mortal_counted = {SEGMENT(2), SLEEPS, 2, 0, {COUNT(SMALL), COUNT(SMALL), COUNT(SMALL)}},
    beside = {SEGMENT(3), SLEEPS, 1, 0, {{BESIDE, 0, LARGE}, {BESIDE, 0, LARGE}, {BESIDE, 0, LARGE}}},
    mortal = {SEGMENT(2), SLEEPS, 2, 0, {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL), FROM(0, SMALL)}},
    mortal_three = {SEGMENT(3), SLEEPS, 2, 0, {FROM(0, LARGE), {PASSED, 0, SMALL}, FROM(0, LARGE)}},
    asleep_ordered = {SEGMENT(2), SLEEPS, 1, 2, {ALL(SMALL), FROM(0, SMALL), ALL(SMALL), FROM(1, SMALL)}},
    one_orders = {SEGMENT(2), SLEEPS, 1, 1, {ALL(SMALL), FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL)}},
    three_ordered = {SEGMENT(3), SLEEPS, 1, 3, {ALL(SMALL), FROM(1, SMALL), ALL(SMALL)}},
    two_of_three_order = {SEGMENT(3), SLEEPS, 1, 2, {FROM(0, SMALL), {PASSED, 0, SMALL}, ALL(SMALL)}},
    mortal_ordered = {SEGMENT(2), SLEEPS, 2, 2, {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL)}};

/* Two ranks take turns on two tiny windows. Of three each has eight, and tells of every second operation that
 * it has finished. */
static const windows_plan
    tiny = {SEGMENT(2),
            SLEEPS,
            2,
            0,
            {ALL(TINY), FROM(0, TINY), {HALVES, 1, TINY}, ALL(TINY), FROM(1, TINY)}},
    tiny_looked = {SEGMENT(2), LOOKS, 1, 0, {FROM(0, TINY), FROM(0, TINY), {HALVES, 0, TINY}, FROM(0, TINY)}},
    tiny_counted = {SEGMENT(2), SLEEPS, 1, 0, {COUNT(TINY), COUNT(TINY), ALL(TINY), COUNT(TINY)}},
    tiny_three = {SEGMENT(3),
                  SLEEPS_FOR_WINDOWS,
                  1,
                  0,
                  {FROM(0, TINY), FROM(0, TINY), FROM(0, TINY), FROM(0, TINY), FROM(0, TINY), FROM(0, TINY),
                   FROM(0, TINY), FROM(0, TINY), FROM(0, TINY), FROM(0, TINY)}},
    tiny_passed = {SEGMENT(3),
                   SLEEPS,
                   2,
                   0,
                   {ALL(TINY),
                    FROM(1, TINY),
                    {PASSED, 0, TINY},
                    {PASSED, 2, TINY},
                    FROM(0, TINY),
                    {PASSED, 0, TINY},
                    FROM(0, TINY),
                    FROM(0, TINY),
                    FROM(0, TINY),
                    {PASSED, 0, TINY}}},
    tiny_mortal = {SEGMENT(2), SLEEPS, 2, 0, {FROM(0, TINY), ALL(TINY), FROM(1, TINY), FROM(0, TINY)}},
    parts = {SEGMENT(2), SLEEPS, 2, 0, {ALL(PARTS), FROM(0, PARTS), ALL(PARTS), FROM(1, PARTS)}},
    parts_looked = {SEGMENT(2), LOOKS, 1, 0, {FROM(0, PARTS), ALL(PARTS), FROM(0, PARTS), FROM(0, PARTS)}},
    parts_freed = {SEGMENT(2),
                   SLEEPS_FOR_WINDOWS,
                   1,
                   0,
                   {FROM(1, PARTS), FROM(1, PARTS), FROM(1, PARTS), FROM(1, PARTS)}},
    parts_three = {SEGMENT(3), SLEEPS, 1, 0, {ALL(PARTS), FROM(1, PARTS), ALL(PARTS), FROM(1, PARTS)}},
    parts_beside = {SEGMENT(3),
                    SLEEPS,
                    2,
                    0,
                    {{BESIDE, 0, PARTS}, {BESIDE, 0, PARTS}, {PASSED, 1, PARTS}, {BESIDE, 0, PARTS}}},
    parts_mortal = {SEGMENT(2), SLEEPS, 2, 0, {ALL(PARTS), FROM(1, PARTS), ALL(PARTS), FROM(0, PARTS)}};

#define RUNS(coroutines, dying, deviations, plan)                                                            \
    coroutines, dying, deviations, windows_body, windows_open, windows_reset, windows_close, &plan
static const scenario all[] = {
    {"windows", "operations that all take part in alike", RUNS(2, 0, 2, shared)},
    {"windows-looked", "one posts, the other looks", RUNS(2, 0, 2, looked)},
    {"windows-freed", "who finds no window free sleeps, who awaits a post looks", RUNS(2, 0, 3, freed)},
    {"windows-freed-3", "the same, three ranks", RUNS(3, 0, 2, freed_three)},
    {"windows-order", "three under way, which finish in any order", RUNS(2, 0, 2, ordered)},
    {"windows-kinds", "on one large window and small ones", RUNS(2, 0, 2, kinds)},
    {"windows-fronts", "on windows with fronts, some write behind them", RUNS(2, 0, 2, fronts)},
    {"windows-fronts-freed", "who finds no front free sleeps", RUNS(2, 0, 3, fronts_freed)},
    {"windows-3", "three ranks", RUNS(3, 0, 1, three)},
    {"windows-passed-3", "posts to one rank each", RUNS(3, 0, 1, passed)},
    {"windows-counted", "who comes is counted, the last posts for all", RUNS(2, 0, 2, counted)},
    {"windows-counted-looked", "the same, all look", RUNS(2, 0, 2, counted_looked)},
    {"windows-counted-order", "two under way", RUNS(2, 0, 1, counted_order)},
    {"windows-counted-3", "three ranks", RUNS(3, 0, 1, counted_three)},
    {"windows-counted-death", "one of two dies", RUNS(3, 2, 1, mortal_counted)},
    {"windows-beside-3", "each reads of the next alone", RUNS(3, 0, 1, beside)},
    {"windows-death", "one of two dies", RUNS(3, 2, 2, mortal)},
    {"windows-death-3", "one of three dies", RUNS(4, 3, 1, mortal_three)},
    {"windows-asleep-ordered", "who sleeps for a post puts all in order", RUNS(2, 0, 2, asleep_ordered)},
    {"windows-one-orders", "the same, but only one of two does so", RUNS(2, 0, 2, one_orders)},
    {"windows-ordered-3", "three ranks, all put all in order", RUNS(3, 0, 1, three_ordered)},
    {"windows-two-order-3", "three ranks, of which two do", RUNS(3, 0, 1, two_of_three_order)},
    {"windows-death-ordered", "one of two that put all in order dies", RUNS(3, 2, 2, mortal_ordered)},
    {"windows-tiny", "what is passed lies beside the word of its post", RUNS(2, 0, 3, tiny)},
    {"windows-tiny-looked", "the same, one posts, the other looks", RUNS(2, 0, 3, tiny_looked)},
    {"windows-tiny-counted", "the same, who comes is counted", RUNS(2, 0, 3, tiny_counted)},
    {"windows-tiny-3", "three ranks, one ahead, which are seldom told", RUNS(3, 0, 2, tiny_three)},
    {"windows-tiny-passed-3", "three ranks, posts to all and to one", RUNS(3, 0, 2, tiny_passed)},
    {"windows-tiny-death", "one of two dies", RUNS(3, 2, 2, tiny_mortal)},
    {"windows-parts", "a part for each reader, and its size", RUNS(2, 0, 3, parts)},
    {"windows-parts-looked", "the same, all look", RUNS(2, 0, 3, parts_looked)},
    {"windows-parts-freed", "who finds no window for parts free sleeps", RUNS(2, 0, 3, parts_freed)},
    {"windows-parts-3", "three ranks, the next one's part comes first", RUNS(3, 0, 2, parts_three)},
    {"windows-parts-beside-3", "the same, each reads of one other alone", RUNS(3, 0, 2, parts_beside)},
    {"windows-parts-death", "one of two dies", RUNS(3, 2, 2, parts_mortal)},
};
const scenario *const scenarios_windows = all;
const int scenarios_windows_count = (int)(sizeof all / sizeof *all);
