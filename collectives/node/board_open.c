/* SPDX-License-Identifier: BSD-3-Clause */
/* The board of a communicator: agreed on by messages, in the memory of its first rank. */
#include <stdlib.h>

#include "collectives/calls/by_schedule.h"
#include "collectives/execute/comm_cache.h"
#include "collectives/node/board_groups.h"
#include "collectives/node/offer.h"
#include "collectives/node/single.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/p2p/progress.h"

/* Looks at a flag before waiting in earnest, where each rank has a processor: some tens of microseconds. */
#define SPINS 1000

/* All boards: in use, or of the first rank's, left and not yet left by others (comm is NULL then). */
static tti_board *boards;

TTI_HOT static int wait_in_job(tti_board *board, tti_board_ready_fn *ready, const void *argument)
{
    const int code = tti_wait_for_memory(ready, argument, board->call, tti_board_missing);
    board->spins = tti_wait_is_crowded() ? 0 : SPINS;
    return code;
}

/* Who has died without having left it does so no more; what it had is not touched by anybody else. */
static bool is_left(const tti_board *board)
{
    if (atomic_load(&board->head->users) == 0) return true;
    for (int r = 0; tti_p2p_any_dead() && r < board->size; r++) {
        const bool left = atomic_load(&tti_board_counts(board, r)->left) != 0;
        if (!left && !tti_node_has_ended(board->node, board->peers[r])) return false;
    }
    return tti_p2p_any_dead();
}

/* The first rank's memory may be used for something else once all have left it. */
static void sweep(void)
{
    for (tti_board **link = &boards; *link != NULL;) {
        tti_board *board = *link;
        if (board->comm != NULL || !is_left(board)) {
            link = &board->next;
            continue;
        }
        *link = board->next;
        tti_node_mem_free(board->node, board->head);
        tti_board_free(board);
    }
}

/* Each rank's group, and how many there are. */
static int group_ranks(const tutti_comm *comm, int *group_of)
{
    int known, groups = 0;
    cpu_set_t *cpus = tti_node_cpus(tti_p2p_node(), &known);
    cpu_set_t *bound = malloc((size_t)comm->size * sizeof *bound);
    if (cpus != NULL && bound != NULL) {
        for (int r = 0; r < comm->size; r++)
            bound[r] = cpus[tti_p2p_node_index(tti_comm_world(comm, r))];
        groups = tti_board_group(bound, comm->size, group_of);
    }
    free(cpus);
    free(bound);
    return groups;
}

/* What the first rank tells the others. The shape is told, too, since memory that was given back meanwhile
 * may hold anything. */
typedef struct {
    uint64_t id; /* a place and a number of pages; 0 where there is no memory */
    tti_board_shape shape;
} invitation;

static void *make_memory(const tutti_comm *comm, invitation *told)
{
    tti_board_shape shape = tti_board_shape_for(comm->size, tti_wait_must_share());
    void *memory = NULL;
    int *group_of = malloc((size_t)comm->size * sizeof *group_of);
    sweep();
    if (group_of != NULL && !shape.crowded) shape.groups = (uint32_t)group_ranks(comm, group_of);
    if (tti_node_mem_reserve(tti_p2p_node(), tti_board_bytes(&shape), &memory, &told->id) == 0)
        tti_board_format(memory, &shape, group_of);
    free(group_of);
    told->shape = shape;
    return memory;
}

static int invite_all(tutti_comm *comm, const char *name, invitation *told, void **memory)
{
    tti_call call;
    *told = (invitation){.id = 0};
    *memory = comm->rank == 0 ? make_memory(comm, told) : NULL;
    int code = tti_call_make(&call, name, TTI_BCAST,
                             &(tti_arguments){.comm = comm, .recv = told, .count = sizeof *told});
    code = tti_call_by_schedule(code, &call);
    if (code < 0 || told->id == 0 || comm->rank == 0) return code;
    const int host = tti_p2p_node_index(tti_comm_world(comm, 0));
    if (tti_node_mem_map(tti_p2p_node(), host, told->id, memory) < 0) *memory = NULL;
    return 0;
}

/* Returns when all ranks have come to the node: then the first one knows where they may run, and whether they
 * may copy from each other can be tried. */
static int assemble(tutti_comm *comm, const char *name)
{
    tti_call call;
    const int code = tti_call_make(&call, name, TTI_BARRIER, &(tti_arguments){.comm = comm});
    return tti_call_by_schedule(code, &call);
}

/* What all must have for all to use it: the memory, and leave to copy from one another. */
typedef struct {
    int32_t board, copies;
} ability;

static int agree(tutti_comm *comm, const char *name, ability mine, ability *all)
{
    tti_call call;
    *all = (ability){0, 0};
    const int code = tti_call_make(
        &call, name, TTI_ALLREDUCE,
        &(tti_arguments){
            .comm = comm, .send = &mine, .recv = all, .count = 2, .type = TUTTI_INT32, .op = TUTTI_MIN});
    return tti_call_by_schedule(code, &call);
}

/* What is so for this rank. Copies go both ways: it reads from all, and all read from it. */
static ability find_ability(const tutti_comm *comm, const tti_board *board)
{
    ability mine = {board != NULL, board != NULL};
    for (int r = 0; r < comm->size && mine.copies; r++)
        if (r != comm->rank) mine.copies = tti_node_can_read(board->node, board->peers[r]);
    return mine;
}

static void aim(tti_board *board, tutti_comm *comm, const char *name)
{
    board->node = tti_p2p_node();
    board->comm = comm;
    board->call = name;
    board->wait = wait_in_job;
    board->spins = board->shape.crowded ? 0 : SPINS;
    for (int r = 0; r < board->size; r++)
        board->peers[r] = tti_p2p_node_index(tti_comm_world(comm, r));
}

/* NULL: no memory. */
static tti_board *view(void *memory, const tti_board_shape *shape, tutti_comm *comm, const char *name)
{
    tti_board *board;
    if (memory == NULL || tti_board_attach(memory, shape, comm->rank, &board) < 0) return NULL;
    aim(board, comm, name);
    return board;
}

/* The memory of a board that never came to be. */
static void give_back(const tutti_comm *comm, void *memory)
{
    if (memory == NULL) return;
    if (comm->rank == 0)
        tti_node_mem_free(tti_p2p_node(), memory);
    else
        tti_node_mem_unmap(tti_p2p_node(), memory);
}

int tti_board_open(tutti_comm *comm, const char *name, tti_board **board)
{
    *board = NULL;
    if (!tti_comm_on_node(comm)) return 0;
    void *memory;
    invitation told;
    ability all;
    int code = assemble(comm, name);
    if (code < 0) return code;
    code = invite_all(comm, name, &told, &memory);
    tti_board *made = code == 0 ? view(memory, &told.shape, comm, name) : NULL;
    if (code == 0) code = agree(comm, name, find_ability(comm, made), &all);
    if (code == 0 && all.board != 0) {
        made->copies = all.copies != 0;
        made->ways = *tti_node_crossings(made->node);
        made->next = boards;
        boards = made;
        *board = made;
        return 0;
    }
    tti_board_free(made); /* not left: the first rank may already have given back the memory */
    give_back(comm, memory);
    return code;
}

static void unlink_board(tti_board *board)
{
    tti_board **link = &boards;
    while (*link != board)
        link = &(*link)->next;
    *link = board->next;
}

void tti_board_close(tti_board *board)
{
    if (board == NULL) return;
    tti_offers_close(board);
    tti_board_leave(board);
    board->comm = NULL;
    if (board->rank != 0) {
        unlink_board(board);
        tti_node_mem_unmap(board->node, board->head);
        tti_board_free(board);
    }
    sweep();
}

tti_board *tti_board_of(uint64_t context)
{
    tti_board *board = boards;
    while (board != NULL && (board->comm == NULL || board->comm->context != context))
        board = board->next;
    return board;
}

void tti_boards_close(void)
{
    tti_board_groups_close();
    while (boards != NULL) {
        tti_board *board = boards;
        boards = board->next;
        tti_board_free(board);
    }
}

void tti_board_drop(const tutti_comm *comm)
{
    for (tti_board *board = boards; board != NULL; board = board->next)
        if (board->comm == comm) board->dropped = true;
}

void tti_board_lose(int world_rank)
{
    for (tti_board *board = boards; board != NULL; board = board->next)
        if (board->comm != NULL && tti_comm_rank_of(board->comm, world_rank) >= 0)
            tti_board_give_up(board, world_rank);
}
