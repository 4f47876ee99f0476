/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/bine.h"

#include <stdbool.h>

int tti_bine_steps(int size)
{
    int steps = 0;
    while ((1LL << steps) < size)
        steps++;
    return steps;
}

int tti_bine_ways(int size, int *memory)
{
    const int steps = tti_bine_steps(size), ways = 1 << steps;
    int *reached = memory + ways;
    for (int w = 1; w < ways; w++)
        memory[w] = -1;
    for (int place = 1; place < size; place++)
        reached[place] = false;
    memory[0] = 0;
    reached[0] = true;
    for (int r = 0; r < steps; r++)
        for (int w = 0; w < 1 << r; w++) {
            if (memory[w] < 0) continue;
            const int next = tti_bine_partner(memory[w], steps - 1 - r, size);
            if (!reached[next]) memory[w | 1 << r] = next;
            reached[next] = true;
        }
    return steps;
}

void tti_bine_tree_open(int place, int size, int *memory, tti_bine_tree *tree)
{
    const int even = size - size % 2;
    *tree = (tti_bine_tree){.parent = place == 0 ? -1 : 0};
    if (size % 2 != 0 && size > 1 && place == 0) tree->child[tree->children++] = size - 1;
    if (place >= even) return;
    const int steps = tti_bine_ways(even, memory);
    int way = 0, r = 0; /* the caller's, and the first step after it */
    while (memory[way] != place)
        way++;
    while (way >> r > 0)
        r++;
    if (place > 0) tree->parent = memory[way ^ 1 << (r - 1)];
    for (; r < steps; r++)
        if (memory[way | 1 << r] >= 0) tree->child[tree->children++] = memory[way | 1 << r];
}
