/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on a board: whose turn a cell is, flags, counts, and waiting for them. */
#include "collectives/execute/run.h"
#include "collectives/node/tiers.h"
#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/pause.h"
#include "runtime/base/publish.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"

/* Looks without a pause in between, of tens of nanoseconds: what comes so soon should not wait for one. */
#define EAGER_LOOKS 200

/* Rough ns of waiting in earnest after which it is asked, now and again, whether the awaited will come at
 * all: to ask is to take lines from all others. */
#define TRUST_NS 50000000

/* What a wait is for: a word that comes to `least`. Flags and counts only grow. */
typedef struct {
    const tti_board *board; /* first, for tti_board_missing() */
    const _Atomic uint64_t *word;
    uint64_t least;
    int64_t *trusted; /* since when; 0: not measured yet */
    int *absent;      /* a rank that will not come, -1 if none is known */
} goal;

/* The word once more last: who went on had raised it before. */
static bool in_vain(const goal *g)
{
    const int64_t now = tti_clock_rough();
    if (*g->trusted == 0) *g->trusted = now;
    if (now - *g->trusted < TRUST_NS) return false;
    *g->trusted = now;
    const int absent = tti_board_absent(g->board);
    if (absent < 0 || atomic_load(g->word) >= g->least) return false;
    *g->absent = absent;
    return true;
}

TTI_HOT static bool reached(const void *argument)
{
    const goal *g = argument;
    /* Sequentially consistent: it comes after the arming of the bell (runtime/node/bell.c). */
    return atomic_load(g->word) >= g->least || atomic_load(&g->board->head->lost) != 0 || g->board->dropped ||
           in_vain(g);
}

/* Another rank may have heard of the death first. */
static int fail_lost(const tti_board *board)
{
    const int lost = atomic_load(&board->head->lost);
    if (board->dropped) return tti_run_check_whole(board->comm);
    if (board->comm == NULL) return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d has died", lost - 1);
    tti_p2p_peer_died(lost - 1, NULL);
    return tti_p2p_check_alive(board->comm);
}

static uint64_t place_of(const tti_board *board, const _Atomic uint64_t *word)
{
    return (uint64_t)((const char *)word - (const char *)board->head);
}

/* The rank that writes the word, -1 if that is whoever comes last. */
static int writer_of(const tti_board *board, const _Atomic uint64_t *word)
{
    const char *at = (const char *)word;
    return at < board->lanes ? -1 : (int)((size_t)(at - board->lanes) / board->lane_stride);
}

TTI_HOT static int await_slowly(tti_board *board, const _Atomic uint64_t *word, uint64_t least)
{
    int64_t trusted = 0;
    int absent = -1;
    const goal g = {board, word, least, &trusted, &absent};
    /* Before the bell is armed and the word looked at again: who changes it later finds this. */
    atomic_store(&tti_board_counts(board, board->rank)->awaits, place_of(board, word));
    board->awaited = writer_of(board, word);
    const int code = board->wait(board, reached, &g);
    if (code < 0) return code;
    if (atomic_load(word) >= least) return 0;
    return absent >= 0 ? tti_board_give_up_on(board, absent) : fail_lost(board);
}

TTI_HOT static inline int await(tti_board *board, const _Atomic uint64_t *word, uint64_t least)
{
    for (int i = 0; i <= board->spins; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) >= least) return 0;
        if (i >= EAGER_LOOKS) tti_pause();
    }
    return await_slowly(board, word, least);
}

TTI_HOT void tti_board_poke_others(const tti_board *board)
{
    for (int r = 0; r < board->size; r++)
        if (r != board->rank) tti_node_poke(board->node, board->peers[r]);
}

/* Who sleeps for something else would only look and sleep again: with few cores for many ranks, and counts
 * that each rank raises, that would be nearly all that they do. */
static void poke_waiting(const tti_board *board, const _Atomic uint64_t *word)
{
    const uint64_t place = place_of(board, word);
    for (int r = 0; r < board->size; r++)
        if (r != board->rank && atomic_load(&tti_board_counts(board, r)->awaits) == place)
            tti_node_poke(board->node, board->peers[r]);
}

void tti_board_give_up(tti_board *board, int world_rank)
{
    atomic_store(&board->head->lost, world_rank + 1);
    tti_board_poke_others(board);
    tti_node_poke(board->node, board->peers[board->rank]);
}

TTI_HOT static void take_cell(tti_board *board)
{
    board->number++;
    board->used++;
}

TTI_HOT void tti_board_synced(tti_board *board)
{
    board->phase = (board->phase + 1) % TTI_BOARD_PHASES;
    board->used = 0;
}

/* Uses the last cell of a phase. */
static int synchronise(tti_board *board)
{
    const tti_call_record call = {.collective = TTI_BARRIER};
    const uint64_t mark = tti_board_mark(&call);
    take_cell(board);
    tti_board_show_call(board, &call);
    tti_board_post(board, mark);
    const int code = tti_board_await_all(board, mark);
    if (code == 0) tti_board_synced(board);
    return code;
}

TTI_HOT int tti_board_begin(tti_board *board, const tti_call_record *call)
{
    const int lost = atomic_load_explicit(&board->head->lost, memory_order_relaxed);
    if (lost != 0 || board->dropped) return fail_lost(board);
    if (board->used + 1 == board->shape.cells) {
        const int code = synchronise(board);
        if (code < 0) return code;
    }
    take_cell(board);
    tti_board_show_call(board, call);
    return 0;
}

void tti_board_post(tti_board *board, uint64_t mark)
{
    tti_cell *cell = tti_board_cell(board, board->rank);
    cell->mark = mark;
    tti_publish(&cell->flag, board->number);
    tti_board_poke_others(board);
}

TTI_HOT int tti_board_await_cell(tti_board *board, const tti_cell *cell)
{
    return await(board, &cell->flag, board->number);
}

int tti_board_await(tti_board *board, int rank)
{
    return tti_board_await_cell(board, tti_board_cell(board, rank));
}

/* The neighbours first, so that not all look at the same rank at once. */
TTI_HOT int tti_board_await_all(tti_board *board, uint64_t mark)
{
    int odd = -1, rank = board->rank;
    for (int i = 1; i < board->size; i++) {
        rank = rank + 1 == board->size ? 0 : rank + 1;
        const int code = tti_board_await(board, rank);
        if (code < 0) return code;
        if (tti_board_cell(board, rank)->mark != mark) odd = rank;
    }
    if (odd < 0) return 0;
    tti_tiers_refuse(board);
    return tti_board_disagree(board, odd, tti_board_cell(board, odd)->mark);
}

/* All have arrived: a rank whose cell tells of another call, or -1. */
static int odd_one(const tti_board *board, uint64_t mark)
{
    for (int r = 0; r < board->size; r++)
        if (tti_board_cell(board, r)->mark != mark) return r;
    return -1;
}

/* What the last one to arrive does for all. */
TTI_HOT static void conclude(tti_board *board, uint64_t mark, void (*last)(tti_board *, void *),
                             void *context)
{
    tti_cell *result = tti_board_result(board);
    const bool agreed = odd_one(board, mark) < 0;
    if (agreed) last(board, context);
    result->mark = agreed ? mark : 0;
    tti_publish(&result->flag, board->number);
    tti_board_poke_others(board);
}

TTI_HOT int tti_board_meet(tti_board *board, uint64_t mark, void (*last)(tti_board *, void *), void *context)
{
    const tti_cell *result = tti_board_result(board);
    tti_board_cell(board, board->rank)->mark = mark;
    board->meetings++;
    const uint64_t all = board->meetings * (uint64_t)board->size;
    if (atomic_fetch_add(&board->head->arrivals, 1) + 1 == all) {
        conclude(board, mark, last, context);
    } else {
        const int code = await(board, &result->flag, board->number);
        if (code < 0) return code;
    }
    if (result->mark == mark) return 0;
    const int odd = odd_one(board, mark);
    return tti_board_disagree(board, odd, tti_board_cell(board, odd)->mark);
}

int tti_board_await_filled(tti_board *board, int rank, uint64_t number)
{
    return await(board, &tti_board_counts(board, rank)->filled, number);
}

int tti_board_await_all_filled(tti_board *board, uint64_t number)
{
    int code = 0;
    for (int r = 0; r < board->size && code == 0; r++)
        if (r != board->rank) code = tti_board_await_filled(board, r, number);
    return code;
}

int tti_board_await_all_done(tti_board *board, uint64_t number)
{
    int code = 0;
    for (int r = 0; r < board->size && code == 0; r++)
        if (r != board->rank) code = await(board, &tti_board_counts(board, r)->done, number);
    return code;
}

void tti_board_fill_to(tti_board *board, uint64_t number)
{
    _Atomic uint64_t *filled = &tti_board_counts(board, board->rank)->filled;
    tti_publish(filled, number);
    poke_waiting(board, filled);
}

void tti_board_done_to(tti_board *board, uint64_t number)
{
    _Atomic uint64_t *done = &tti_board_counts(board, board->rank)->done;
    tti_publish(done, number);
    poke_waiting(board, done);
}

static void nothing(tti_board *board, void *context)
{
    (void)board;
    (void)context;
}

TTI_HOT int tti_board_gather(tti_board *board, uint64_t mark)
{
    if (board->shape.crowded) return tti_board_meet(board, mark, nothing, NULL);
    tti_board_post(board, mark);
    return tti_board_await_all(board, mark);
}
