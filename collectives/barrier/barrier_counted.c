/* SPDX-License-Identifier: BSD-3-Clause */
/* Each counts itself, and whoever comes last tells all: each needs its processor once.
 *
 *   2 →     0 →     1 → last         last → 0, 1, 2
 */
#include "collectives/barrier/barrier.h"

void tti_barrier_counted(const tti_shape *shape, tti_builder *builder)
{
    const int last = shape->size;
    if (shape->size == 1) return;
    if (shape->rank == last) {
        tti_build_await_post(builder, TTI_ALL, 1);
        tti_build_post(builder, TTI_ALL);
    } else {
        tti_build_post(builder, last);
        tti_build_await_post(builder, last, 1);
    }
}
