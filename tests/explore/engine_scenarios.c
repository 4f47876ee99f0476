/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs of collectives that the engine makes. */
#include "tests/explore/engine_runs.h"
#include "tutti/error.h"

/* Ranks read in each other's buffers: all, or where all find that they can. */
#define SHOWN_AS(collective, way, count) CALL(collective, way, LARGE, count)
#define SHOWN(collective, count) SHOWN_AS(collective, "shown", count)
#define PUT(count) CALL(BCAST, "shown_both", LARGE, count)
#define CHOSEN(collective, count)                                                                            \
    {                                                                                                        \
        TTI_##collective, "window", TTI_NODE_WINDOW_LARGE, count, "shown"                                    \
    }

/* Who waits sleeps, unless a plan says otherwise. */
#define RANKS(ranks, ...) .shape = SEGMENT(ranks, ENGINE_MOST_COMMS), .programs = {__VA_ARGS__}

static const engine_plan
    one = {RANKS(2, "e0 w0 e1 w1 e2 w2"),
           .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 12), BARRIER("window")}},
    looked = {RANKS(2, "e0 w0 e1 e2 w2 w1"), .wait = OUTSIDE_LOOKS,
              .calls = {BCAST(LARGE, 12), ALLREDUCE(LARGE, 1), BCAST(LARGE, 40)}},
    reversed = {RANKS(2, "s0 s1 w1 w0"), .calls = {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2)}},
    again = {RANKS(2, "e0 e1 e2 w2 w1 w0 e3 w3"),
             .calls = {BCAST(LARGE, 1), ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), BCAST(LARGE, 2)}},
    mixed = {RANKS(2, "s0 b1 w0 s2 b3 w2"),
             .calls = {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), BCAST(SMALL, 1), ALLREDUCE(SMALL, 1)}},
    forms = {RANKS(2, "p0 w0 p0 s1 w0 w1 p0 w0", "b0 p0 s1 w1 w0 b0"),
             .calls = {ALLREDUCE(TINY, 1), BCAST(TINY, 1)}},
    tested = {RANKS(2, "e0 t0 s1 t1 t0 w1 w0", "s0 b1 w0"), .calls = {REDUCE(LARGE, 1), ALLREDUCE(LARGE, 1)}},
    parts = {RANKS(2, "e0 s1 w1 w0 e2 w2"), .calls = {PARTS(5), PARTS(8), BLOCKS(30)}},
    counted = {RANKS(2, "e0 s1 w1 e2 w0 w2"),
               .calls = {COUNTED(TINY, 1), BARRIER("counted"), COUNTED(TINY, 20)}},
    patience = {RANKS(2, "b0 b1 b2"), .impatient = true,
                .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 40), ALLREDUCE(LARGE, 1)}},
    ordered = {RANKS(2, "s0 s1 w1 b2 w0"), .order = 2,
               .calls = {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), REDUCE(SMALL, 1)}},
    one_orders = {RANKS(2, "s0 e1 w1 w0"), .order = 1, .calls = {ALLREDUCE(LARGE, 1), ALLREDUCE(LARGE, 1)}},
    three = {RANKS(3, "e0 s1 w1 w0"), .calls = {ALLREDUCE(LARGE, 1), BCAST(SMALL, 2)}},
    mixed_three = {RANKS(3, "s0 b1 w0", "b0 b1", "e0 s1 w1 w0"),
                   .calls = {ALLREDUCE(SMALL, 1), REDUCE(SMALL, 1)}},
    given_up = {RANKS(2, "s0 f0 e1 f1", "s0 f0 b1"), .serves = true,
                .calls = {ALLREDUCE(SMALL, 1), ALLREDUCE(LARGE, 1)}},
    dropped = {RANKS(3, "s0 b1 w0", "s0 d1 w0", "e0 s1 w1 w0"), .error = TUTTI_ERR_NO_MEMORY, .serves = true,
               .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 1)}},
    two = {RANKS(2, "s0 e1 w1 b2 w0"), .seconds = 2,
           .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 2), ALLREDUCE(LARGE, 1)}},
    two_dropped = {RANKS(2, "s0 s2 w2 w0", "s0 d1 s2 w0 w2"), .seconds = 1, .error = TUTTI_ERR_NO_MEMORY,
                   .serves = true, .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 1), ALLREDUCE(LARGE, 1)}},
    mortal = {RANKS(2, "s0 s1 w1 w0 b2"),
              .calls = {ALLREDUCE(SMALL, 1), BCAST(SMALL, 2), ALLREDUCE(SMALL, 1)}},
    mortal_again = {RANKS(2, "e0 e1 w1 w0", "p0 b1 w0"), .calls = {BCAST(LARGE, 2), COUNTED(LARGE, 1)}},
    mortal_three = {RANKS(3, "s0 w0 b1"), .calls = {ALLREDUCE(LARGE, 1), BCAST(LARGE, 1)}},
    shown = {RANKS(2, "e0 s1 w1 w0"), .calls = {SHOWN(ALLREDUCE, 1), PUT(4)}},
    shown_mapped = {RANKS(2, "s0 w0 b1"), .maps = true, .calls = {PUT(4), SHOWN(ALLREDUCE, 1)}},
    shown_refused = {RANKS(2, "e0 w0 b1"), .refuses = true, .serves = true,
                     .calls = {SHOWN(ALLREDUCE, 1), PUT(4)}},
    shown_three = {RANKS(3, "e0 w0 b1"), .calls = {SHOWN(ALLREDUCE, 1), CHOSEN(BCAST, 2)}},
    put_three = {RANKS(3, "e0 s1 w1 w0"), .calls = {SHOWN_AS(GATHER, "put", 1), SHOWN_AS(GATHER, "put", 2)}},
    put_mortal = {RANKS(3, "s0 w0"), .refuses = true, .serves = true, .calls = {SHOWN_AS(GATHER, "put", 2)}},
    put_dropped = {RANKS(3, "s0 w0 b1", "e0 d1 w0", "s0 w0 b1"), .error = TUTTI_ERR_NO_MEMORY, .serves = true,
                   .calls = {SHOWN_AS(GATHER, "put", 2), SHOWN(ALLREDUCE, 1)}},
    chosen = {RANKS(2, "e0 s1 w1 w0"), .calls = {CHOSEN(ALLREDUCE, 1), CHOSEN(BCAST, 2)}},
    shown_mortal = {RANKS(2, "s0 w0"), .refuses = true, .serves = true, .calls = {PUT(4)}},
    chosen_mortal = {RANKS(2, "e0 w0 b1"), .calls = {CHOSEN(ALLREDUCE, 1), CHOSEN(BCAST, 1)}},
    shown_mortal_three = {RANKS(3, "s0 w0 b1"), .calls = {SHOWN(BCAST, 1), CHOSEN(ALLREDUCE, 1)}},
    shown_dropped = {RANKS(2, "s0 w0 b1", "e0 d1 w0"), .error = TUTTI_ERR_NO_MEMORY, .refuses = true,
                     .serves = true, .calls = {PUT(4), SHOWN(ALLREDUCE, 1)}},
    writer_blocks = {RANKS(2, "b0", "e0 d1 w0"), .error = TUTTI_ERR_NO_MEMORY, .serves = true,
                     .calls = {PUT(4), SHOWN(ALLREDUCE, 1)}},
    written_blocks = {RANKS(2, "e0 d1 w0", "b0"), .error = TUTTI_ERR_NO_MEMORY, .serves = true,
                      .calls = {PUT(4), SHOWN(ALLREDUCE, 1)}},
    shown_different = {RANKS(2, "s0 w0", "e1 w1"), .error = TUTTI_ERR_ARG, .refuses = true, .serves = true,
                       .calls = {PUT(4), SHOWN(ALLREDUCE, 1)}},
    different = {RANKS(2, "s0 w0 b2", "e1 w1 b2"), .error = TUTTI_ERR_ARG,
                 .calls = {ALLREDUCE(SMALL, 1), REDUCE(SMALL, 1), BARRIER("window")}};

#define RUNS(coroutines, dying, deviations, plan)                                                            \
    coroutines, dying, deviations, engine_body, engine_open, engine_reset, engine_close, &plan
static const scenario all[] = {
    {"engine", "one collective at a time, by the engine alone", RUNS(2, 0, 2, one)},
    {"engine-looked", "who waits looks, two under way", RUNS(2, 0, 2, looked)},
    {"engine-reversed", "two under way, waited for in reverse order", RUNS(2, 0, 3, reversed)},
    {"engine-again", "more under way than windows", RUNS(2, 0, 2, again)},
    {"engine-mixed", "one under way while blocking calls are made", RUNS(2, 0, 2, mixed)},
    {"engine-forms", "nonblocking, persistent and blocking calls meet", RUNS(2, 0, 2, forms)},
    {"engine-tested", "progress by tests and by calls of others", RUNS(2, 0, 2, tested)},
    {"engine-parts", "parts and their sizes, in blocks, too", RUNS(2, 0, 2, parts)},
    {"engine-counted", "who comes is counted, two under way", RUNS(2, 0, 2, counted)},
    {"engine-patience", "the engine takes over blocking calls at any time", RUNS(2, 0, 2, patience)},
    {"engine-ordered", "who sleeps puts all in order", RUNS(2, 0, 2, ordered)},
    {"engine-one-orders", "the same, but only one of two", RUNS(2, 0, 3, one_orders)},
    {"engine-3", "three ranks", RUNS(3, 0, 2, three)},
    {"engine-mixed-3", "three ranks, in different forms", RUNS(3, 0, 2, mixed_three)},
    {"engine-given-up", "requests are given up and go on", RUNS(2, 0, 3, given_up)},
    {"engine-dropped-3", "one of three cannot take part", RUNS(3, 0, 2, dropped)},
    {"engine-two", "on two communicators", RUNS(2, 0, 2, two)},
    {"engine-two-dropped", "on one of two one can take part no more", RUNS(2, 0, 3, two_dropped)},
    {"engine-death", "one of two dies, two under way", RUNS(3, 2, 2, mortal)},
    {"engine-death-again", "the same, on one window, in different forms", RUNS(3, 2, 2, mortal_again)},
    {"engine-death-3", "one of three dies", RUNS(4, 3, 1, mortal_three)},
    {"engine-shown", "ranks read in each other's buffers", RUNS(2, 0, 2, shown)},
    {"engine-shown-mapped", "the same, mapped", RUNS(2, 0, 2, shown_mapped)},
    {"engine-shown-refused", "the same, the kernel may refuse", RUNS(2, 0, 2, shown_refused)},
    {"engine-shown-3", "three ranks", RUNS(3, 0, 1, shown_three)},
    {"engine-chosen", "ranks choose whether they read there", RUNS(2, 0, 2, chosen)},
    {"engine-shown-death", "one of two that write there dies", RUNS(3, 2, 2, shown_mortal)},
    {"engine-chosen-death", "one of two that choose dies", RUNS(3, 2, 2, chosen_mortal)},
    {"engine-shown-death-3", "one of three that read there dies", RUNS(4, 3, 1, shown_mortal_three)},
    {"engine-put-3", "two of three ranks write into the root's buffer", RUNS(3, 0, 1, put_three)},
    {"engine-put-death-3", "one of them dies", RUNS(4, 3, 2, put_mortal)},
    {"engine-put-dropped-3", "one of them can take part no more", RUNS(3, 0, 2, put_dropped)},
    {"engine-shown-dropped", "who is written to can take part no more", RUNS(2, 0, 2, shown_dropped)},
    {"engine-shown-dropped-to", "the same, who writes is in a blocking call", RUNS(2, 0, 2, writer_blocks)},
    {"engine-shown-dropped-by", "who writes can take part no more", RUNS(2, 0, 2, written_blocks)},
    {"engine-shown-different", "who writes there makes another call", RUNS(2, 0, 3, shown_different)},
    {"engine-different", "ranks make different calls, and are told", RUNS(2, 0, 3, different)},
};
const scenario *const scenarios_engine = all;
const int scenarios_engine_count = (int)(sizeof all / sizeof *all);
