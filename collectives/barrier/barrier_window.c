/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/barrier/barrier.h"

/* Each tells all on shared memory, and waits for all. */
void tti_barrier_window(const tti_shape *shape, tti_builder *builder)
{
    if (shape->size == 1) return;
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
}

/* All tell the first rank, which tells all: fewer words to look at, and to wake for, by one passage more.
 *
 *   1 → 0     2 → 0     3 → 0          0 → 1, 2, 3
 */
void tti_barrier_window_lead(const tti_shape *shape, tti_builder *builder)
{
    if (shape->size == 1) return;
    if (shape->rank == 0) {
        tti_build_await_post(builder, TTI_ALL, 1);
        tti_build_post(builder, TTI_ALL);
    } else {
        tti_build_post(builder, 0);
        tti_build_await_post(builder, 0, 1);
    }
}
