/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of the fabric's that counts how often it ended. */
#ifndef TESTS_FABRIC_OPERATION_H
#define TESTS_FABRIC_OPERATION_H

#include "runtime/fabric/fabric.h"

typedef struct {
    tti_fabric_op op;
    int calls, code;
} operation;

static inline void operation_done(tti_fabric_op *op, int code)
{
    operation *one = (operation *)op;
    one->calls++;
    one->code = code;
}

#endif
