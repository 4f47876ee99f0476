/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that are made straight. */
#include "tests/explore/course_runs.h"

#define ALLGATHER(kind, count) CALL(ALLGATHER, "window", kind, count)
#define LED(kind, count) CALL(ALLREDUCE, "window_lead", kind, count)

/* Who waits sleeps, and calls are blocking ones, unless a plan says otherwise. */
#define RANKS(ranks, ...) .shape = SEGMENT(ranks, 1), .calls = {__VA_ARGS__}

/* Elements of 8 bytes: up to 6 lie beside the word of a post, 40 pass a window of 256 in three blocks; of
 * parts up to 5 beside it, 30 in blocks. */
static const course_plan
    asleep = {RANKS(2, ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), BCAST(LARGE, 12), ALLGATHER(LARGE, 1))},
    looked = {RANKS(2, BCAST(SMALL, 2), BCAST(SMALL, 12), BCAST(SMALL, 2), ALLREDUCE(SMALL, 1),
                    BCAST(SMALL, 1)),
              .wait = OUTSIDE_LOOKS},
    looked_first = {RANKS(2, ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)),
                    .wait = OUTSIDE_LOOKS_THEN_SLEEPS},
    tiny = {RANKS(2, BCAST(TINY, 1), BARRIER("window"), BCAST(TINY, 2), ALLREDUCE(TINY, 1), BCAST(TINY, 1))},
    part = {RANKS(2, PARTS(5), PARTS(1), PARTS(8), PARTS(3))},
    blocks = {RANKS(2, BLOCKS(30), BLOCKS(4), BCAST(LARGE, 40), ALLREDUCE(LARGE, 40))},
    led = {RANKS(2, LED(SMALL, 1), REDUCE(SMALL, 1), LED(SMALL, 20), LED(SMALL, 1))},
    counted = {RANKS(2, COUNTED(TINY, 1), BARRIER("counted"), COUNTED(TINY, 20), COUNTED(TINY, 1))},
    started = {RANKS(2, ALLREDUCE(LARGE, 1), BCAST(LARGE, 2), PARTS(2), BCAST(LARGE, 1)), .under_way = 1},
    order = {RANKS(2, BCAST(TINY, 1), REDUCE(TINY, 1), ALLREDUCE(TINY, 1), BCAST(TINY, 1), COUNTED(TINY, 1)),
             .under_way = 3},
    ordered = {RANKS(2, ALLREDUCE(SMALL, 1), BCAST(SMALL, 1), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)),
               .order = 2},
    one_orders = {RANKS(2, ALLREDUCE(TINY, 1), BCAST(TINY, 1), BCAST(TINY, 1), ALLREDUCE(TINY, 1)),
                  .under_way = 2, .order = 1},
    three = {RANKS(3, ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), BCAST(SMALL, 1), REDUCE(SMALL, 1),
                   ALLREDUCE(SMALL, 1))},
    part_three = {RANKS(3, PARTS(5), PARTS(2), BLOCKS(16), PARTS(1))},
    counted_three = {RANKS(3, COUNTED(SMALL, 1), COUNTED(SMALL, 20), BARRIER("counted"), COUNTED(SMALL, 1))},
    order_three = {RANKS(3, BCAST(SMALL, 1), LED(SMALL, 1), BCAST(SMALL, 1), ALLGATHER(SMALL, 1)),
                   .under_way = 2},
    mortal = {RANKS(2, ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), PARTS(2), ALLREDUCE(LARGE, 1))},
    mortal_started = {RANKS(2, COUNTED(SMALL, 1), BCAST(SMALL, 1), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)),
                      .under_way = 2, .order = 2},
    mortal_three = {RANKS(3, LED(LARGE, 1), PARTS(1), ALLREDUCE(LARGE, 1))};

#define RUNS(coroutines, dying, deviations, plan)                                                            \
    coroutines, dying, deviations, course_body, course_open, course_reset, course_close, &plan
static const scenario all[] = {
    {"course", "collectives made straight, who waits sleeps", RUNS(2, 0, 3, asleep)},
    {"course-looked", "the same, who waits looks", RUNS(2, 0, 3, looked)},
    {"course-looked-first", "the same, who waits looks before it sleeps", RUNS(2, 0, 3, looked_first)},
    {"course-tiny", "on tiny windows", RUNS(2, 0, 3, tiny)},
    {"course-parts", "parts and their sizes", RUNS(2, 0, 3, part)},
    {"course-blocks", "halves of a window take turns within a call", RUNS(2, 0, 2, blocks)},
    {"course-led", "posts to one rank", RUNS(2, 0, 2, led)},
    {"course-counted", "who comes is counted, the last plays one more rank", RUNS(2, 0, 3, counted)},
    {"course-started", "nonblocking calls, left to the engine where they wait", RUNS(2, 0, 3, started)},
    {"course-order", "three under way", RUNS(2, 0, 2, order)},
    {"course-ordered", "who sleeps puts all in order", RUNS(2, 0, 3, ordered)},
    {"course-one-orders", "the same, but only one of two, two under way", RUNS(2, 0, 2, one_orders)},
    {"course-3", "three ranks", RUNS(3, 0, 2, three)},
    {"course-parts-3", "parts and their sizes, three ranks", RUNS(3, 0, 2, part_three)},
    {"course-counted-3", "three ranks that are counted", RUNS(3, 0, 2, counted_three)},
    {"course-order-3", "three ranks, two under way", RUNS(3, 0, 2, order_three)},
    {"course-death", "one of two dies", RUNS(3, 2, 2, mortal)},
    {"course-death-started", "the same, two under way", RUNS(3, 2, 2, mortal_started)},
    {"course-death-3", "one of three dies", RUNS(4, 3, 2, mortal_three)},
};
const scenario *const scenarios_course = all;
const int scenarios_course_count = (int)(sizeof all / sizeof *all);
