/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tiers: where ranks have a processor each, but a cache with some others only, small operations go up by
 * groups and down again, so that a line passes between groups once for each two groups and not for each two
 * ranks. Three groups of four:
 *
 *     cells:      0 1 2 3      4 5 6 7      8 9 10 11       every rank's own
 *                  \\|/          \\|/           \\|/          its leader collects
 *     up:           0 ---------- 4 ----------- 8            leaders look at each other's
 *     down:       1 2 3        5 6 7        9 10 11         each group takes its leader's
 *
 * Leaders have two cells more for each operation, at the end of their lanes. Everybody still posts its own
 * cell: a rank that calls otherwise, and does not go by tiers, awaits that. A cell of the tiers with mark 0
 * tells that not all called the same. */
#ifndef TTI_COLLECTIVES_TIERS_H
#define TTI_COLLECTIVES_TIERS_H

#include "collectives/contract/op.h"
#include "collectives/node/node_collectives.h"

enum tti_tier { TTI_TIER_UP, TTI_TIER_DOWN, TTI_TIERS };

/* Finds this rank's place; in attaching. TUTTI_ERR_STATE if those are no groups of the board's. */
int tti_tiers_aim(tti_board *board, const int *group_of);

/* A rank's cell of a tier in the operation under way. */
static inline tti_cell *tti_tiers_cell(const tti_board *board, int rank, enum tti_tier tier)
{
    const tti_board_shape *shape = &board->shape;
    const size_t used = board->used - 1, first = TTI_BOARD_PHASES * (size_t)shape->cells * (1 + (size_t)tier);
    const size_t index = first + board->phase * (size_t)shape->cells + used;
    char *lane = (char *)(tti_board_counts(board, rank) + 1) + 4 * (size_t)shape->block;
    return (tti_cell *)(void *)(lane + index * board->cell_stride);
}

/* Whether small reductions with `op` go by tiers. To combine by groups is to change the order of the ranks,
 * unless groups are ranges of them. */
static inline bool tti_tiers_fit(const tti_board *board, const tutti_op *op)
{
    return board->tiers.groups > 0 && (board->tiers.in_order || tti_op_commutes(op));
}
/* To be added to the mark of a reduction: ranks must not go both ways at once. */
static inline uint64_t tti_tiers_mark(const tti_board *board, const tutti_op *op)
{
    return (uint64_t)(board->tiers.groups > 0 && !tti_tiers_fit(board, op)) << 63;
}

/* A meeting of all, whose contributions to `r` are in the cells; its result is in tti_tiers_result()
 * afterwards. TUTTI_ERR_ARG, at every rank, if not all made the same call. */
int tti_tiers_meet(tti_board *board, uint64_t mark, const tti_reduction *r);
static inline const tti_cell *tti_tiers_result(const tti_board *board)
{
    return tti_tiers_cell(board, board->tiers.leader, TTI_TIER_DOWN);
}

/* The contributions in the cells are reduced into the root's output. */
int tti_tiers_reduce(tti_board *board, uint64_t mark, const tti_reduction *r, int root);

/* Where this rank finds what the root of a small bcast brings: in its own cell or in that of the leader,
 * which forwards it. */
const tti_cell *tti_tiers_source(const tti_board *board, int root);
/* Forwards what the root has brought, if this rank is to; also in a large bcast, of which some may think that
 * it is small. */
void tti_tiers_forward(tti_board *board, int root);

/* This rank has found out, without tiers, that not all make the same call: those who wait for it go on. */
void tti_tiers_refuse(tti_board *board);

#endif
