/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a line takes from a peer now, and what follows for the ways to it. */
#include <string.h>

#include "runtime/base/mean.h"
#include "runtime/base/timed_load.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"

/* What changes by less is the same. */
static bool differs(int64_t a, int64_t b)
{
    return 4 * a > 5 * b || 5 * a < 4 * b;
}

/* A look that took so many times as long as the others, or as short, counts as that much: now and then a
 * reader is interrupted, or has the line already, and what follows may keep the next look off for long. */
#define APART_MOST 2

static int64_t within_reach(int64_t ns, int64_t mean)
{
    const int64_t least = mean / APART_MOST, most = mean * APART_MOST;
    return ns < least ? least : ns < most ? ns : most;
}

static void judge(tti_node_outbox *out, const tti_figures *figures, const tti_crossings *crossings)
{
    out->judged_ns = out->passage_ns;
    out->past_least = tti_crossing_past_least(figures);
    out->fetch_least = crossings->fetch;
    memcpy(out->single, crossings->single, sizeof out->single);
}

void tti_node_expect_passage(const tti_node *node, tti_node_outbox *out)
{
    const tti_crossings *crossings = &node->header->crossings;
    out->passage_ns = crossings->figures.value[TTI_FIGURE_LOAD];
    judge(out, &crossings->figures, crossings);
}

void tti_node_note_passage(const tti_node *node, tti_node_outbox *out, int64_t ns)
{
    const tti_crossings *crossings = &node->header->crossings;
    out->passage_ns = tti_mean_with(out->passage_ns, within_reach(ns, out->passage_ns));
    if (!differs(out->passage_ns, out->judged_ns)) return;
    const tti_figures figures = tti_figures_at(&crossings->figures, out->passage_ns);
    const tti_crossings now = crossings->forced ? *crossings : tti_crossings_of(&figures);
    judge(out, &figures, &now);
}

/* The word is in the peer's cache if it has changed. Its page may be forgotten by now, as after a copy by the
 * kernel, and to find that again takes longer than the line: so another of its lines is read first. */
void tti_node_time_passage(const tti_node *node, tti_node_outbox *out)
{
    (void)atomic_load_explicit(&out->ring->consumed, memory_order_relaxed);
    const tti_timed_load seen = tti_load_timed(&out->ring->taken);
    if (seen.value != out->taken) tti_node_note_passage(node, out, seen.ns);
    out->taken = seen.value;
}

/* At first often: the figures are of other moments. */
#define OFTEN 16

/* Each says something new, so that the other has a line to time. */
size_t tti_node_single_least(tti_node *node, int peer, enum tti_crossing_collective crossing)
{
    tti_node_outbox *out = &node->out[peer];
    const uint32_t look = out->meetings++;
    if (look < OFTEN || look % TTI_NODE_TAKEN_APART == 0) {
        _Atomic uint64_t *own = &node->in[peer].ring->taken;
        tti_node_time_passage(node, out);
        atomic_store_explicit(own, atomic_load_explicit(own, memory_order_relaxed) + 1, memory_order_relaxed);
    }
    return out->single[crossing];
}
