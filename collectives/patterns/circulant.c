/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/circulant.h"

#include <limits.h>

#include "collectives/patterns/parts.h"

void tti_circulant_open(int size, tti_circulant *graph)
{
    *graph = (tti_circulant){.size = size};
    while ((1LL << graph->rounds) < size)
        graph->rounds++;
    graph->skip[graph->rounds] = size;
    for (int k = graph->rounds; k > 0; k--)
        graph->skip[k - 1] = graph->skip[k] - graph->skip[k] / 2;
}

/* The skips that are still to be found on ways from place 0, greatest first, as a list of indices; and the
 * blocks found so far. Distances are of the place, one turn around the ring on. */
typedef struct {
    const tti_circulant *graph;
    long long target;
    int after[TTI_CIRCULANT_ROUNDS + 2], before[TTI_CIRCULANT_ROUNDS + 2]; /* [index + 1]; 0 is both ends */
    int *found, count;
} search;

static void unlink_skip(search *s, int index)
{
    const int after = s->after[index + 1], before = s->before[index + 1];
    s->after[before] = after;
    s->before[after] = before;
}

/* The first skip on the way to a place: the block that comes to it in the first turn. Of place 0 it is one
 * more than there are. */
static int first_skip(const tti_circulant *graph, int place)
{
    for (int k = graph->rounds - 1; k >= 0; k--) {
        if (place == graph->skip[k]) return k;
        if (place > graph->skip[k]) place -= graph->skip[k];
    }
    return graph->rounds;
}

/* Looks for ways of different skips to within skip[count] … skip[count + 1] of the target, one for each
 * count, from the greatest skip in the list from `index` on; `at` is the way so far, and none may come to
 * `end` or beyond. Each skip is found once and then leaves the list, so that all takes O(log). */
static void find_from(search *s, long long at, long long end, int index)
{
    const int *skip = s->graph->skip;
    for (; index >= 0 && s->count < s->graph->rounds; index = s->after[index + 1] - 1) {
        const long long next = at + skip[index];
        if (next > s->target - skip[s->count] || next >= end) continue;
        if (next <= s->target - skip[s->count + 1]) find_from(s, next, end, index);
        if (s->count == s->graph->rounds || at > s->target - skip[s->count + 1]) return;
        end = next;
        s->found[s->count++] = index;
        unlink_skip(s, index);
    }
}

/* In which round of the last turn the last block comes: what a block beyond it would be, is this one. */
static int newest_round(const tti_circulant_place *r)
{
    int newest = INT_MAX;
    for (int k = 0; k < r->graph->rounds; k++) {
        int round = k - r->idle, block = r->received[k] - r->idle;
        while (round < 0 || block < r->blocks - 1) {
            const int turns = (r->blocks - 1 - block + r->graph->rounds - 1) / r->graph->rounds;
            round += (turns > 1 ? turns : 1) * r->graph->rounds;
            block += (turns > 1 ? turns : 1) * r->graph->rounds;
        }
        if (round < newest) newest = round;
    }
    return newest;
}

/* `blocks` > 0; `place` 0 … size - 1. */
static void set_receiver(const tti_circulant *graph, int place, int blocks, tti_circulant_place *receiver)
{
    const int rounds = graph->rounds, first = first_skip(graph, place);
    *receiver = (tti_circulant_place){.graph = graph, .blocks = blocks, .newest = -1};
    if (rounds == 0) return;
    receiver->idle = (rounds - (blocks - 1) % rounds) % rounds;
    receiver->number = blocks - 1 + rounds;
    search s = {.graph = graph, .target = (long long)graph->size + place, .found = receiver->received};
    for (int i = 0; i <= rounds + 1; i++) {
        s.after[i] = i > 0 ? i - 1 : rounds + 1;
        s.before[i] = i <= rounds ? i + 1 : 0;
    }
    unlink_skip(&s, first);
    find_from(&s, 0, 2LL * graph->size, s.after[0] - 1);
    for (int k = 0; k < rounds; k++)
        receiver->received[k] = receiver->received[k] == rounds ? first : receiver->received[k] - rounds;
    if (place > 0) receiver->newest = newest_round(receiver);
}

int tti_circulant_block(const tti_circulant_place *receiver, int round)
{
    const int rounds = receiver->graph->rounds;
    if (receiver->newest < 0) return -1; /* place 0 has all */
    const int step = round + receiver->idle;
    const int block = receiver->received[step % rounds] - receiver->idle + step / rounds * rounds;
    if (block < receiver->blocks - 1) return block >= 0 ? block : -1;
    return round == receiver->newest ? receiver->blocks - 1 : -1;
}

void tti_circulant_pass_open(int size, int place, int blocks, tti_circulant_pass *pass)
{
    tti_circulant_open(size, &pass->graph);
    set_receiver(&pass->graph, place, blocks, &pass->own);
    for (int k = 0; k < pass->graph.rounds; k++)
        set_receiver(&pass->graph, tti_ring(place, pass->graph.skip[k], size), blocks, &pass->beyond[k]);
}
