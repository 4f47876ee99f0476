/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/contract/op.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/base/element.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

struct tutti_op {
    tutti_op_fn *fn;
    void *context;
    bool commutes;
    _Atomic int references; /* the user's handle and each collective that uses it */
};

/* One call of a user's operation ends before the next begins. The library's lock does not see to it: it is
 * taken at one level of threads alone, and tutti_reduce_local() may be called by any thread at any. */
static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;

/* Of what tutti_op_create() makes no address is that small: it is a number, as the built-in ones are. */
#define NUMBERS 4096

static int check_number(const char *call, const tutti_op *op)
{
    if ((uintptr_t)op >= NUMBERS) return 0;
    return tti_fail(TUTTI_ERR_OP, "%s: op is %p, which is none", call, (const void *)op);
}

TTI_HOT int tti_op_check(const char *call, const tutti_op *op, tutti_type type)
{
    if (op == NULL) return tti_fail(TUTTI_ERR_OP, "%s: op is NULL", call);
    if (tti_element_bytes(type) == 0)
        return tti_fail(TUTTI_ERR_TYPE, "%s: %llu is no element type", call, (unsigned long long)type);
    if (tti_element_is_builtin(op)) return tti_element_check(call, type, op);
    return check_number(call, op);
}

TTI_HOT bool tti_op_commutes(const tutti_op *op)
{
    return tti_element_is_builtin(op) || op->commutes;
}

TTI_HOT void tti_op_apply(const tutti_op *op, const void *in, void *inout, size_t count, tutti_type type)
{
    if (tti_element_is_builtin(op)) {
        tti_element_reduce(in, inout, count, type, op);
        return;
    }
    pthread_mutex_lock(&turns);
    op->fn(in, inout, count, op->context);
    pthread_mutex_unlock(&turns);
}

void tti_op_hold(tutti_op *op)
{
    if (op != NULL && !tti_element_is_builtin(op))
        atomic_fetch_add_explicit(&op->references, 1, memory_order_relaxed);
}

void tti_op_release(tutti_op *op)
{
    if (op == NULL || tti_element_is_builtin(op)) return;
    if (atomic_fetch_sub_explicit(&op->references, 1, memory_order_acq_rel) == 1) free(op);
}

int tutti_op_create(tutti_op_fn *fn, int commutes, void *context, tutti_op **op)
{
    if (fn == NULL || op == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_op_create: fn or op is NULL"));
    tutti_op *made = malloc(sizeof *made);
    if (made == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_op_create: no memory for an operation"));
    made->fn = fn;
    made->context = context;
    made->commutes = commutes != 0;
    atomic_init(&made->references, 1);
    *op = made;
    return 0;
}

int tutti_op_free(tutti_op **op)
{
    if (op == NULL || *op == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_op_free: op is NULL"));
    if (tti_element_is_builtin(*op))
        return tti_answer(tti_fail(TUTTI_ERR_OP, "tutti_op_free: a built-in operation cannot be freed"));
    const int code = check_number("tutti_op_free", *op);
    if (code < 0) return tti_answer(code);
    tti_op_release(*op);
    *op = NULL;
    return 0;
}
