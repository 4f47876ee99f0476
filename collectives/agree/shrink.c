/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of those that are left. Their ranks agree on who has failed, and on a context of the deciding
 * rank's; each prepares the communicator of the others, and they agree once more: when two agreements after
 * each other name the same failed ranks, and all were able to prepare it, all have the same communicator. */
#include <stdlib.h>
#include <string.h>

#include "collectives/agree/agree_early.h"
#include "collectives/agree/agreements.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/p2p.h"
#include "runtime/p2p/progress.h"
#include "runtime/p2p/request.h"
#include "tutti/fault.h"

typedef struct {
    tutti_request base; /* first; of a blocking call only its state and status are used */
    tti_agree_call call;
    const char *name;
    tutti_comm *comm, **survivors;
    bool is_request;
    bool prepared;     /* for these failed ranks, or it was tried: */
    tutti_comm *made;  /* NULL: this rank was not able to, */
    int wrong;         /* and why */
    uint64_t context;  /* for it */
    uint64_t failed[]; /* a set */
} shrink_request;

static void release(tutti_request *request)
{
    free(request);
}

static const tti_request_kind ishrink_kind = {"tutti_comm_ishrink", NULL, NULL, release, NULL};

static void finish(shrink_request *r, int code)
{
    tti_p2p_expect_context(false);
    tti_run_settle_drop_outs();
    tti_early_settle();
    tti_comm_release(r->comm);
    if (r->is_request) {
        tti_request_complete(&r->base, code);
        return;
    }
    r->base.status.error = code;
    r->base.state = TTI_REQUEST_COMPLETE;
}

static void drop(shrink_request *r)
{
    if (r->made == NULL) return;
    tti_windows_agreed(r->made, false);
    tti_comm_release(r->made);
    r->made = NULL;
}

/* The living, in their order. */
static int list_members(const shrink_request *r, int *members, int *rank)
{
    int count = 0;
    for (int i = 0; i < r->comm->size; i++) {
        if (tti_agree_has(r->failed, i)) continue;
        if (i == r->comm->rank) *rank = count;
        members[count++] = tti_comm_world(r->comm, i);
    }
    return count;
}

static int make(shrink_request *r)
{
    int rank = 0;
    int *members = malloc((size_t)r->comm->size * sizeof *members);
    if (members == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", r->name, r->comm->size);
    const int count = list_members(r, members, &rank);
    int code = tti_comm_make(members, count, rank, &r->made);
    free(members);
    if (code == 0) code = tti_windows_prepare(r->made, r->context, 0);
    if (code < 0) drop(r);
    return code;
}

static int accept(shrink_request *r, const tti_agree_value *decision)
{
    if (decision->flags == 0) {
        drop(r);
        return r->wrong < 0
                   ? r->wrong
                   : tti_fail(TUTTI_ERR_NO_MEMORY, "%s: a rank has no memory for the communicator", r->name);
    }
    tti_comm_set_context(r->made, r->context);
    tti_windows_agreed(r->made, true);
    *r->survivors = r->made;
    return 0;
}

/* What the next agreement is to confirm. */
static int prepare(shrink_request *r, const tti_agree_value *decision)
{
    drop(r);
    memcpy(r->failed, decision->failed, tti_agree_words(r->comm->size) * sizeof *r->failed);
    r->context = decision->offer;
    r->prepared = true;
    if (r->context == TTI_COMM_NO_CONTEXT)
        return tti_fail(TUTTI_ERR_LIMIT, "%s: a rank has numbered as many communicators as there are numbers",
                        r->name);
    r->wrong = make(r);
    r->call.flags = r->wrong == 0 ? UINT64_MAX : 0;
    return 0;
}

static void decided(tti_agree_call *call, const tti_agree_value *decision)
{
    shrink_request *r = TTI_OWNER(call, shrink_request, call);
    int code = tti_agree_judge(r->name, r->comm, TTI_AGREE_MEMBERS, decision);
    const size_t bytes = tti_agree_words(r->comm->size) * sizeof *r->failed;
    if (code == 0 && r->prepared && memcmp(r->failed, decision->failed, bytes) == 0) {
        finish(r, accept(r, decision));
        return;
    }
    if (code == 0) code = prepare(r, decision);
    if (code == 0) code = tti_agree_start(r->comm, &r->call);
    if (code == 0) return;
    drop(r);
    finish(r, code);
}

static int check(const char *name, const tutti_comm *comm, const void *output)
{
    const int code = tti_check_open(name);
    if (code < 0) return code;
    if (comm != NULL && output != NULL) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL", name, comm == NULL ? "comm" : "an output");
}

static shrink_request *open_request(const char *name, tutti_comm *comm, tutti_comm **survivors,
                                    bool is_request)
{
    const size_t words = tti_agree_words(comm->size);
    shrink_request *r = calloc(1, sizeof *r + words * sizeof r->failed[0]);
    if (r == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a set of %d ranks", name, comm->size);
        return NULL;
    }
    r->call = (tti_agree_call){.kind = TTI_AGREE_MEMBERS, .done = decided};
    r->name = name;
    r->comm = comm;
    r->survivors = survivors;
    r->is_request = is_request;
    tti_request_open(&r->base, &ishrink_kind, false);
    return r;
}

/* Under the lock. An error: nothing was started. */
static int start(shrink_request *r)
{
    tti_comm_hold(r->comm);
    tti_p2p_expect_context(true);
    const int code = tti_agree_start(r->comm, &r->call);
    if (code < 0) {
        tti_p2p_expect_context(false);
        tti_comm_release(r->comm);
    }
    return code;
}

static bool is_done(const void *argument)
{
    return ((const shrink_request *)argument)->base.state == TTI_REQUEST_COMPLETE;
}

static int shrink(const char *name, tutti_comm *comm, tutti_comm **survivors)
{
    shrink_request *r = open_request(name, comm, survivors, false);
    if (r == NULL) return TUTTI_ERR_NO_MEMORY;
    r->base.state = TTI_REQUEST_ACTIVE;
    int code = start(r);
    if (code == 0 && !is_done(r)) tti_wait_until(is_done, r, name, TUTTI_ANY_SOURCE);
    if (code == 0) code = r->base.status.error;
    free(r);
    return code;
}

int tutti_comm_shrink(tutti_comm *comm, tutti_comm **survivors)
{
    int code = check("tutti_comm_shrink", comm, survivors);
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = shrink("tutti_comm_shrink", comm, survivors);
    tti_unlock();
    return tti_answer(code);
}

int tutti_comm_ishrink(tutti_comm *comm, tutti_comm **survivors, tutti_request **request)
{
    int code = check(ishrink_kind.name, comm, survivors);
    if (code == 0) code = check(ishrink_kind.name, comm, request);
    if (code < 0) return tti_answer(code);
    tti_lock();
    shrink_request *r = open_request(ishrink_kind.name, comm, survivors, true);
    code = r != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
    if (code == 0) {
        tti_request_begin(&r->base);
        code = start(r);
        if (code == 0) *request = &r->base;
    }
    if (code < 0 && r != NULL) {
        tti_request_complete(&r->base, code);
        release(&r->base);
    }
    tti_unlock();
    return tti_answer(code);
}
