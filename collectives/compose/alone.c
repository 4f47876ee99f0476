/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/alone.h"

bool tti_combines_alone(const tti_shape *shape, tti_builder *builder, size_t bytes)
{
    if (shape->size == 1 && !shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, 0), bytes);
    return shape->size == 1 || bytes == 0;
}
