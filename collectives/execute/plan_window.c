/* SPDX-License-Identifier: BSD-3-Clause */
/* Which windows, and how much of them. All ranks must come to the same, so it follows from what all know. Of
 * these an operation takes the first that fits:
 *
 *   who knows sizes    windows of each rank       what fits
 *   all                tiny, 128 of 256 bytes     all data in one block; on one node, not of neighbours
 *                      parts', 16 of 68 KiB       an exchange of two ranks, up to 8 KiB
 *                      small, 32 of 8 KiB         all data in one block
 *                      parts', 16 of 68 KiB       on one node up to 8 KiB, of up to 4 ranks or with a root
 *                      large, 2 of 960 KiB        anything, block by block
 *   two, of a part     parts', 16 of 68 KiB       on one node all parts up to a chunk at once
 *                      fronts, 32 of 8 KiB        on one node a root's parts, what is long in large ones
 *                      large, 2 of 960 KiB        anything
 *
 * On a node of more than 16 ranks large ones have 640 KiB. How many of them take turns: windows.c. */
#include "collectives/execute/plan_window.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/compose/window_parts.h"
#include "collectives/contract/call_record.h"
#include "runtime/node/node_windows.h"

/* Of a large window as much is used where each rank has a processor: more blocks, of which one goes in while
 * the one before comes out. Ranks that share processors meet as seldom as may be, but what they pass has to
 * stay in their caches: reduce and allreduce of 1 MiB in blocks of more took 1.2 to 1.9 times as long. */
#define PIPELINED_WINDOW ((size_t)256 << 10)
#define CROWDED_WINDOW ((size_t)640 << 10)

static size_t window_bytes(const tti_plan *plan, bool crowded)
{
    const size_t bytes = tti_node_window_bytes(plan->windows->node, TTI_NODE_WINDOW_LARGE);
    const size_t most = crowded ? CROWDED_WINDOW : PIPELINED_WINDOW;
    return bytes < most ? bytes : most;
}

int tti_plan_find_windows(tutti_comm *comm, tti_plan *plan, bool crowded)
{
    const int code = tti_windows_get(comm, &plan->windows);
    if (code < 0 || plan->windows == NULL) return code;
    plan->window_kind = TTI_NODE_WINDOW_LARGE;
    plan->shape.window = window_bytes(plan, crowded);
    if (!tti_calls_are_compared(comm->size) && tti_window_holds(&plan->shape, plan->windows->size)) return 0;
    plan->windows = NULL;
    plan->shape.window = 0;
    return 0;
}

static bool goes_by_nodes(const tti_algorithm *algorithm)
{
    return (algorithm->wants & TTI_NEEDS_NODES) != 0;
}

/* Whether it is an exchange by nodes, which finds the parts of all ranks in windows at once, or passes
 * messages. */
static bool shows_all(const tti_algorithm *algorithm)
{
    return (algorithm->wants & TTI_SHARES_WINDOW) != 0 && goes_by_nodes(algorithm);
}

/* How many blocks may be in a window at once. Neighbours find a part of each edge there, and one of it; and
 * by nodes besides what comes for all ranks of the node. */
static size_t blocks_at_once(const tti_shape *shape, const tti_algorithm *algorithm)
{
    const bool shares = (algorithm->wants & TTI_SHARES_WINDOW) != 0;
    if (shape->neighbours == NULL) return TTI_WINDOW_REGIONS * (shares ? (size_t)shape->size : 1);
    const size_t edges = shares && shape->neighbours->most > 0 ? (size_t)shape->neighbours->most : 1;
    return edges * (goes_by_nodes(algorithm) ? 1 + (size_t)tti_shape_sharers(shape) : 1);
}

/* Whether blocks of all find room in windows of that kind: then they are taken. */
static bool take_window(tti_plan *plan, const tti_algorithm *usual, enum tti_node_window_kind kind,
                        bool passes)
{
    const bool alone = (usual->wants & TTI_SHARES_WINDOW) == 0;
    tti_shape shape = plan->shape;
    if (kind == TTI_NODE_WINDOW_TINY && (shape.nodes != NULL || shape.neighbours != NULL)) return false;
    shape.window = tti_node_window_bytes(plan->windows->node, kind);
    const size_t most = passes ? shape.window / blocks_at_once(&shape, usual) : SIZE_MAX;
    const int readers = kind == TTI_NODE_WINDOW_TINY && alone ? 1 : plan->windows->size;
    if (tti_shape_bytes(&shape) > most || !tti_window_holds(&shape, readers)) return false;
    plan->window_kind = kind;
    plan->shape.window = shape.window;
    return true;
}

/* A share of this or more takes long parts of two ranks, which await each other quickly, in two blocks. */
#define BLOCKS_SHARE ((size_t)32 << 10)

/* Whether windows of so many bytes have room for all parts up to a chunk that are there at once: where those
 * of all others are, or of all neighbours, or one alone. */
static bool holds_parts(const tti_shape *shape, const tti_algorithm *algorithm, size_t bytes)
{
    size_t parts = shape->neighbours != NULL ? (size_t)shape->neighbours->most : (size_t)shape->size - 1;
    if (parts > 0 && (algorithm->wants & TTI_SHARES_WINDOW) == 0) parts = 1;
    if (parts == 0 || bytes / parts <= TTI_WINDOW_PARTS_SMALL) return false;
    const size_t share = bytes / parts - TTI_WINDOW_PARTS_SMALL;
    const bool blocks = shape->size == 2 && (algorithm->wants & TTI_PASSES_BLOCKS) != 0;
    return shape->chunk <= share || (blocks && share >= BLOCKS_SHARE);
}

/* Where two ranks alone know the size of a part, but no part is long. */
static bool take_parts_window(tti_plan *plan, const tti_algorithm *usual)
{
    const size_t bytes = tti_node_window_bytes(plan->windows->node, TTI_NODE_WINDOW_PARTS);
    if (plan->shape.nodes != NULL || !holds_parts(&plan->shape, usual, bytes)) return false;
    plan->window_kind = TTI_NODE_WINDOW_PARTS;
    plan->shape.window = bytes;
    plan->shape.beside = TTI_NODE_WINDOW_BESIDE;
    return true;
}

/* Where a root gives or takes such parts, and others wait for it alone, or for nobody: these may be ahead. */
static void take_front(tti_plan *plan, const tti_contract *contract)
{
    const size_t bytes = tti_node_window_bytes(plan->windows->node, TTI_NODE_WINDOW_FRONT);
    if (!contract->rooted || plan->shape.nodes != NULL) return;
    plan->window_kind = TTI_NODE_WINDOW_FRONT;
    plan->shape.window += bytes;
    plan->shape.front = (uint16_t)bytes;
    plan->shape.beside = TTI_NODE_WINDOW_BESIDE;
}

/* Whether a call of known sizes goes where those of unknown ones do, for there are more of these than of
 * large windows, and a rank asks for the lines of the next one ahead. What all touch is to stay in their
 * caches: of 3 to 8 ranks twice as much, where what each puts there does not grow with their number. */
#define PARTS_MOST ((size_t)8 << 10)
#define PARTS_RANKS 4
#define PARTS_RANKS_OF_ROOT 8

static bool may_take_parts(const tti_plan *plan, const tti_contract *contract, const tti_algorithm *usual)
{
    const tti_shape *shape = &plan->shape;
    const bool alone = (usual->wants & TTI_SHARES_WINDOW) == 0;
    const bool few = alone && shape->size > 2 && shape->size <= PARTS_RANKS_OF_ROOT;
    return shape->nodes == NULL && tti_shape_bytes(shape) <= (few ? 2 * PARTS_MOST : PARTS_MOST) &&
           (contract->rooted || shape->size <= PARTS_RANKS);
}

/* Whether two ranks wait for each other, so that neither is ahead: they need no more windows than stay in the
 * first caches, 8 for parts and not 32 small ones. */
static bool is_exchange(const tti_plan *plan, const tti_contract *contract)
{
    return plan->shape.size == 2 && plan->shape.neighbours == NULL && !contract->rooted &&
           contract->crossing != TTI_CROSSING_ONE_WAY;
}

void tti_plan_choose_window(tti_plan *plan, const tti_algorithm *usual)
{
    const bool uses = tti_algorithm_on_windows(usual);
    const bool known =
        plan->shape.nodes != NULL || (plan->windows != NULL && plan->windows->size == plan->shape.size);
    if ((!uses && !plan->reaches) || !known) plan->windows = NULL;
    if (plan->windows == NULL) plan->shape.window = 0;
    if (plan->windows == NULL) return;
    const tti_contract *contract = tti_collective_describe(plan->collective);
    const bool sized = !contract->counted || tti_contract_sized(contract);
    const bool passes = uses && (usual->wants & TTI_NEEDS_REACH) == 0;
    const bool parts = sized && passes && may_take_parts(plan, contract, usual);
    if (sized && take_window(plan, usual, TTI_NODE_WINDOW_TINY, passes)) return;
    if (parts && is_exchange(plan, contract) && take_window(plan, usual, TTI_NODE_WINDOW_PARTS, passes))
        return;
    if (sized && take_window(plan, usual, TTI_NODE_WINDOW_SMALL, passes)) return;
    if (parts && take_window(plan, usual, TTI_NODE_WINDOW_PARTS, passes)) return;
    if (!sized && take_parts_window(plan, usual)) return;
    if (!sized && uses) take_front(plan, contract);
    if (shows_all(usual))
        plan->shape.window = tti_node_window_bytes(plan->windows->node, TTI_NODE_WINDOW_LARGE);
}
