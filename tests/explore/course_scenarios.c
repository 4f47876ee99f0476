/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that are made straight: on tiny windows, of which two ranks have two, three eight; on two
 * small ones and two for parts, and a large one. */
#include "tests/explore/course_runs.h"

#define SEGMENT(ranks)                                                                                       \
    {                                                                                                        \
        ranks, 2, 8, 128, 0, 1,                                                                              \
        {                                                                                                    \
            COURSE_BYTES, COURSE_BYTES, 0, COURSE_BYTES, COURSE_PARTS_BYTES                                  \
        }                                                                                                    \
    }
#define CALL(collective, way, kind, count)                                                                   \
    {                                                                                                        \
        TTI_##collective, way, TTI_NODE_WINDOW_##kind, count, NULL                                           \
    }
#define ALLREDUCE(kind, count) CALL(ALLREDUCE, "window", kind, count)
#define ALLGATHER(kind, count) CALL(ALLGATHER, "window", kind, count)
#define BCAST(kind, count) CALL(BCAST, "window", kind, count)
#define REDUCE(kind, count) CALL(REDUCE, "window", kind, count)
#define LED(kind, count) CALL(ALLREDUCE, "window_lead", kind, count)
#define COUNTED(kind, count) CALL(ALLREDUCE, "counted", kind, count)
#define BARRIER(way) CALL(BARRIER, way, TINY, 0)
#define PARTS(count) CALL(ALLTOALLV, "window", PARTS, count)
#define BLOCKS(count) CALL(ALLTOALLV, "blocks", PARTS, count)

/* Elements of 8 bytes: up to 6 lie beside the word of a post, 40 pass a window of 256 in three blocks; of
 * parts up to 5 beside it, 30 in blocks. */
static const course_plan
    asleep = {SEGMENT(2),
              OUTSIDE_SLEEPS,
              0,
              0,
              {ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), BCAST(LARGE, 12), ALLGATHER(LARGE, 1)}},
    looked = {SEGMENT(2),
              OUTSIDE_LOOKS,
              0,
              0,
              {BCAST(SMALL, 2), BCAST(SMALL, 12), BCAST(SMALL, 2), ALLREDUCE(SMALL, 1), BCAST(SMALL, 1)}},
    looked_first = {SEGMENT(2),
                    OUTSIDE_LOOKS_THEN_SLEEPS,
                    0,
                    0,
                    {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)}},
    tiny = {SEGMENT(2),
            OUTSIDE_SLEEPS,
            0,
            0,
            {BCAST(TINY, 1), BARRIER("window"), BCAST(TINY, 2), ALLREDUCE(TINY, 1), BCAST(TINY, 1)}},
    part = {SEGMENT(2), OUTSIDE_SLEEPS, 0, 0, {PARTS(5), PARTS(1), PARTS(8), PARTS(3)}},
    blocks = {SEGMENT(2),
              OUTSIDE_SLEEPS,
              0,
              0,
              {BLOCKS(30), BLOCKS(4), BCAST(LARGE, 40), ALLREDUCE(LARGE, 40)}},
    led = {SEGMENT(2),
           OUTSIDE_SLEEPS,
           0,
           0,
           {LED(SMALL, 1), REDUCE(SMALL, 1), LED(SMALL, 20), LED(SMALL, 1)}},
    counted = {SEGMENT(2),
               OUTSIDE_SLEEPS,
               0,
               0,
               {COUNTED(TINY, 1), BARRIER("counted"), COUNTED(TINY, 20), COUNTED(TINY, 1)}},
    started = {SEGMENT(2),
               OUTSIDE_SLEEPS,
               1,
               0,
               {ALLREDUCE(LARGE, 1), BCAST(LARGE, 2), PARTS(2), BCAST(LARGE, 1)}},
    order = {SEGMENT(2),
             OUTSIDE_SLEEPS,
             3,
             0,
             {BCAST(TINY, 1), REDUCE(TINY, 1), ALLREDUCE(TINY, 1), BCAST(TINY, 1), COUNTED(TINY, 1)}},
    ordered = {SEGMENT(2),
               OUTSIDE_SLEEPS,
               0,
               2,
               {ALLREDUCE(SMALL, 1), BCAST(SMALL, 1), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)}},
    one_orders = {SEGMENT(2),
                  OUTSIDE_SLEEPS,
                  2,
                  1,
                  {ALLREDUCE(TINY, 1), BCAST(TINY, 1), BCAST(TINY, 1), ALLREDUCE(TINY, 1)}},
    three = {SEGMENT(3),
             OUTSIDE_SLEEPS,
             0,
             0,
             {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), BCAST(SMALL, 1), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)}},
    part_three = {SEGMENT(3), OUTSIDE_SLEEPS, 0, 0, {PARTS(5), PARTS(2), BLOCKS(16), PARTS(1)}},
    counted_three = {SEGMENT(3),
                     OUTSIDE_SLEEPS,
                     0,
                     0,
                     {COUNTED(SMALL, 1), COUNTED(SMALL, 20), BARRIER("counted"), COUNTED(SMALL, 1)}},
    order_three = {SEGMENT(3),
                   OUTSIDE_SLEEPS,
                   2,
                   0,
                   {BCAST(SMALL, 1), LED(SMALL, 1), BCAST(SMALL, 1), ALLGATHER(SMALL, 1)}},
    mortal = {SEGMENT(2),
              OUTSIDE_SLEEPS,
              0,
              0,
              {ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), PARTS(2), ALLREDUCE(LARGE, 1)}},
    mortal_started = {SEGMENT(2),
                      OUTSIDE_SLEEPS,
                      2,
                      2,
                      {COUNTED(SMALL, 1), BCAST(SMALL, 1), REDUCE(SMALL, 1), ALLREDUCE(SMALL, 1)}},
    mortal_three = {SEGMENT(3), OUTSIDE_SLEEPS, 0, 0, {LED(LARGE, 1), PARTS(1), ALLREDUCE(LARGE, 1)}};

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
