/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a line takes from a peer now, and what follows for the ways to it. */
#include "runtime/base/clock.h"
#include "runtime/base/mean.h"
#include "runtime/node/segment.h"

/* What changes by less is the same. */
static bool differs(int64_t a, int64_t b)
{
    return 4 * a > 5 * b || 5 * a < 4 * b;
}

/* A line has passed from the peer in so many ns. */
static void note(const tti_node *node, tti_node_outbox *out, int64_t ns)
{
    const tti_crossings *crossings = &node->header->crossings;
    out->passage_ns = tti_mean_with(out->passage_ns, ns);
    if (!differs(out->passage_ns, out->judged_ns)) return;
    const tti_figures now = tti_figures_at(&crossings->figures, out->passage_ns);
    out->judged_ns = out->passage_ns;
    out->past_least = tti_crossing_past_least(&now);
    out->fetch_least = crossings->forced ? crossings->fetch : tti_crossings_of(&now).fetch;
}

/* The word is in the peer's cache if it has changed. What the clock takes is not left out: it stands for what
 * the figure of a line holds beside a mere load. */
void tti_node_time_passage(const tti_node *node, tti_node_outbox *out)
{
    tti_clock_settle();
    const int64_t begun = tti_clock_ns();
    tti_clock_settle();
    const uint64_t now = atomic_load_explicit(&out->ring->taken, memory_order_relaxed);
    const int64_t took = tti_clock_ns() - begun;
    if (now != out->taken) note(node, out, took);
    out->taken = now;
}
