/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/tiers.h"
#include "runtime/base/publish.h"
#include "runtime/base/status.h"

#include <string.h>

/* Copied first: what is checked must be what is used. */
static int copy_groups(tti_board *board, const int *group_of)
{
    int *own = board->tiers.leaders + 2 * board->size;
    memcpy(own, group_of, (size_t)board->size * sizeof *own);
    for (int r = 0; r < board->size; r++)
        if (own[r] < 0 || own[r] >= (int)board->shape.groups || own[r] >= board->size)
            return tti_fail(TUTTI_ERR_STATE,
                            "the memory of a communicator was given back while this rank came");
    board->tiers.group_of = own;
    return 0;
}

int tti_tiers_aim(tti_board *board, const int *shared_groups)
{
    tti_tiers *t = &board->tiers;
    const int code = copy_groups(board, shared_groups);
    if (code < 0) return code;
    const int *group_of = t->group_of;
    t->groups = (int)board->shape.groups;
    t->group = group_of[board->rank];
    t->members = t->leaders + board->size;
    t->in_order = true;
    for (int r = board->size - 1; r >= 0; r--)
        t->leaders[group_of[r]] = r;
    for (int r = 0; r < board->size; r++) {
        if (group_of[r] == t->group) t->members[t->count++] = r;
        if (r > 0 && group_of[r] < group_of[r - 1]) t->in_order = false;
    }
    t->leader = t->leaders[t->group];
    return 0;
}

static bool leads(const tti_board *board)
{
    return board->rank == board->tiers.leader;
}

static void post(tti_board *board, tti_cell *cell, uint64_t mark)
{
    cell->mark = mark;
    tti_publish(&cell->flag, board->number);
}

/* Of a leader's own cell others hear when it posts the group's. */
static void post_own(tti_board *board, uint64_t mark)
{
    post(board, tti_board_cell(board, board->rank), mark);
    if (!leads(board)) tti_node_poke(board->node, board->peers[board->tiers.leader]);
}

/* All others: whoever does not go by tiers waits for the own cells of the group, too. */
static void post_up(tti_board *board, uint64_t mark)
{
    post(board, tti_tiers_cell(board, board->rank, TTI_TIER_UP), mark);
    tti_board_poke_others(board);
}

static void post_down(tti_board *board, uint64_t mark)
{
    const tti_tiers *t = &board->tiers;
    post(board, tti_tiers_cell(board, board->rank, TTI_TIER_DOWN), mark);
    for (int i = 1; i < t->count; i++)
        tti_node_poke(board->node, board->peers[t->members[i]]);
}

/* Cells that are awaited and combined together. */
typedef struct {
    const int *ranks;
    int count;
    bool up; /* those of the upper tier; else the ranks' own */
} row;

static tti_cell *cell_of(const tti_board *board, const row *cells, int i)
{
    const int rank = cells->ranks[i];
    return cells->up ? tti_tiers_cell(board, rank, TTI_TIER_UP) : tti_board_cell(board, rank);
}

/* *odd becomes a rank whose mark is another, if there is one. */
static int await_row(tti_board *board, const row *cells, uint64_t mark, int *odd)
{
    for (int i = 0; i < cells->count; i++) {
        const tti_cell *cell = cell_of(board, cells, i);
        const int code = tti_board_await_cell(board, cell);
        if (code < 0) return code;
        if (cell->mark != mark) *odd = cells->ranks[i];
    }
    return 0;
}

/* From the last down, as operations want it (combine.c). */
static void combine_row(const tti_board *board, const row *cells, const tti_reduction *r, unsigned char *to)
{
    if (r->count == 0) return;
    memcpy(to, cell_of(board, cells, cells->count - 1)->data, r->count * r->element);
    for (int i = cells->count - 2; i >= 0; i--)
        tti_op_apply(r->op, cell_of(board, cells, i)->data, to, r->count, r->type);
}

/* A leader collects its group's cells and shows what they come to. */
static int collect(tti_board *board, uint64_t mark, const tti_reduction *r, int *odd)
{
    const row group = {board->tiers.members, board->tiers.count, false};
    const int code = await_row(board, &group, mark, odd);
    if (code < 0) return code;
    if (*odd < 0) combine_row(board, &group, r, tti_tiers_cell(board, board->rank, TTI_TIER_UP)->data);
    post_up(board, *odd < 0 ? mark : 0);
    return 0;
}

static row leaders_of(const tti_board *board)
{
    return (row){board->tiers.leaders, board->tiers.groups, true};
}

static int lead(tti_board *board, uint64_t mark, const tti_reduction *r)
{
    const row leaders = leaders_of(board);
    int odd = -1, code = collect(board, mark, r, &odd);
    if (code == 0) code = await_row(board, &leaders, mark, &odd);
    if (code < 0) return code;
    if (odd < 0) combine_row(board, &leaders, r, tti_tiers_cell(board, board->rank, TTI_TIER_DOWN)->data);
    post_down(board, odd < 0 ? mark : 0);
    return odd < 0 ? 0 : tti_board_disagree(board, odd, 0);
}

int tti_tiers_meet(tti_board *board, uint64_t mark, const tti_reduction *r)
{
    post_own(board, mark);
    if (leads(board)) return lead(board, mark, r);
    const tti_cell *result = tti_tiers_result(board);
    const int code = tti_board_await_cell(board, result);
    if (code < 0) return code;
    return result->mark == mark ? 0 : tti_board_disagree(board, board->tiers.leader, 0);
}

int tti_tiers_reduce(tti_board *board, uint64_t mark, const tti_reduction *r, int root)
{
    const row leaders = leaders_of(board);
    int odd = -1, code = 0;
    post_own(board, mark);
    if (leads(board)) code = collect(board, mark, r, &odd);
    if (code < 0 || root != board->rank) return code;
    code = await_row(board, &leaders, mark, &odd);
    if (code < 0) return code;
    if (odd >= 0) return tti_board_disagree(board, odd, 0);
    combine_row(board, &leaders, r, r->output);
    return 0;
}

static bool is_far(const tti_board *board, int root)
{
    return board->tiers.groups > 0 && board->tiers.group_of[root] != board->tiers.group;
}

const tti_cell *tti_tiers_source(const tti_board *board, int root)
{
    return is_far(board, root) && !leads(board) ? tti_tiers_result(board) : tti_board_cell(board, root);
}

void tti_tiers_forward(tti_board *board, int root)
{
    if (!is_far(board, root) || !leads(board)) return;
    const tti_cell *from = tti_board_cell(board, root);
    const size_t bytes = tti_board_mark_bytes(from->mark);
    if (bytes > 0 && bytes <= board->small)
        memcpy(tti_tiers_cell(board, board->rank, TTI_TIER_DOWN)->data, from->data, bytes);
    post_down(board, from->mark);
}

void tti_tiers_refuse(tti_board *board)
{
    if (board->tiers.groups == 0 || !leads(board)) return;
    post(board, tti_tiers_cell(board, board->rank, TTI_TIER_DOWN), 0);
    post_up(board, 0);
}
