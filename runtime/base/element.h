/* SPDX-License-Identifier: BSD-3-Clause */
/* Element types and the built-in operations on them. Pure; any thread. User operations are not known here:
 * their caller looks at tti_element_is_builtin() first. */
#ifndef TTI_BASE_ELEMENT_H
#define TTI_BASE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tutti/types.h"

/* Bytes of one element (opaque types included), or 0 for an unknown type. */
size_t tti_element_bytes(tutti_type type);

/* True for the constants TUTTI_SUM … TUTTI_NO_OP, false for NULL and for handles of user operations. */
static inline bool tti_element_is_builtin(const tutti_op *op)
{
    return (uintptr_t)op >= (uintptr_t)TUTTI_SUM && (uintptr_t)op <= (uintptr_t)TUTTI_NO_OP;
}

/* Whether `op`, which may be any bits, combines elements of `type`, any as well. */
bool tti_element_combines(tutti_type type, const tutti_op *op);

/* 0 if `op` combines elements of `type`, else TUTTI_ERR_TYPE or TUTTI_ERR_OP with a detail that names them.
 * TUTTI_REPLACE and TUTTI_NO_OP combine nothing (TUTTI_ERR_OP): RMA admits them itself. */
int tti_element_check(const char *call, tutti_type type, const tutti_op *op);

/* inout[i] = in[i] ∘ inout[i] for `count` elements, for a pair that tti_element_check() admits. The buffers
 * need no alignment and must not overlap. Integers wrap around; in min and max a NaN wins. */
void tti_element_reduce(const void *in, void *inout, size_t count, tutti_type type, const tutti_op *op);

/* Names for people: "double", "opaque", "unknown type"; "sum", "user operation". Static strings. */
const char *tti_element_type_name(tutti_type type);
const char *tti_element_op_name(const tutti_op *op);

#endif
