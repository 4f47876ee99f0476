/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of collectives on windows, as one rank makes them: their plans, with schedules of the algorithms
 * themselves, what they are given, and what they have to bring. */
#ifndef TESTS_EXPLORE_COURSE_CALLS_H
#define TESTS_EXPLORE_COURSE_CALLS_H

#include "collectives/execute/plan.h"
#include "collectives/execute/run_mark.h"
#include "tests/explore/run.h"

#define COURSE_WORDS 160 /* of a buffer at most */
/* Of windows of each kind. */
#define COURSE_BYTES 256
#define COURSE_PARTS_BYTES 304

typedef struct {
    enum tti_collective collective;
    const char *algorithm; /* NULL: no call */
    enum tti_node_window_kind kind;
    size_t count; /* elements; of alltoallv those of the longer parts */
    const char
        *reaching; /* the algorithm in its place where ranks can read in each other's buffers; or NULL */
} course_call;

/* A call as scenarios write it: which collective, by which algorithm, on windows of which kind. */
#define CALL(collective, way, kind, count)                                                                   \
    {                                                                                                        \
        TTI_##collective, way, TTI_NODE_WINDOW_##kind, count, NULL                                           \
    }
#define ALLREDUCE(kind, count) CALL(ALLREDUCE, "window", kind, count)
#define BCAST(kind, count) CALL(BCAST, "window", kind, count)
#define REDUCE(kind, count) CALL(REDUCE, "window", kind, count)
#define COUNTED(kind, count) CALL(ALLREDUCE, "counted", kind, count)
#define BARRIER(way) CALL(BARRIER, way, TINY, 0)
#define PARTS(count) CALL(ALLTOALLV, "window", PARTS, count)
#define BLOCKS(count) CALL(ALLTOALLV, "blocks", PARTS, count)

/* The shape of a node on which ranks make them, of so many communicators that have windows: on tiny ones, of
 * which two ranks have two, three eight; on two small ones and two for parts, and a large one. */
#define SEGMENT(count, sets)                                                                                 \
    {                                                                                                        \
        .ranks = count, .slots = 2, .inline_max = 8, .data_bytes = 128, .window_sets = sets,                 \
        .window_bytes = {                                                                                    \
            [TTI_NODE_WINDOW_TINY] = COURSE_BYTES,                                                           \
            [TTI_NODE_WINDOW_SMALL] = COURSE_BYTES,                                                          \
            [TTI_NODE_WINDOW_LARGE] = COURSE_BYTES,                                                          \
            [TTI_NODE_WINDOW_PARTS] = COURSE_PARTS_BYTES                                                     \
        }                                                                                                    \
    }

/* How many of the `most` there may be are there. */
int course_calls_count(const course_call *calls, int most);

/* What one rank has of a call. */
typedef struct {
    tti_plan plan;
    tti_run_data data;
    size_t counts[RUN_MOST_RANKS]; /* of parts */
    uint64_t input[COURSE_WORDS], output[COURSE_WORDS], before[COURSE_WORDS], after[COURSE_WORDS];
} course_part;

/* Call number `index` of a scenario. */
void course_part_open(course_part *part, const course_call *call, int index, tti_windows *windows);
void course_part_close(course_part *part);
/* The program writes to the buffers of a call that has failed: nobody may take that for data. Whether nobody
 * else has written there since. */
void course_part_spoil(course_part *part);
bool course_part_is_spoiled(const course_part *part);
/* Its output, before the call and, if it has been made, after it. */
void course_part_begin(course_part *part);
void course_part_expect(const course_part *part);

#endif
