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

int tti_keep_order(const int *node_of, int size, int *ranks)
{
    place *places = malloc((size_t)size * sizeof *places);
    if (places == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the places of %d ranks", size);
    for (int i = 0; i < size; i++)
        places[i] = (place){node_of[i], i};
    qsort(places, (size_t)size, sizeof *places, by_node);
    for (int i = 0; i < size; i++)
        ranks[i] = places[i].rank;
    free(places);
    return 0;
}

static int largest_node(const int *node_of, const int *ranks, int size)
{
    int largest = 0, run = 0;
    for (int i = 0; i < size; i++) {
        run = i > 0 && node_of[ranks[i]] == node_of[ranks[i - 1]] ? run + 1 : 1;
        if (run > largest) largest = run;
    }
    return largest;
}

int tti_keep_pair(const int *node_of, int size, int *buddy)
{
    int *ranks = malloc((size_t)size * sizeof *ranks);
    int code = TUTTI_ERR_NO_MEMORY;
    if (ranks == NULL)
        tti_fail(code, "no memory for the buddies of %d ranks", size);
    else
        code = tti_keep_order(node_of, size, ranks);
    if (code == 0) {
        const int largest = largest_node(node_of, ranks, size), step = largest < size ? largest : 1;
        for (int i = 0; i < size; i++)
            buddy[ranks[i]] = ranks[(i + step) % size];
    }
    free(ranks);
    return code;
}
