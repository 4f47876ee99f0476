/* SPDX-License-Identifier: BSD-3-Clause */
/* The flags of windows. In `posted` a rank shows the number of the operation, from 1, above the number of its
 * last post in it; in `finished` how many operations it has done with.
 *
 * Memory order: a word is stored sequentially consistent after what it announces, and then it is looked
 * whether anybody sleeps, or wants to hear of it; who waits says so first and then looks at the word once
 * more (runtime/node/bell.c). Who sleeps for a post may put the two in order for all (runtime/node/order.c).
 */
#include "collectives/execute/windows.h"

#include <stddef.h>

#include "runtime/base/atomics.h"
#include "runtime/base/hot.h"
#include "runtime/base/prefetch.h"
#include "runtime/base/publish.h"
#include "runtime/node/bell.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/ordered.h"
#include "runtime/progress/progress.h"

static tti_node_window_counts *counts_of(const tti_windows *windows, int place)
{
    const tti_node_windows_layout *l = &windows->layout;
    return (tti_node_window_counts *)(void *)(l->first + (size_t)windows->peers[place] * l->of_peer);
}

/* How many of each rank's windows take turns. Of more ranks fewer: what they touch together has to stay in
 * caches. Among 32 ranks on two cores an allreduce takes 75 us in more jobs than not, and not 40, with 8
 * small windows or 128 tiny ones; among 16 with 32 small ones of 1 KiB 34 us, and not 20. Two ranks share no
 * processor as a rule, and are as quick as lines pass: with 128 tiny ones an allreduce of 8 bytes takes 100
 * ns, and not 95, and a root that is 16 parts of 16 KiB ahead takes 3 us for each, and not 0.5. */
#define FEW_RANKS 8
#define SOME_RANKS 16

static unsigned turns_among(int ranks, enum tti_node_window_kind kind)
{
    const unsigned count = tti_node_windows_count(kind);
    const bool tiny = kind == TTI_NODE_WINDOW_TINY;
    if (kind == TTI_NODE_WINDOW_LARGE || count < 8) return count; /* so few as in tests all take turns */
    if (ranks == 2) return tiny ? count / 4 : kind == TTI_NODE_WINDOW_PARTS ? count / 2 : count;
    if (ranks <= FEW_RANKS) return count;
    if (ranks <= SOME_RANKS) return count / 2;
    return count / (tiny ? 4 : 8);
}

void tti_windows_aim(tti_windows *windows, int set)
{
    windows->set = set;
    for (int kind = 0; kind < TTI_NODE_WINDOW_KINDS; kind++)
        windows->kinds[kind].turns = turns_among(windows->size, (enum tti_node_window_kind)kind);
    if (set >= 0) windows->layout = tti_node_windows_lie(windows->node, set);
}

void tti_windows_add_front(const tti_windows *windows, size_t writes, tti_windows_use *use)
{
    const size_t rest = use->at;
    use->front = tti_node_window_bytes(windows->node, TTI_NODE_WINDOW_FRONT);
    use->at = tti_windows_turn(windows, TTI_NODE_WINDOW_FRONT, use->number);
    use->shift = rest - use->front - use->at;
    if (writes <= use->front) use->apart = windows->kinds[TTI_NODE_WINDOW_FRONT].turns;
}

/* Whether all that a post is for put all in order before they sleep: then it needs no fence, which would wait
 * for its line with nothing else done meanwhile. */
TTI_HOT static bool are_ordered(const tti_windows *windows, int place)
{
    if (place >= 0) return tti_node_is_ordered(windows->node, windows->peers[place]);
    bool all = true;
    for (int r = 0; r < windows->size && all; r++)
        all = r == windows->rank || tti_node_is_ordered(windows->node, windows->peers[r]);
    return all;
}

TTI_HOT static void poke(const tti_windows *windows, int place)
{
    if (place >= 0) {
        tti_node_poke(windows->node, windows->peers[place]);
        return;
    }
    for (int r = 0; r < windows->size; r++)
        if (r != windows->rank) tti_node_poke(windows->node, windows->peers[r]);
}

/* How far all say that they are. */
static uint64_t look_at_all(const tti_windows *windows, enum tti_node_window_kind kind)
{
    uint64_t least = UINT64_MAX;
    for (int r = 0; r < windows->size; r++) {
        const uint64_t finished = atomic_load(&counts_of(windows, r)->finished[kind]);
        if (finished < least) least = finished;
    }
    return least;
}

/* Here they may have told less than they have shown in windows (tti_windows_all_through()). */
static bool are_free(tti_windows *windows, const tti_windows_use *use)
{
    uint64_t *by_all = &windows->kinds[use->kind].by_all;
    const uint64_t said = look_at_all(windows, use->kind);
    if (*by_all < said) *by_all = said;
    return use->number < *by_all + use->apart;
}

TTI_HOT bool tti_windows_free_for(tti_windows *windows, const tti_windows_use *use)
{
    const uint64_t by_all = windows->kinds[use->kind].by_all;
    if (use->number < by_all + use->apart) return true;
    if (are_free(windows, use)) return true;
    /* Who finishes from now on sees this, or is seen. */
    atomic_store(&counts_of(windows, 0)->wanted, 1);
    return are_free(windows, use);
}

bool tti_windows_holds(const tti_windows *windows, const tti_windows_use *use, int place)
{
    return use->number >= atomic_load(&counts_of(windows, place)->finished[use->kind]) + use->apart;
}

/* What is finished is told once in so many operations, a power of two: each time costs a line that others
 * look at, and as many windows less may be in use at once. */
TTI_HOT static uint64_t seldom(const tti_windows_progress *progress)
{
    return progress->turns >= 4 ? progress->turns / 4 : 1;
}

/* Whether the next one has been finished, too; the bits are for those behind it then. */
TTI_HOT static bool take_next(tti_windows_progress *p)
{
    if ((p->beyond[0] | p->beyond[1]) == 0) return false;
    const bool finished = (p->beyond[0] & 1) != 0;
    p->beyond[0] = p->beyond[0] >> 1 | p->beyond[1] << 63;
    p->beyond[1] >>= 1;
    return finished;
}

TTI_HOT void tti_windows_finish(tti_windows *windows, const tti_windows_use *use)
{
    tti_windows_progress *p = &windows->kinds[use->kind];
    _Atomic uint32_t *wanted = &counts_of(windows, 0)->wanted;
    const uint64_t before = p->finished;
    if (use->number != before) {
        const uint64_t place = use->number - before - 1;
        p->beyond[place / 64] |= UINT64_C(1) << place % 64;
        return;
    }
    p->finished++;
    while (take_next(p))
        p->finished++;
    if ((before ^ p->finished) < seldom(p)) return;
    tti_publish(&counts_of(windows, windows->rank)->finished[use->kind], p->finished);
    if (atomic_load(wanted) == 0) return;
    atomic_store(wanted, 0);
    poke(windows, TTI_ALL);
}

TTI_HOT void tti_windows_enter(const tti_windows *windows, const tti_windows_use *use, uint64_t mark,
                               bool awaited)
{
    tti_node_window *own = tti_windows_at(windows, windows->rank, use);
    own->mark = mark;
    if (awaited)
        tti_windows_post(windows, use, 0, TTI_ALL);
    else
        atomic_store_explicit(&own->posted, tti_windows_word(use, 0), memory_order_release);
}

/* The last word of a rank's call: the call's number, from 1; 0 while it tells another one. */
#define NUMBER (TTI_NODE_WINDOW_CALL - 1)

/* Who reads anything of a new call also reads that it is being written, or its mark. */
void tti_windows_tell(tti_windows *windows, const tti_windows_call *call)
{
    _Atomic uint64_t *mine = counts_of(windows, windows->rank)->call;
    atomic_store_explicit(&mine[NUMBER], 0, memory_order_relaxed);
    atomic_store_explicit(&mine[0], 0, memory_order_release);
    atomic_store_explicit(&mine[1], call->type, memory_order_release);
    atomic_store_explicit(&mine[2], call->rest, memory_order_release);
    atomic_store_explicit(&mine[0], call->mark, memory_order_release);
    windows->told = call->mark;
}

bool tti_windows_told(const tti_windows *windows, int place, uint64_t mark, tti_windows_call *call)
{
    const _Atomic uint64_t *theirs = counts_of(windows, place)->call;
    call->mark = atomic_load_explicit(&theirs[0], memory_order_acquire);
    call->type = atomic_load_explicit(&theirs[1], memory_order_acquire);
    call->rest = atomic_load_explicit(&theirs[2], memory_order_acquire);
    return call->mark == mark && atomic_load_explicit(&theirs[0], memory_order_acquire) == mark;
}

TTI_HOT void tti_windows_number(const tti_windows *windows, uint32_t number)
{
    _Atomic uint64_t *mine = counts_of(windows, windows->rank)->call;
    atomic_store_explicit(&mine[NUMBER], (uint64_t)number + 1, memory_order_release);
}

bool tti_windows_in_call(const tti_windows *windows, int place, uint32_t number, uint64_t *mark)
{
    const _Atomic uint64_t *theirs = counts_of(windows, place)->call;
    const uint64_t least = (uint64_t)number + 1;
    if (atomic_load_explicit(&theirs[NUMBER], memory_order_acquire) != least) return false;
    *mark = atomic_load_explicit(&theirs[0], memory_order_acquire);
    return atomic_load_explicit(&theirs[NUMBER], memory_order_acquire) == least;
}

/* More bytes are not asked for ahead. */
#define FETCHED_MOST 6400
#define LINE 64

/* Whether so many bytes are likely to be written past the caches. */
static bool goes_past(const tti_windows *windows, size_t bytes)
{
    return bytes >= TTI_FILLING_LEAST && bytes >= windows->filling.past_least;
}

TTI_HOT void tti_windows_fetch_next(const tti_windows *windows, const tti_windows_use *use, size_t bytes)
{
    if (use->kind == TTI_NODE_WINDOW_LARGE || goes_past(windows, bytes) || tti_wait_shares_now()) return;
    tti_windows_use next;
    tti_windows_next(windows, use->kind, 0, &next);
    char *window = (char *)tti_windows_at(windows, windows->rank, &next);
    const size_t lead = (uintptr_t)window % LINE; /* its word need not begin a line */
    const size_t end = lead + offsetof(tti_node_window, data) + bytes;
    for (size_t at = 0; at < end && at < FETCHED_MOST; at += LINE)
        tti_prefetch_write(window - lead + at);
}

TTI_HOT void tti_windows_post(const tti_windows *windows, const tti_windows_use *use, int post, int peer)
{
    _Atomic uint64_t *posted = &tti_windows_at(windows, windows->rank, use)->posted;
    tti_publish_to(are_ordered(windows, peer), posted, tti_windows_word(use, post));
    poke(windows, peer);
}

/* The fences: who has read anything that the program wrote since then sees this. */
void tti_windows_withdraw(const tti_windows *windows)
{
    atomic_store(&counts_of(windows, windows->rank)->withdrawn, 1);
    atomic_thread_fence(memory_order_seq_cst);
}

bool tti_windows_withdrawn(const tti_windows *windows, int place)
{
    atomic_thread_fence(memory_order_acquire);
    return atomic_load(&counts_of(windows, place)->withdrawn) != 0;
}

TTI_HOT void tti_windows_post_last(const tti_windows *windows, const tti_windows_use *use, int post)
{
    tti_publish(&tti_windows_at(windows, windows->size, use)->posted, tti_windows_word(use, post));
    poke(windows, TTI_ALL);
}

/* Who has come is counted in the low bits, and above them what each one's mark makes of it is added up: so it
 * shows without a look at each whether all came to the same. */
#define COME_BITS 20

static uint64_t unit_of(uint64_t mark)
{
    return (mark * UINT64_C(0x9e3779b97f4a7c15)) >> COME_BITS << COME_BITS | 1;
}

static _Atomic uint64_t *come_of(const tti_windows *windows, const tti_windows_use *use)
{
    return tti_node_window_come(tti_windows_at(windows, windows->size, use));
}

TTI_HOT bool tti_windows_come(const tti_windows *windows, const tti_windows_use *use, uint64_t mark, int time,
                              bool *agreed)
{
    const uint64_t unit = unit_of(mark), all = (uint64_t)time * (uint64_t)windows->size;
    const uint64_t come = atomic_fetch_add(come_of(windows, use), unit) + unit;
    *agreed = come == all * unit;
    return ((come ^ all) & ((UINT64_C(1) << COME_BITS) - 1)) == 0;
}

TTI_HOT void tti_windows_come_no_more(const tti_windows *windows, const tti_windows_use *use)
{
    atomic_store_explicit(come_of(windows, use), 0, memory_order_relaxed);
}

TTI_HOT bool tti_windows_has_posted(const tti_windows *windows, const tti_windows_use *use, int place,
                                    int post, bool *entered, uint64_t *mark)
{
    const tti_node_window *window = tti_windows_at(windows, place, use);
    const uint64_t posted = atomic_load(&window->posted), least = tti_windows_word(use, post);
    *entered = posted >> TTI_WINDOWS_POST_BITS == least >> TTI_WINDOWS_POST_BITS;
    if (*entered) *mark = window->mark;
    return tti_windows_reaches(posted, least);
}

void tti_windows_absent(const tti_windows *windows, const tti_windows_use *use, const tutti_comm *comm,
                        tti_awaited *awaited)
{
    for (int place = 0; place < windows->size; place++) {
        bool entered;
        uint64_t mark;
        if (!tti_windows_has_posted(windows, use, place, 0, &entered, &mark))
            tti_awaited_add(awaited, tti_comm_job_rank(comm, tti_windows_rank(windows, place)));
    }
}
