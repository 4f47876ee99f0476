/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/contract/contract.h"

#include <string.h>

#include "runtime/base/status.h"

const tti_contract *const tti_contracts[TTI_COLLECTIVES] = {
#define COLLECTIVE(NAME, name, ...) [TTI_##NAME] = &tti_contract_##name,
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
};

const tti_algorithm *tti_algorithm_find(enum tti_collective collective, const char *name, size_t length)
{
    const tti_contract *contract = tti_contracts[collective];
    for (int i = 0; i < contract->count; i++) {
        const tti_algorithm *row = &contract->algorithms[i];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    }
    return NULL;
}

static int build(const tti_algorithm *algorithm, const tti_shape *shape, tti_schedule **schedule)
{
    tti_builder *builder = tti_build_begin(shape->element);
    if (builder == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to build a collective's schedule");
    algorithm->build(shape, builder);
    return tti_build_finish(builder, schedule);
}

int tti_algorithm_build(const tti_algorithm *algorithm, const tti_shape *shape, tti_schedule **schedule)
{
    int code = build(algorithm, shape, schedule);
    if (code < 0 || (algorithm->wants & TTI_COUNTS) == 0 || shape->size == 1) return code;
    tti_shape last = *shape;
    last.rank = shape->size;
    last.in_place = false; /* it has no buffers */
    code = build(algorithm, &last, &(*schedule)->last);
    if (code == 0) return 0;
    tti_schedule_free(*schedule);
    *schedule = NULL;
    return code;
}
