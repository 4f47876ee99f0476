/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/verify.h"

#include <stdlib.h>

#include "runtime/base/options.h"
#include "runtime/base/status.h"

/* An exchange under way, and the run that waits for it, if one does. */
typedef struct {
    tti_run *waits;
    tutti_comm *comm;
    tti_call_record mine;
    tti_call_record all[]; /* by rank */
} verification;

bool tti_verify_wanted(const tutti_comm *comm)
{
    return tti_option_value(TTI_OPTION_VERIFY) != 0 && comm->size > 1;
}

static verification *make(tutti_comm *comm, tti_run *waits, const tti_call_record *mine)
{
    verification *v = malloc(sizeof *v + (size_t)comm->size * sizeof v->all[0]);
    if (v == NULL)
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to compare the calls of %d ranks (TUTTI_VERIFY)",
                 comm->size);
    else
        *v = (verification){.waits = waits, .comm = comm, .mine = *mine};
    return v;
}

static int compare(const verification *v)
{
    char first[TTI_CALL_TEXT], other[TTI_CALL_TEXT];
    for (int r = 1; r < v->comm->size; r++)
        if (!tti_call_same(&v->all[0], &v->all[r]))
            return tti_fail(TUTTI_ERR_ARG, "the ranks make different calls: rank 0 %s, rank %d %s",
                            tti_call_text(&v->all[0], first), r, tti_call_text(&v->all[r], other));
    return 0;
}

static int describe_exchange(verification *v, tti_call *call)
{
    return tti_call_make(
        call, "TUTTI_VERIFY", TTI_ALLGATHER,
        &(tti_arguments){.comm = v->comm, .send = &v->mine, .recv = v->all, .count = sizeof v->mine});
}

int tti_verify_call(const tti_call *call)
{
    const tti_call_record mine =
        tti_call_record_of(call->collective, &call->shape, call->data.type, call->data.op, TTI_FORM_BLOCKING);
    verification *v = make(call->comm, NULL, &mine);
    if (v == NULL) return tti_run_drop_out(call->comm, TUTTI_ERR_NO_MEMORY);
    tti_call exchange;
    int code = describe_exchange(v, &exchange);
    code = tti_call_by_schedule(code, &exchange);
    if (code == 0) code = compare(v);
    free(v);
    if (code < 0) call->comm->sequence++; /* the call's own, which a request has taken already */
    return code;
}

static void exchange_over(tti_run *exchange, int code, void *context)
{
    verification *v = context;
    tti_run *waits = v->waits;
    tti_run_close(exchange);
    if (code == 0) code = compare(v);
    free(v);
    tti_run_verified(waits, code);
}

int tti_verify_run(tti_run *run, const tti_call_record *mine)
{
    tutti_comm *comm = tti_run_comm(run);
    verification *v = make(comm, run, mine);
    if (v == NULL) return TUTTI_ERR_NO_MEMORY;
    tti_call call;
    tti_run *exchange;
    int code = describe_exchange(v, &call);
    if (code == 0) code = tti_call_open(&call, NULL, &exchange);
    if (code < 0) {
        free(v);
        return code;
    }
    tti_run_then(exchange, exchange_over, v);
    code = tti_run_start(exchange);
    if (code == 0) return 0;
    tti_run_close(exchange);
    free(v);
    return code;
}
