/* SPDX-License-Identifier: BSD-3-Clause */
/* k-dissemination. After round r a rank has heard, directly or not, from the k^(r+1) - 1 ranks before it.
 * log_k P rounds, in each k - 1 messages of each rank.
 *
 *   5 ranks, radix 2         round 0        round 1        round 2
 *                            r → r+1        r → r+2        r → r+4
 *   rank 0 has heard of      4              2,3,4          all
 *
 * D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", 1988; with k-1 messages a
 * round: T. Hoefler et al., "Fast barrier synchronization for InfiniBand", 2006. */
#include "collectives/barrier/barrier.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"

void tti_barrier_dissemination(const tti_shape *shape, tti_builder *builder)
{
    const int count = tti_radix_count(shape->size, shape->radix);
    /* From the first on, step 2i is the await and 2i + 1 the signal of distance i. */
    int first = 0;
    for (int i = 0; i < count; i++) {
        const int distance = (int)tti_radix_distance(i, shape->radix);
        const int round = tti_radix_round(i, shape->radix);
        const int step = tti_build_await(builder, tti_ring(shape->rank, -distance, shape->size), round);
        if (i == 0) first = step;
        tti_build_signal(builder, tti_ring(shape->rank, distance, shape->size), round);
        for (int earlier = 0; earlier < round * (shape->radix - 1); earlier++)
            tti_build_after(builder, first + 2 * earlier);
    }
}
