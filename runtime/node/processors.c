/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processors the ranks of the node may run on, as each was started. */
#include <stdlib.h>

#include "runtime/node/segment.h"

void tti_node_note_processors(tti_node_card *card)
{
    /* Fails where processors have numbers beyond the set's. */
    if (sched_getaffinity(0, sizeof card->cpus, &card->cpus) != 0) CPU_ZERO(&card->cpus);
}

bool tti_node_all_here(const tti_node *node)
{
    return atomic_load_explicit(&node->header->attached, memory_order_acquire) >= (uint32_t)node->ranks;
}

cpu_set_t *tti_node_cpus(const tti_node *node, int *ranks)
{
    cpu_set_t *sets = calloc((size_t)node->ranks, sizeof *sets);
    *ranks = node->ranks;
    for (int i = 0; i < node->ranks && sets != NULL; i++) {
        const tti_node_card *card = tti_node_card_of(node, i);
        if (atomic_load(&card->pid) != 0) sets[i] = card->cpus;
    }
    return sets;
}
