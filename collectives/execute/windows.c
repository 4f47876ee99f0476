/* SPDX-License-Identifier: BSD-3-Clause */
/* The flags of windows. In `posted` a rank shows the number of the operation, from 1, above the number of its
 * last post in it; in `finished` how many operations it has done with.
 *
 * Memory order: a word is stored sequentially consistent after what it announces, and then it is looked
 * whether anybody sleeps, or wants to hear of it; who waits says so first and then looks at the word once
 * more (runtime/node/bell.c). */
#include "collectives/execute/windows.h"

#include "runtime/base/atomics.h"
#include "runtime/base/hot.h"
#include "runtime/base/publish.h"

#define POST_BITS 16

static const uint64_t count_of[TTI_NODE_WINDOW_KINDS] = {TTI_NODE_SMALL_WINDOWS, TTI_NODE_LARGE_WINDOWS};

static uint64_t word_of(const tti_windows_use *use, int post)
{
    return (use->number + 1) << POST_BITS | (uint64_t)post;
}

static tti_node_window_counts *counts_of(const tti_windows *windows, int rank)
{
    return tti_node_window_counts_of(windows->node, windows->set, windows->peers[rank]);
}

TTI_HOT tti_node_window *tti_windows_at(const tti_windows *windows, int rank, const tti_windows_use *use)
{
    return tti_node_window_at(windows->node, windows->set, windows->peers[rank], use->kind,
                              (int)(use->number % count_of[use->kind]));
}

TTI_HOT static void poke(const tti_windows *windows, int rank)
{
    if (rank >= 0) {
        tti_node_poke(windows->node, windows->peers[rank]);
        return;
    }
    for (int r = 0; r < windows->size; r++)
        if (r != windows->rank) tti_node_poke(windows->node, windows->peers[r]);
}

TTI_HOT tti_windows_use tti_windows_begin(tti_windows *windows, enum tti_node_window_kind kind)
{
    return (tti_windows_use){kind, windows->kinds[kind].begun++};
}

/* How far all are. */
static uint64_t look_at_all(const tti_windows *windows, enum tti_node_window_kind kind)
{
    uint64_t least = UINT64_MAX;
    for (int r = 0; r < windows->size; r++) {
        const uint64_t finished = atomic_load(&counts_of(windows, r)->finished[kind]);
        if (finished < least) least = finished;
    }
    return least;
}

TTI_HOT bool tti_windows_free_for(tti_windows *windows, const tti_windows_use *use)
{
    tti_windows_progress *p = &windows->kinds[use->kind];
    if (use->number < p->by_all + count_of[use->kind]) return true;
    p->by_all = look_at_all(windows, use->kind);
    if (use->number < p->by_all + count_of[use->kind]) return true;
    /* Who finishes from now on sees this, or is seen. */
    atomic_store(&counts_of(windows, 0)->wanted, 1);
    p->by_all = look_at_all(windows, use->kind);
    return use->number < p->by_all + count_of[use->kind];
}

TTI_HOT void tti_windows_finish(tti_windows *windows, const tti_windows_use *use)
{
    tti_windows_progress *p = &windows->kinds[use->kind];
    _Atomic uint32_t *wanted = &counts_of(windows, 0)->wanted;
    if (use->number != p->finished) {
        p->beyond |= UINT64_C(1) << (use->number - p->finished - 1);
        return;
    }
    for (p->finished++; (p->beyond & 1) != 0; p->finished++)
        p->beyond >>= 1;
    p->beyond >>= 1;
    tti_publish(&counts_of(windows, windows->rank)->finished[use->kind], p->finished);
    if (atomic_load(wanted) == 0) return;
    atomic_store(wanted, 0);
    poke(windows, TTI_ALL);
}

TTI_HOT void tti_windows_enter(const tti_windows *windows, const tti_windows_use *use, uint64_t mark)
{
    tti_node_window *own = tti_windows_at(windows, windows->rank, use);
    own->mark = mark;
    atomic_store_explicit(&own->posted, word_of(use, 0), memory_order_release);
}

TTI_HOT void tti_windows_post(const tti_windows *windows, const tti_windows_use *use, int post, int peer)
{
    tti_publish(&tti_windows_at(windows, windows->rank, use)->posted, word_of(use, post));
    poke(windows, peer);
}

TTI_HOT bool tti_windows_has_posted(const tti_windows *windows, const tti_windows_use *use, int rank,
                                    int post, bool *entered, uint64_t *mark)
{
    const tti_node_window *window = tti_windows_at(windows, rank, use);
    const uint64_t posted = atomic_load(&window->posted), least = word_of(use, post);
    *entered = posted >> POST_BITS == least >> POST_BITS;
    if (*entered) *mark = window->mark;
    return posted >= least;
}
