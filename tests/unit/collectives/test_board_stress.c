/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on boards under stress: threads as ranks run long random sequences through cells and buffers of
 * a few bytes, on two boards in turn, with ranks that are late, that sleep, and that call otherwise than the
 * others.
 * Every byte of every result, what is around it, and every returned code is checked. */
#include <unistd.h>

#include "collectives/node/offer.h"
#include "tests/unit/collectives/board_operation.h"

#define BOARDS 2
#define GUARD 64
#define GUARD_BYTE 0x5a

/* One scenario; drawn anew for each run. */
static struct {
    tti_board_shape shape;
    int group_of[RANKS_MAX];
    void *boards[BOARDS];
    uint64_t seed;
    uint32_t operations;
    uint32_t delays; /* one operation in so many begins late at some rank; 0: none */
    bool may_sleep;
    bool copies;  /* large operations copy from rank to rank */
    size_t small; /* bytes that go by a cell */
} scene;

/* Buffers that end where they may not be read or written any further. */
typedef struct {
    unsigned char *in, *out, *expected;
    size_t in_bytes, out_bytes;
} buffers;

static unsigned char *guarded(size_t bytes)
{
    unsigned char *memory = malloc(GUARD + bytes + GUARD);
    EXPECT(memory != NULL);
    memset(memory, GUARD_BYTE, GUARD + bytes + GUARD);
    return memory + GUARD;
}

static bool is_untouched(const unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != GUARD_BYTE) return false;
    return true;
}

static buffers make_buffers(const operation *o, const tti_board *board)
{
    buffers b = {.in_bytes = own_bytes(o, board->rank)};
    b.out_bytes = b.in_bytes * (own_kind(o, board->rank) == TTI_ALLGATHER ? (size_t)board->size : 1);
    b.in = guarded(b.in_bytes);
    b.out = guarded(b.out_bytes);
    b.expected = guarded(b.out_bytes);
    contribute(o, board->rank, b.in, b.in_bytes);
    return b;
}

static void free_buffers(const buffers *b)
{
    free(b->in - GUARD);
    free(b->out - GUARD);
    free(b->expected - GUARD);
}

static int call(tti_board *board, const operation *o, const buffers *b, bool in_place)
{
    const size_t bytes = b->in_bytes;
    const tti_reduction r = {in_place ? NULL : b->in, b->out,      bytes / o->by->element,
                             o->by->element,          o->by->type, o->by->op};
    switch (own_kind(o, board->rank)) {
    case TTI_BCAST: return tti_node_bcast(board, b->out, bytes, o->root);
    case TTI_REDUCE: return tti_node_reduce(board, &r, own_root(o, board->rank));
    case TTI_ALLREDUCE: return tti_node_allreduce(board, &r);
    default: break; /* an allgather */
    }
    return tti_node_allgather(board, r.input, b->out, bytes);
}

static bool receives(const operation *o, int rank)
{
    return o->kind != TTI_REDUCE || rank == own_root(o, rank);
}

static void check(const operation *o, const tti_board *board, const buffers *b, int code)
{
    EXPECT(is_expected(code, o, board->rank));
    EXPECT(is_untouched(b->out - GUARD, GUARD) && is_untouched(b->out + b->out_bytes, GUARD));
    if (code == 0 && (o->odd < 0 || o->kind == TTI_BCAST)) {
        const size_t bytes = expected_result(o, board->rank, board->size, b->expected);
        EXPECT(memcmp(b->out, b->expected, bytes) == 0);
    }
    if (!receives(o, board->rank)) EXPECT(is_untouched(b->out, b->out_bytes));
    contribute(o, board->rank, b->expected, b->in_bytes);
    EXPECT(memcmp(b->in, b->expected, b->in_bytes) == 0);
}

static void run_operation(tti_board *board, const operation *o)
{
    const buffers b = make_buffers(o, board);
    const bool in_place = receives(o, board->rank) && (o->in_place >> board->rank & 1) != 0;
    const bool gathers = own_kind(o, board->rank) == TTI_ALLGATHER;
    const size_t place = gathers ? (size_t)board->rank * b.in_bytes : 0;
    if (in_place || (o->kind == TTI_BCAST && board->rank == o->root)) memcpy(b.out + place, b.in, b.in_bytes);
    check(o, board, &b, call(board, o, &b, in_place));
    free_buffers(&b);
}

static void be_late(uint64_t *random)
{
    if (scene.delays == 0 || draw(random, scene.delays) != 0) return;
    if (draw(random, 8) == 0) usleep(draw(random, 300));
    for (uint32_t n = draw(random, 4); n > 0; n--)
        sched_yield();
}

static void rank_main_of_scene(tti_node *node)
{
    static const int spins[] = {0, 0, 10, 1000};
    uint64_t own = scene.seed + 1 + (uint64_t)node->index, shared = scene.seed;
    tti_board *boards[BOARDS];
    for (int i = 0; i < BOARDS; i++) {
        boards[i] = view_board(scene.boards[i], &scene.shape, node, i == 1);
        boards[i]->copies = scene.copies && tti_node_can_read(node, node->index);
        boards[i]->small = scene.small;
        boards[i]->spins = spins[draw(&own, 4)];
        if (!scene.may_sleep || draw(&own, 4) == 0) boards[i]->wait = wait_by_yielding;
    }
    for (uint32_t n = 0; n < scene.operations; n++) {
        const operation o = draw_operation(&shared, &scene.shape, scene.small);
        be_late(&own);
        run_operation(boards[draw(&shared, 3) / 2], &o);
    }
    for (int i = 0; i < BOARDS; i++) {
        tti_board_leave(boards[i]);
        tti_board_free(boards[i]);
    }
}

/* Groups of ranks in a row, or of any; numbered by their lowest rank. */
static void draw_groups(uint64_t *random)
{
    int number[RANKS_MAX], groups = 0;
    const uint32_t most = 2 + draw(random, 4);
    const bool in_order = draw(random, 2) == 0;
    for (uint32_t g = 0; g < most; g++)
        number[g] = -1;
    for (uint32_t r = 0; r < scene.shape.ranks; r++) {
        const uint32_t group = in_order ? r * most / scene.shape.ranks : draw(random, most);
        if (number[group] < 0) number[group] = groups++;
        scene.group_of[r] = number[group];
    }
    scene.shape.groups = groups > 1 ? (uint32_t)groups : 0;
}

static void draw_scene(uint64_t *random)
{
    static const uint32_t ranks[] = {1, 2, 2, 3, 5, 8, 12}, cell_bytes[] = {8, 16, 24, 48, 64};
    const uint32_t block = TTI_BOARD_LINE << draw(random, 3);
    scene.seed = next_random(random);
    scene.shape = (tti_board_shape){.ranks = ranks[draw(random, 7)],
                                    .cells = 2 + draw(random, 2),
                                    .cell_bytes = cell_bytes[draw(random, 5)],
                                    .block = block,
                                    .crowded = draw(random, 2)};
    scene.operations = 1500 / scene.shape.ranks;
    scene.delays = draw(random, 2) * (1 + draw(random, 30));
    scene.may_sleep = draw(random, 4) != 0;
    if (draw(random, 16) == 0) { /* blocks of which there are several at once, and cells, as in jobs */
        scene.shape = tti_board_shape_for((int)scene.shape.ranks, scene.shape.crowded);
        scene.operations = 48 / scene.shape.ranks;
    }
    if (scene.shape.ranks > 2 && !scene.shape.crowded && draw(random, 3) > 0) draw_groups(random);
    scene.copies = scene.shape.cell_bytes >= sizeof(tti_offer) && draw(random, 2) == 0;
    scene.small = scene.shape.cell_bytes >> (scene.copies ? draw(random, 3) : 0);
}

static void run_scene(void)
{
    const tti_node_shape shape = tti_node_shape_for((int)scene.shape.ranks);
    for (int i = 0; i < BOARDS; i++)
        scene.boards[i] = new_board(&scene.shape, scene.group_of);
    run_ranks(&shape, rank_main_of_scene);
    for (int i = 0; i < BOARDS; i++) {
        EXPECT(atomic_load(&((tti_board_head *)scene.boards[i])->users) == 0);
        free(scene.boards[i]);
    }
}

int main(int argc, char **argv)
{
    stress_open(argc, argv);
    open_reducers();
    uint64_t random = stress.seed, operations = 0;
    unsigned scenes = 0;
    for (; stress_goes_on(); scenes++) {
        draw_scene(&random);
        run_scene();
        operations += scene.operations;
    }
    close_reducers();
    printf("%u scenes, %llu operations\n", scenes, (unsigned long long)operations);
    return 0;
}
