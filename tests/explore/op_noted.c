/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations are not compiled for the explorer: what they read and write is noted here. */
#include "collectives/contract/op.h"
#include "runtime/base/element.h"
#include "tests/explore/races.h"

void explore_op_apply(const tutti_op *op, const void *in, void *inout, size_t count, tutti_type type);

void explore_op_apply(const tutti_op *op, const void *in, void *inout, size_t count, tutti_type type)
{
    const size_t bytes = count * tti_element_bytes(type);
    races_note(in, bytes, false);
    races_note(inout, bytes, true);
    tti_op_apply(op, in, inout, count, type);
}
