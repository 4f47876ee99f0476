/* SPDX-License-Identifier: BSD-3-Clause */
/* No rank leaves before every rank has entered. */
#include "collectives/barrier/barrier.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"dissemination", tti_barrier_dissemination, TTI_TAKES_RADIX,
     "each round tells k-1 ranks ever farther on"},
    {"tree", tti_barrier_tree, TTI_TAKES_RADIX, "up and down a k-nomial tree"},
    {"by_node", tti_barrier_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "inside each node, dissemination among the leaders"},
    {"window", tti_barrier_window, TTI_NEEDS_WINDOW, "on shared memory, each tells all"},
    {"counted", tti_barrier_counted, TTI_NEEDS_WINDOW | TTI_COUNTS,
     "on shared memory, the last to come tells all"},
    {"window_tree", tti_barrier_window_tree, TTI_NEEDS_WINDOW | TTI_TAKES_RADIX,
     "on shared memory, up and down a k-nomial tree"},
};

static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "counted", 0, 0, "ranks that share processors: each needs its own once"},
    {2, TTI_ANY_BYTES, "window", 0, 0, "two ranks of a node: each tells the other"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window_tree", 8, 0, "on one node: few words for each to wait for"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 4, 0,
     "several ranks a node: one message a node and round on the network"},
    {4, TTI_ANY_BYTES, "dissemination", 0, 0, "so few ranks that one round does"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "dissemination", 4, 0, "fewest rounds"},
};

TTI_CHECK(barrier)

const tti_contract tti_contract_barrier = {
    .number = TTI_BARRIER,
    .name = "barrier",
    .meets = true,
    .before = tti_contents_none,
    .after = tti_contents_none,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(barrier, (tutti_comm *comm),
          .comm = comm);
/* clang-format on */
