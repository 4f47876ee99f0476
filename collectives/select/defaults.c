/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/select/defaults.h"

#include <limits.h>
#include <stdint.h>

#define ANY_RANKS INT_MAX
#define ANY_BYTES SIZE_MAX
#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

static const tti_default_row barrier[] = {
    {ANY_RANKS, ANY_BYTES, "by_node", 4, 0,
     "several ranks a node: one message a node and round on the network"},
    {4, ANY_BYTES, "dissemination", 0, 0, "so few ranks that one round does"},
    {ANY_RANKS, ANY_BYTES, "dissemination", 4, 0, "fewest rounds"},
};
static const tti_default_row bcast[] = {
    {ANY_RANKS, KIB(64), "by_node", 4, KIB(16), "several ranks a node: the message goes to each node once"},
    {ANY_RANKS, ANY_BYTES, "by_node_ring", 2, 0, "several ranks a node, large: to each node once, in parts"},
    {3, ANY_BYTES, "knomial", 0, 0, "so few ranks that the root sends to each"},
    {ANY_RANKS, KIB(16), "knomial", 4, 0, "small: fewest rounds"},
    {8, ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {64, KIB(256), "knomial", 2, 0, "medium: rounds cost more than bandwidth"},
    {64, ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {ANY_RANKS, MIB(1), "knomial", 2, 0, "many ranks: rounds cost more than bandwidth"},
    {1024, ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {ANY_RANKS, ANY_BYTES, "chain", 0, KIB(256), "very many ranks: a pipeline"},
};
static const tti_default_row reduce[] = {
    {ANY_RANKS, KIB(256), "by_node", 4, 0, "several ranks a node: one contribution a node on the network"},
    {4, KIB(16), "knomial", 0, 0, "so few ranks that each sends to the root"},
    {ANY_RANKS, KIB(16), "knomial", 4, 0, "small: fewest rounds"},
    {ANY_RANKS, ANY_BYTES, "knomial", 2, 0, "large: least incoming data at a rank"},
};
static const tti_default_row allreduce[] = {
    {ANY_RANKS, KIB(32), "by_node", 4, KIB(16),
     "several ranks a node: one contribution a node on the network"},
    {ANY_RANKS, ANY_BYTES, "by_node_split", 4, 0,
     "several ranks a node, large: one contribution a node, in parts"},
    {4, KIB(2), "recmul", 0, 0, "few ranks, small: one exchange of all with all"},
    {ANY_RANKS, KIB(2), "recmul", 4, 0, "small: fewest rounds"},
    {2, KIB(64), "recmul", 2, 0, "two ranks: one exchange"},
    {ANY_RANKS, KIB(8), "recmul", 2, 0, "medium: fewest rounds of whole messages"},
    {ANY_RANKS, MIB(1), "rabenseifner", 2, 0, "large: least data in few rounds"},
    {64, ANY_BYTES, "ring", 0, 0, "very large: least data, neighbours only"},
    {ANY_RANKS, ANY_BYTES, "rabenseifner", 2, 0, "large: least data in few rounds"},
};
static const tti_default_row allgather[] = {
    {ANY_RANKS, KIB(4), "by_node", 4, 0, "several ranks a node, small: one message a node on the network"},
    {4, KIB(2), "bruck", 0, 0, "few ranks, small: one exchange of all with all"},
    {ANY_RANKS, KIB(2), "bruck", 2, 0, "small: fewest rounds"},
    {1024, ANY_BYTES, "ring", 0, 0, "large: straight into place, neighbours only"},
    {ANY_RANKS, ANY_BYTES, "bruck", 2, 0, "very many ranks: fewest rounds"},
};

static const tti_default_row *const tables[TTI_COLLECTIVES] = {
    [TTI_BARRIER] = barrier,     [TTI_BCAST] = bcast,         [TTI_REDUCE] = reduce,
    [TTI_ALLREDUCE] = allreduce, [TTI_ALLGATHER] = allgather,
};

const tti_default_row *tti_defaults(enum tti_collective collective)
{
    return tables[collective];
}
