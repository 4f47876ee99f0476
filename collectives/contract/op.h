/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction operations as the collectives use them: built-in ones and the user's. */
#ifndef TTI_CONTRACT_OP_H
#define TTI_CONTRACT_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "tutti/collectives.h"

/* 0, or TUTTI_ERR_OP / TUTTI_ERR_TYPE with a detail, if `op` cannot combine elements of `type`. */
int tti_op_check(const char *call, const tutti_op *op, tutti_type type);
bool tti_op_commutes(const tutti_op *op);
/* inout = in ∘ inout. Users' operations take turns, whichever threads they are called from. */
void tti_op_apply(const tutti_op *op, const void *in, void *inout, size_t count, tutti_type type);
/* Keeps a user operation while it is in use; nothing for a built-in one or NULL. */
void tti_op_hold(tutti_op *op);
void tti_op_release(tutti_op *op);

#endif
