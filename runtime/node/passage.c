/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a line takes from a peer now, and what follows for the ways to it. */
#include "runtime/base/mean.h"
#include "runtime/base/timed_load.h"
#include "runtime/node/segment.h"

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
    const tti_figures now = tti_figures_at(&crossings->figures, out->passage_ns);
    out->judged_ns = out->passage_ns;
    out->past_least = tti_crossing_past_least(&now);
    out->fetch_least = crossings->forced ? crossings->fetch : tti_crossings_of(&now).fetch;
}

/* The word is in the peer's cache if it has changed. */
void tti_node_time_passage(const tti_node *node, tti_node_outbox *out)
{
    const tti_timed_load seen = tti_load_timed(&out->ring->taken);
    if (seen.value != out->taken) note(node, out, seen.ns);
    out->taken = seen.value;
}
