/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the order of their nodes, and each one's buddy so many places on as the largest node has ranks:
 *
 *     rank    0 1 2 | 3 4 | 5 6        largest node: 3
 *     buddy   3 4 5 | 6 0 | 1 2
 *
 * In any node of at most that many ranks nobody reaches a rank of its own so, as long as the others are no
 * fewer. Where one node has more than half of all ranks, those of its ranks have buddies at home that must.
 */
#include "keep/buddies.h"

#include <stdlib.h>

#include "runtime/base/status.h"

typedef struct {
    int node, rank;
} place;

static int by_node(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

static int largest_node(const place *places, int size)
{
    int largest = 0, run = 0;
    for (int i = 0; i < size; i++) {
        run = i > 0 && places[i].node == places[i - 1].node ? run + 1 : 1;
        if (run > largest) largest = run;
    }
    return largest;
}

int tti_keep_pair(const int *node_of, int size, int *buddy)
{
    place *places = malloc((size_t)size * sizeof *places);
    if (places == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the buddies of %d ranks", size);
    for (int i = 0; i < size; i++)
        places[i] = (place){node_of[i], i};
    qsort(places, (size_t)size, sizeof *places, by_node);
    const int largest = largest_node(places, size), step = largest < size ? largest : 1;
    for (int i = 0; i < size; i++)
        buddy[places[i].rank] = places[(i + step) % size].rank;
    free(places);
    return 0;
}
