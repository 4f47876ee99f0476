/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the ranks of the node have a processor each, from the affinity that each was started with. */
#include <string.h>

#include "runtime/node/segment.h"

void tti_node_note_processors(tti_node_card *card)
{
    /* Fails where processors have numbers beyond the set's: then they are many. */
    if (sched_getaffinity(0, sizeof card->cpus, &card->cpus) != 0)
        memset(&card->cpus, 0xff, sizeof card->cpus);
}

bool tti_node_all_here(const tti_node *node)
{
    return atomic_load_explicit(&node->header->attached, memory_order_acquire) >= (uint32_t)node->ranks;
}

bool tti_node_crowded(const tti_node *node)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < node->ranks; i++) {
        const tti_node_card *card = tti_node_card_of(node, i);
        if (atomic_load(&card->pid) != 0) CPU_OR(&all, &all, &card->cpus);
    }
    return CPU_COUNT(&all) < node->ranks;
}
