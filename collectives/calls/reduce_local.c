/* SPDX-License-Identifier: BSD-3-Clause */
/* What a collective does to combine two contributions, for programs that combine in an order of their own. */
#include "collectives/calls/call_buffers.h"
#include "collectives/contract/op.h"
#include "runtime/base/element.h"
#include "runtime/base/status.h"

static const char name[] = "tutti_reduce_local";

static int check_buffers(const void *in, const void *inout, size_t count, size_t element)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, element, &bytes) || bytes > PTRDIFF_MAX)
        return tti_call_wrong_count(name, count, element);
    if (bytes > 0 && (in == NULL || inout == NULL))
        return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL with %zu bytes", name, in == NULL ? "in" : "inout",
                        bytes);
    if (bytes > 0 && (in == TUTTI_IN_PLACE || inout == TUTTI_IN_PLACE))
        return tti_fail(TUTTI_ERR_ARG, "%s: %s is TUTTI_IN_PLACE, for which nothing stands here", name,
                        in == TUTTI_IN_PLACE ? "in" : "inout");
    if (!tti_call_meet(in, bytes, inout, bytes)) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: in and inout overlap; to combine elements with themselves copy them",
                    name);
}

static int combine(const void *in, void *inout, size_t count, tutti_type type, const tutti_op *op)
{
    int code = tti_op_check(name, op, type);
    if (code == 0) code = check_buffers(in, inout, count, tti_element_bytes(type));
    if (code < 0 || count == 0) return code;
    tti_op_apply(op, in, inout, count, type);
    return 0;
}

int tutti_reduce_local(const void *in, void *inout, size_t count, tutti_type type, tutti_op *op)
{
    return tti_answer(combine(in, inout, count, type, op));
}
