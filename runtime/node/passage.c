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

/* A line that the peer has written was read in so many ns. */
static void note(const tti_node *node, tti_node_outbox *out, int64_t ns)
{
    const tti_crossings *crossings = &node->header->crossings;
    out->passage_ns = tti_mean_with(out->passage_ns, ns);
    if (!differs(out->passage_ns, out->judged_ns)) return;
    const tti_figures figures = tti_figures_at(&crossings->figures, out->passage_ns);
    const tti_crossings now = crossings->forced ? *crossings : tti_crossings_of(&figures);
    out->judged_ns = out->passage_ns;
    out->past_least = tti_crossing_past_least(&figures);
    out->fetch_least = now.fetch;
    memcpy(out->single, now.single, sizeof out->single);
}

/* The word is in the peer's cache if it has changed. */
void tti_node_time_passage(const tti_node *node, tti_node_outbox *out)
{
    const tti_timed_load seen = tti_load_timed(&out->ring->taken);
    if (seen.value != out->taken) note(node, out, seen.ns);
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
