/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls for agreement on flags. */
#include <stdlib.h>

#include "collectives/agree/agreements.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request.h"
#include "tutti/fault.h"

typedef struct {
    tutti_request base; /* first; of a blocking call only its state and status are used */
    tti_agree_call call;
    tutti_comm *comm;
    uint64_t *flags;
    bool is_request;
} agree_request;

static void release(tutti_request *request)
{
    free(request);
}

static const tti_request_kind iagree_kind = {"tutti_comm_iagree", NULL, NULL, release, NULL, NULL};

static int first_of(const uint64_t *set, int size)
{
    int rank = 0;
    while (rank < size && !tti_agree_has(set, rank))
        rank++;
    return rank;
}

/* The flags count, whoever is dead. */
static int end(agree_request *r, const tti_agree_value *decision)
{
    const char *name = r->is_request ? iagree_kind.name : "tutti_comm_agree";
    const int code = tti_agree_judge(name, r->comm, TTI_AGREE_FLAGS, decision);
    if (code < 0) return code;
    *r->flags = decision->flags;
    if (decision->noted) return 0;
    r->base.status.source = first_of(decision->failed, r->comm->size);
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "%s: rank %d has died, or has left after a death, and not all have called "
                    "tutti_comm_acknowledge() since; the flags are agreed on all the same",
                    name, r->base.status.source);
}

static void done(tti_agree_call *call, const tti_agree_value *decision)
{
    agree_request *r = TTI_OWNER(call, agree_request, call);
    const int code = end(r, decision);
    tti_comm_release(r->comm);
    tti_request_settle(&r->base, r->is_request, code);
}

/* Its state tells whether it is done already. */
static int start(agree_request *r)
{
    tti_comm_hold(r->comm);
    const int code = tti_agree_start(r->comm, &r->call);
    if (code < 0) tti_comm_release(r->comm);
    return code;
}

TTI_HOT static bool is_done(const void *argument)
{
    return ((const agree_request *)argument)->base.state == TTI_REQUEST_COMPLETE;
}

int tutti_comm_agree(tutti_comm *comm, uint64_t *flags)
{
    int code = tti_agree_check("tutti_comm_agree", comm, flags);
    if (code < 0) return tti_answer(code);
    agree_request r = {.call = {.flags = *flags, .kind = TTI_AGREE_FLAGS, .done = done},
                       .base = {.state = TTI_REQUEST_ACTIVE},
                       .comm = comm,
                       .flags = flags};
    tti_lock();
    code = start(&r);
    if (code == 0 && !is_done(&r)) tti_wait_until(is_done, &r, "tutti_comm_agree", TUTTI_ANY_SOURCE);
    tti_unlock();
    return tti_answer(code < 0 ? code : r.base.status.error);
}

int tutti_comm_iagree(tutti_comm *comm, uint64_t *flags, tutti_request **request)
{
    int code = tti_agree_check(iagree_kind.name, comm, flags);
    if (code == 0) code = tti_agree_check(iagree_kind.name, comm, request);
    if (code < 0) return tti_answer(code);
    agree_request *r = malloc(sizeof *r);
    if (r == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_comm_iagree: no memory for a request"));
    *r = (agree_request){.call = {.flags = *flags, .kind = TTI_AGREE_FLAGS, .done = done},
                         .comm = comm,
                         .flags = flags,
                         .is_request = true};
    tti_lock();
    tti_request_open(&r->base, &iagree_kind, false);
    tti_request_begin(&r->base);
    code = start(r);
    if (code < 0) {
        tti_request_complete(&r->base, code);
        release(&r->base);
    } else {
        *request = &r->base;
    }
    tti_unlock();
    return tti_answer(code);
}
