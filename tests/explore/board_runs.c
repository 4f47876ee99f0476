/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking collectives on a board (collectives/node) of two cells a phase and blocks of a line: so many that
 * every cell and block is used again. Who waits sleeps at once. */
#include <stdlib.h>
#include <string.h>

#include "collectives/contract/op.h"
#include "collectives/node/node_collectives.h"
#include "tests/explore/node_views.h"
#include "tests/explore/races.h"
#include "tests/explore/scenarios.h"
#include "tests/unit/expect.h"

#define MOST_CALLS 8
#define SMALL 1 /* elements; so many fit a cell's line */
#define LARGE 24

enum what { ALLREDUCE = 1, ALLREDUCE_LARGE, BCAST, BCAST_LARGE, REDUCE, ALLGATHER };

typedef struct {
    tti_board_shape shape;
    enum what calls[MOST_CALLS];
} plan;

static const plan *current;
static void *memory_of_board;
static tti_board *boards[RUN_MOST_RANKS];

static int64_t brought(int rank, int call, size_t i)
{
    return (rank + 1) * 1000 + call * 100 + (int64_t)i;
}

static int64_t sum_of(int call, size_t i)
{
    int64_t sum = 0;
    for (int r = 0; r < (int)current->shape.ranks; r++)
        sum += brought(r, call, i);
    return sum;
}

static int reduce(tti_board *board, int call, size_t count, bool all)
{
    int64_t in[LARGE], out[LARGE] = {0};
    for (size_t i = 0; i < count; i++)
        in[i] = brought(board->rank, call, i);
    const tti_reduction r = {(unsigned char *)in, (unsigned char *)out, count, 8, TUTTI_INT64, TUTTI_SUM};
    const int code = all ? tti_node_allreduce(board, &r) : tti_node_reduce(board, &r, 0);
    for (size_t i = 0; code == 0 && i < count && (all || board->rank == 0); i++)
        RUN_EXPECT(out[i] == sum_of(call, i));
    return code;
}

/* From each rank in turn. */
static int bcast(tti_board *board, int call, size_t count)
{
    int64_t data[LARGE] = {0};
    const int root = call % board->size;
    for (size_t i = 0; root == board->rank && i < count; i++)
        data[i] = brought(root, call, i);
    const int code = tti_node_bcast(board, (unsigned char *)data, count * 8, root);
    for (size_t i = 0; code == 0 && i < count; i++)
        RUN_EXPECT(data[i] == brought(root, call, i));
    return code;
}

static int allgather(tti_board *board, int call)
{
    int64_t in = brought(board->rank, call, 0), out[RUN_MOST_RANKS] = {0};
    const int code = tti_node_allgather(board, (unsigned char *)&in, (unsigned char *)out, 8);
    for (int r = 0; code == 0 && r < board->size; r++)
        RUN_EXPECT(out[r] == brought(r, call, 0));
    return code;
}

static int make(tti_board *board, enum what what, int call)
{
    switch (what) {
    case ALLREDUCE: return reduce(board, call, SMALL, true);
    case ALLREDUCE_LARGE: return reduce(board, call, LARGE, true);
    case BCAST: return bcast(board, call, SMALL);
    case BCAST_LARGE: return bcast(board, call, LARGE);
    case REDUCE: return reduce(board, call, SMALL, false);
    default: return allgather(board, call);
    }
}

/* The thread of each survivor that hears of the death. */
static void tell(void)
{
    run_await_death();
    for (int r = 0; r < (int)current->shape.ranks; r++) {
        if (r == run_dead()) continue;
        tti_board_give_up(boards[r], run_dead());
        tti_node_wake(node_views[r]);
    }
}

static void body(int rank)
{
    if (rank == (int)current->shape.ranks) {
        tell();
        return;
    }
    for (int call = 0; call < MOST_CALLS && current->calls[call] != 0; call++) {
        const int code = make(boards[rank], current->calls[call], call);
        RUN_EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && run_dead() >= 0));
        if (code < 0) return;
    }
}

static int wait_asleep(tti_board *board, tti_board_ready_fn *ready, const void *argument)
{
    for (bool is_ready = false; !is_ready;) {
        tti_node_arm(board->node);
        is_ready = ready(argument);
        if (!is_ready) tti_node_sleep(board->node, -1);
        tti_node_disarm(board->node);
    }
    return 0;
}

static void open_board(int rank)
{
    tti_board *board;
    EXPECT(tti_board_attach(memory_of_board, &current->shape, rank, &board) == 0);
    board->node = node_views[rank];
    board->call = "explore";
    board->wait = wait_asleep;
    for (int r = 0; r < board->size; r++)
        board->peers[r] = r;
    node_views_save(board, sizeof *board);
    boards[rank] = board;
}

static void open(const scenario *s)
{
    current = s->plan;
    const tti_node_shape shape = {current->shape.ranks, 2, 8, 128, 0, 0, {0, 0}};
    const size_t bytes = (tti_board_bytes(&current->shape) + 4095) / 4096 * 4096;
    const int group_of[] = {0, 1, 1};
    memory_of_board = aligned_alloc(4096, bytes);
    EXPECT(memory_of_board != NULL);
    memset(memory_of_board, 0, bytes);
    tti_board_format(memory_of_board, &current->shape, group_of);
    node_views_open(&shape);
    node_views_save(memory_of_board, bytes);
    races_watch(memory_of_board, bytes, "board");
    for (int r = 0; r < (int)current->shape.ranks; r++)
        open_board(r);
}

static void close_all(void)
{
    node_views_close();
    for (int r = 0; r < (int)current->shape.ranks; r++)
        tti_board_free(boards[r]);
    free(memory_of_board);
}

#define BOARD(ranks, crowded, groups)                                                                        \
    {                                                                                                        \
        ranks, 2, 8, 64, crowded, groups                                                                     \
    }
static const plan gathers = {BOARD(2, 0, 0),
                             {ALLGATHER, ALLGATHER, ALLGATHER, ALLGATHER, ALLGATHER, ALLGATHER}},
                  cells = {BOARD(2, 0, 0), {ALLREDUCE, ALLGATHER, ALLREDUCE, ALLREDUCE, ALLREDUCE}},
                  one_way = {BOARD(2, 0, 0), {BCAST, BCAST, REDUCE, BCAST, REDUCE, BCAST}},
                  blocks = {BOARD(2, 0, 0), {BCAST_LARGE, ALLREDUCE_LARGE}},
                  counted = {BOARD(2, 1, 0), {ALLREDUCE, ALLGATHER, ALLREDUCE, ALLGATHER, ALLREDUCE}},
                  three = {BOARD(3, 0, 0), {ALLREDUCE, BCAST, ALLREDUCE}},
                  three_counted = {BOARD(3, 1, 0), {ALLREDUCE, ALLGATHER, ALLREDUCE}},
                  tiers = {BOARD(3, 0, 2), {ALLREDUCE, BCAST, ALLREDUCE}},
                  mortal = {BOARD(2, 0, 0), {ALLREDUCE, BCAST, ALLREDUCE_LARGE}},
                  mortal_counted = {BOARD(3, 1, 0), {ALLREDUCE, ALLGATHER}};

#define RUNS(coroutines, dying, deviations, plan)                                                            \
    coroutines, dying, deviations, body, open, node_views_reset, close_all, &plan
static const scenario all[] = {
    {"gathers", "six allgathers", RUNS(2, 0, 2, gathers)},
    {"cells", "small allreduces and an allgather", RUNS(2, 0, 2, cells)},
    {"one-way", "bcasts and reduces, in which not all wait for all", RUNS(2, 0, 2, one_way)},
    {"blocks", "vectors of several blocks", RUNS(2, 0, 2, blocks)},
    {"counted", "ranks that share cores: arrivals are counted", RUNS(2, 0, 2, counted)},
    {"cells-3", "three ranks", RUNS(3, 0, 1, three)},
    {"counted-3", "three ranks that share cores", RUNS(3, 0, 1, three_counted)},
    {"tiers-3", "three ranks in two groups", RUNS(3, 0, 1, tiers)},
    {"board-death", "one of two dies", RUNS(3, 2, 1, mortal)},
    {"board-death-3", "one of three dies", RUNS(4, 3, 1, mortal_counted)},
};
const scenario *const scenarios_board = all;
const int scenarios_board_count = (int)(sizeof all / sizeof *all);
