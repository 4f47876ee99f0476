/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of those that are left, or of these and others in the places of the dead. Ranks agree on who
 * has failed, and on a context of the deciding rank's; each prepares the communicator of the others, and they
 * agree once more: when two agreements after each other name the same failed ranks, and all were able to
 * prepare it, all have the same communicator. */
#include <stdlib.h>
#include <string.h>

#include "collectives/agree/agree_early.h"
#include "collectives/agree/agreements.h"
#include "collectives/agree/restore.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request.h"
#include "tutti/fault.h"

/* What ranks say to the second agreement and later ones. */
#define ABLE UINT64_C(1)   /* to make the communicator */
#define WHOLE UINT64_C(2)  /* no process in the place of a dead rank is dead itself */
#define SERVED UINT64_C(4) /* the launcher has answered: who is not able is short of memory */

typedef struct {
    tutti_request base; /* first; of a blocking call only its state and status are used */
    tti_agree_call call;
    tti_succession of;
    tutti_comm **result;
    bool is_request;
    bool restores;
    bool prepared;    /* `made` is, or was tried to be, for the ranks in `failed` */
    tutti_comm *made; /* the new one; NULL: this rank was not able to make it */
    int wrong;        /* why this rank was not able to */
    char *why;        /* the detail of that: others follow before the call ends; NULL: none, or no memory */
    tti_restore restore; /* where there are to be others in the places of the failed */
    uint64_t failed[];   /* a set */
} regroup;

static void release(tutti_request *request)
{
    regroup *r = (regroup *)(void *)request;
    tti_restore_close(&r->restore);
    free(r->why);
    free(r);
}

static const tti_request_kind ishrink_kind = {"tutti_comm_ishrink", NULL, NULL, release, NULL, NULL};
static const tti_request_kind irestore_kind = {"tutti_comm_irestore", NULL, NULL, release, NULL, NULL};

static void finish(regroup *r, int code)
{
    tti_p2p_expect_context(false);
    tti_run_settle_drop_outs();
    tti_early_settle();
    tti_comm_release(r->of.comm);
    if (code < 0 && r->why != NULL) tti_status_recall(r->why);
    tti_request_settle(&r->base, r->is_request, code);
}

/* Just now. */
static void note_wrong(regroup *r, int code)
{
    r->wrong = code;
    free(r->why);
    r->why = code < 0 ? strdup(tutti_error_detail()) : NULL;
}

static void drop(regroup *r)
{
    if (r->made == NULL) return;
    tti_windows_agreed(r->made, false);
    tti_comm_release(r->made);
    r->made = NULL;
}

/* The living, in their order. */
static int list_members(const regroup *r, int *members, int *rank)
{
    int count = 0;
    for (int i = 0; i < r->of.comm->size; i++) {
        if (tti_agree_has(r->failed, i)) continue;
        if (i == r->of.comm->rank) *rank = count;
        members[count++] = tti_comm_job_rank(r->of.comm, i);
    }
    return count;
}

static int list_restored(const regroup *r, int *members, int *rank)
{
    *rank = r->of.comm->rank;
    memcpy(members, r->restore.members, (size_t)r->of.comm->size * sizeof *members);
    return r->of.comm->size;
}

static int make(regroup *r)
{
    int rank = 0;
    int *members = malloc((size_t)r->of.comm->size * sizeof *members);
    if (members == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", r->of.name,
                        r->of.comm->size);
    const int count = r->restores ? list_restored(r, members, &rank) : list_members(r, members, &rank);
    int code = tti_comm_make(members, count, rank, &r->made);
    free(members);
    if (code == 0)
        code = tti_windows_prepare(r->made, r->of.context, 0, r->restores ? tti_restore_is_new : NULL,
                                   &r->restore);
    if (code < 0) drop(r);
    return code;
}

/* Why there is no communicator, though this rank may have been able to make it. */
static int tell_unable(const regroup *r, uint64_t flags)
{
    if (r->wrong < 0) return r->wrong;
    if ((flags & SERVED) == 0)
        return tti_fail(TUTTI_ERR_LAUNCH, "%s: the launcher gives another rank no answer, or a wrong one",
                        r->of.name);
    return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: a rank has no memory for the communicator", r->of.name);
}

/* None of the ranks has the communicator, and nobody welcomes what the launcher has given for it. But one
 * that is held for dead knows nothing of the others, which may go on with that. */
static void fail(regroup *r, int code)
{
    drop(r);
    if (code != r->wrong) note_wrong(r, code);
    if (r->restores && code != TUTTI_ERR_PEER_FAILED)
        tti_restore_give_back(&r->restore);
    else
        finish(r, code);
}

static void given_back(tti_restore *restore)
{
    regroup *r = TTI_OWNER(restore, regroup, restore);
    finish(r, r->wrong);
}

static void accept(regroup *r, const tti_agree_value *decision)
{
    if ((decision->flags & ABLE) == 0) {
        fail(r, tell_unable(r, decision->flags));
        return;
    }
    tti_comm_set_context(r->made, r->of.context);
    tti_windows_agreed(r->made, true);
    *r->result = r->made;
    if (r->restores) tti_restore_welcome(&r->restore);
    finish(r, 0);
}

/* The members are known, or with a negative code are not: what the next agreement is to confirm. */
static void go_on(regroup *r, int code)
{
    note_wrong(r, code == 0 ? make(r) : code);
    r->call.flags = (r->wrong == 0 ? ABLE : 0) | (r->wrong == TUTTI_ERR_LAUNCH ? 0 : SERVED);
    if (!r->restores || !tti_restore_has_lost(&r->restore)) r->call.flags |= WHOLE;
    tti_agree_ready(r->of.comm, &r->call);
}

static void go_on_restored(tti_restore *restore, int code)
{
    go_on(TTI_OWNER(restore, regroup, restore), code);
}

static void prepare(regroup *r, const tti_agree_value *decision)
{
    drop(r);
    memcpy(r->failed, decision->failed, tti_agree_words(r->of.comm->size) * sizeof *r->failed);
    r->of.context = decision->offer;
    r->prepared = true;
    if (r->of.context == TTI_COMM_NO_CONTEXT) {
        fail(r, tti_fail(TUTTI_ERR_LIMIT,
                         "%s: a rank has numbered as many communicators as there are numbers", r->of.name));
        return;
    }
    tti_agree_again(r->of.comm, &r->call);
    if (r->restores)
        tti_restore_claim(&r->restore);
    else
        go_on(r, 0);
}

/* The second agreement and later ones: all are of one mind, and if there are new members, these live. */
static bool is_confirmed(const regroup *r, const tti_agree_value *decision)
{
    const size_t bytes = tti_agree_words(r->of.comm->size) * sizeof *r->failed;
    return r->prepared && memcmp(r->failed, decision->failed, bytes) == 0 &&
           (decision->flags & (ABLE | WHOLE)) != ABLE;
}

static void decided(tti_agree_call *call, const tti_agree_value *decision)
{
    regroup *r = TTI_OWNER(call, regroup, call);
    const int code = tti_agree_judge(r->of.name, r->of.comm, r->call.kind, decision);
    if (code < 0)
        fail(r, code);
    else if (is_confirmed(r, decision))
        accept(r, decision);
    else
        prepare(r, decision);
}

static regroup *open_request(const tti_request_kind *kind, const char *name, tutti_comm *comm,
                             tutti_comm **result)
{
    const size_t words = tti_agree_words(comm->size);
    regroup *r = calloc(1, sizeof *r + words * sizeof r->failed[0]);
    if (r == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a set of %d ranks", name, comm->size);
        return NULL;
    }
    r->restores = kind == &irestore_kind;
    r->call = (tti_agree_call){.flags = ABLE | WHOLE | SERVED,
                               .kind = r->restores ? TTI_AGREE_RESTORE : TTI_AGREE_MEMBERS,
                               .done = decided};
    r->of = (tti_succession){.name = name, .comm = comm, .failed = r->failed};
    r->restore = (tti_restore){.of = &r->of, .go_on = go_on_restored, .given_back = given_back};
    r->result = result;
    tti_request_open(&r->base, kind, false);
    return r;
}

/* An error: nothing was started. */
static int start(regroup *r)
{
    tti_comm_hold(r->of.comm);
    tti_p2p_expect_context(true);
    const int code = tti_agree_start(r->of.comm, &r->call);
    if (code < 0) {
        tti_p2p_expect_context(false);
        tti_comm_release(r->of.comm);
    }
    return code;
}

static bool is_done(const void *argument)
{
    return ((const regroup *)argument)->base.state == TTI_REQUEST_COMPLETE;
}

static int check_reserve(const tti_request_kind *kind, const char *name)
{
    return kind == &irestore_kind ? tti_pmi_check_reserve(name) : 0;
}

static int block(const tti_request_kind *kind, const char *name, tutti_comm *comm, tutti_comm **result)
{
    int code = tti_agree_check(name, comm, result);
    if (code == 0) code = check_reserve(kind, name);
    if (code < 0) return code;
    tti_lock();
    regroup *r = open_request(kind, name, comm, result);
    code = r != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
    if (code == 0) r->base.state = TTI_REQUEST_ACTIVE;
    if (code == 0) code = start(r);
    if (code == 0 && !is_done(r)) tti_wait_until(is_done, r, name, TUTTI_ANY_SOURCE);
    if (code == 0) code = r->base.status.error;
    if (r != NULL && r->why != NULL && code == r->wrong) tti_fail(code, "%s", r->why);
    if (r != NULL) release(&r->base);
    tti_unlock();
    return code;
}

static int begin(const tti_request_kind *kind, tutti_comm *comm, tutti_comm **result, tutti_request **request)
{
    int code = tti_agree_check(kind->name, comm, result);
    if (code == 0) code = tti_agree_check(kind->name, comm, request);
    if (code == 0) code = check_reserve(kind, kind->name);
    if (code < 0) return code;
    tti_lock();
    regroup *r = open_request(kind, kind->name, comm, result);
    code = r != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
    if (code == 0) {
        r->is_request = true;
        tti_request_begin(&r->base);
        code = start(r);
        if (code == 0) *request = &r->base;
    }
    if (code < 0 && r != NULL) {
        tti_request_complete(&r->base, code);
        release(&r->base);
    }
    tti_unlock();
    return code;
}

int tutti_comm_shrink(tutti_comm *comm, tutti_comm **survivors)
{
    return tti_answer(block(&ishrink_kind, "tutti_comm_shrink", comm, survivors));
}

int tutti_comm_ishrink(tutti_comm *comm, tutti_comm **survivors, tutti_request **request)
{
    return tti_answer(begin(&ishrink_kind, comm, survivors, request));
}

int tutti_comm_restore(tutti_comm *comm, tutti_comm **whole)
{
    return tti_answer(block(&irestore_kind, "tutti_comm_restore", comm, whole));
}

int tutti_comm_irestore(tutti_comm *comm, tutti_comm **whole, tutti_request **request)
{
    return tti_answer(begin(&irestore_kind, comm, whole, request));
}
