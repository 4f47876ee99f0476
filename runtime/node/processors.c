/* SPDX-License-Identifier: BSD-3-Clause */
/* The node's ranks on their processors: which they may run on, as each was started, whether they are stopped,
 * and what turns they take. */
#include "runtime/node/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/own_cpus.h"
#include "runtime/node/segment.h"

void tti_node_note_processors(tti_node_card *card)
{
    card->cpus = tti_own_cpus();
}

bool tti_node_all_here(const tti_node *node)
{
    return atomic_load_explicit(&node->header->attached, memory_order_acquire) >= (uint32_t)node->expected;
}

bool tti_node_has_come(const tti_node *node, int peer)
{
    return atomic_load(&tti_node_card_of(node, peer)->pid) != 0;
}

int tti_node_expected(const tti_node *node)
{
    return node->expected;
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

TTI_HOT void tti_node_note_turn(const tti_node *node, int64_t ended, int64_t took)
{
    tti_node_card *own = tti_node_card_of(node, node->index);
    atomic_store_explicit(&own->turn_took, took, memory_order_relaxed);
    atomic_store_explicit(&own->turn_ended, ended, memory_order_relaxed);
}

int64_t tti_node_turns(const tti_node *node, int64_t since, int64_t most)
{
    int64_t all = 0;
    for (int peer = 0; peer < node->ranks; peer++) {
        const tti_node_card *card = tti_node_card_of(node, peer);
        const int64_t took = atomic_load_explicit(&card->turn_took, memory_order_relaxed);
        if (peer == node->index || atomic_load_explicit(&card->turn_ended, memory_order_relaxed) < since)
            continue;
        all += took < most ? took : most;
    }
    return all;
}

/* The state stands behind the program's name, which is in parentheses and may hold any. */
bool tti_node_is_stopped(const tti_node *node, int peer)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)atomic_load(&tti_node_card_of(node, peer)->pid));
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && state[1] == ' ' && (state[2] == 'T' || state[2] == 't');
}
