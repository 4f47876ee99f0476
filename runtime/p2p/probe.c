/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking for messages before receiving them. */
#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/p2p/p2p_check.h"
#include "runtime/p2p/p2p_request.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

struct tutti_message {
    tutti_comm *comm;
    tti_arrival *arrival;
};

/* What a matched probe of TUTTI_PROC_NULL takes. */
static tutti_message no_message;

typedef struct {
    tutti_comm *comm;
    int source, tag; /* source: job rank or TUTTI_ANY_SOURCE */
} wish;

static tti_arrival *look(const wish *w)
{
    const uint64_t context = tti_p2p_matching(w->comm->context, TTI_SPACE_USER);
    return (tti_arrival *)tti_match_find(&tti_p2p_engine.match, context, w->source, w->tag);
}

/* 0, or the error because of which nothing can come any more. */
static int check_hope(const wish *w)
{
    if (w->comm->revoked) return tti_comm_check_revoked(w->comm);
    return tti_p2p_check_source(w->comm, w->source);
}

/* The same for one that waits: nobody else may send to this rank meanwhile, itself included. */
static int check_hope_of_waiter(const wish *w)
{
    const int code = check_hope(w);
    if (code < 0 || w->source != TUTTI_ANY_SOURCE || !tti_p2p_is_hopeless(w->comm)) return code;
    return tti_p2p_fail_hopeless(w->comm);
}

static bool found_or_hopeless(const void *argument)
{
    return look(argument) != NULL || check_hope_of_waiter(argument) < 0;
}

static wish make_wish(tutti_comm *comm, int source, int tag)
{
    return (wish){comm, source == TUTTI_ANY_SOURCE ? source : tti_comm_job_rank(comm, source), tag};
}

static tti_arrival *look_twice(const wish *w, bool waits)
{
    tti_arrival *arrival = look(w);
    if (arrival != NULL) /* its sender may have cancelled it meanwhile */
        return tti_progress_sometimes(TTI_SOMETIMES_BY_TESTS) ? look(w) : arrival;
    if (tti_progress_all() == 0 && !waits) tti_wait_offer();
    return look(w);
}

static void describe(const wish *w, const tti_arrival *arrival, tutti_status *status)
{
    if (status == NULL) return;
    const tti_incoming *m = &arrival->message;
    *status = (tutti_status){tti_comm_rank_of(w->comm, m->source), m->tag, m->bytes, 0};
}

/* Finds a message, waiting for it if `waits`: 1, 0 (none), or an error. */
static int find(const char *call, const wish *w, bool waits, tti_arrival **arrival)
{
    *arrival = look_twice(w, waits);
    if (*arrival == NULL && waits) {
        tti_wait_until(found_or_hopeless, w, call, w->source);
        *arrival = look(w);
    }
    if (*arrival != NULL) return 1;
    return waits ? check_hope_of_waiter(w) : check_hope(w);
}

/* What a probe tells that failed: the rank that is lost. */
static void describe_failure(const wish *w, int code, tutti_status *status)
{
    if (status == NULL) return;
    const bool any = w->source == TUTTI_ANY_SOURCE;
    const int lost = any ? tti_lost_mourned_member(w->comm) : tti_comm_rank_of(w->comm, w->source);
    *status = (tutti_status){lost, w->tag, 0, code};
}

static int take(tutti_comm *comm, tti_arrival *arrival, tutti_message **message)
{
    tutti_message *taken = malloc(sizeof *taken);
    if (taken == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the handle of a matched message");
    tti_comm_hold(comm);
    tti_arrival_take(arrival);
    *taken = (tutti_message){comm, arrival};
    *message = taken;
    return 0;
}

static int probe_nobody(int *found, tutti_message **message, tutti_status *status)
{
    *found = 1;
    if (message != NULL) *message = &no_message;
    if (status != NULL) *status = TTI_STATUS_PROC_NULL;
    return 0;
}

/* All four calls: `waits`, and `message` is where a matched probe puts what it took, or NULL. */
static int probe(const char *call, tutti_comm *comm, int source, int tag, bool waits, int *found,
                 tutti_message **message, tutti_status *status)
{
    if (source == TUTTI_PROC_NULL) return probe_nobody(found, message, status);
    const wish w = make_wish(comm, source, tag);
    tti_arrival *arrival;
    tti_lock();
    int code = find(call, &w, waits, &arrival);
    *found = code > 0;
    if (code > 0) {
        describe(&w, arrival, status);
        code = message != NULL ? take(comm, arrival, message) : 0;
    } else if (code < 0) {
        describe_failure(&w, code, status);
    }
    tti_unlock();
    return code;
}

int tutti_probe(tutti_comm *comm, int source, int tag, tutti_status *status)
{
    int found;
    const int code = tti_check_wish("tutti_probe", comm, source, tag);
    return tti_answer(code < 0 ? code : probe("tutti_probe", comm, source, tag, true, &found, NULL, status));
}

int tutti_iprobe(tutti_comm *comm, int source, int tag, int *found, tutti_status *status)
{
    int code = tti_check_wish("tutti_iprobe", comm, source, tag);
    if (code == 0) code = tti_check_output("tutti_iprobe", found);
    return tti_answer(code < 0 ? code : probe("tutti_iprobe", comm, source, tag, false, found, NULL, status));
}

int tutti_mprobe(tutti_comm *comm, int source, int tag, tutti_message **message, tutti_status *status)
{
    int found, code = tti_check_wish("tutti_mprobe", comm, source, tag);
    if (code == 0) code = tti_check_output("tutti_mprobe", message);
    return tti_answer(code < 0 ? code
                               : probe("tutti_mprobe", comm, source, tag, true, &found, message, status));
}

int tutti_improbe(tutti_comm *comm, int source, int tag, int *found, tutti_message **message,
                  tutti_status *status)
{
    int code = tti_check_wish("tutti_improbe", comm, source, tag);
    if (code == 0) code = tti_check_output("tutti_improbe", found);
    if (code == 0) code = tti_check_output("tutti_improbe", message);
    return tti_answer(code < 0 ? code
                               : probe("tutti_improbe", comm, source, tag, false, found, message, status));
}

static int check_message(const char *call, tutti_message **message, const void *buf, size_t bytes)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    if (message == NULL || *message == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: there is no message", call);
    return tti_check_room(call, buf, bytes);
}

static int start_taken(tti_p2p_op *op, const tutti_message *message, void *buf, size_t bytes)
{
    const tti_incoming *taken = &message->arrival->message;
    if (!message->comm->revoked) return tti_p2p_recv_kept(op, message->comm, message->arrival, buf, bytes);
    op->source = tti_comm_rank_of(message->comm, taken->source);
    op->tag = taken->tag;
    op->bytes = 0;
    tti_arrival_free(message->arrival);
    return tti_comm_check_revoked(message->comm);
}

/* Starts the receive of a taken message and ends its handle. */
static int start(tti_p2p_op *op, tutti_message **slot, void *buf, size_t bytes)
{
    tutti_message *message = *slot;
    *slot = NULL;
    if (message == &no_message) return tti_p2p_recv(op, NULL, TTI_SPACE_USER, buf, bytes, TUTTI_PROC_NULL, 0);
    const int started = start_taken(op, message, buf, bytes);
    tti_comm_release(message->comm);
    free(message);
    return started;
}

int tutti_mrecv(tutti_message **message, void *buf, size_t bytes, tutti_status *status)
{
    int code = check_message("tutti_mrecv", message, buf, bytes);
    if (code < 0) return tti_answer(code);
    tti_blocking b;
    tti_blocking_open(&b);
    tti_lock();
    code = tti_blocking_receive(&b, start(&b.op, message, buf, bytes), "tutti_mrecv", status);
    tti_unlock();
    return tti_answer(code);
}

int tutti_imrecv(tutti_message **message, void *buf, size_t bytes, tutti_request **made)
{
    int code = check_message("tutti_imrecv", message, buf, bytes);
    if (code == 0) code = tti_check_output("tutti_imrecv", made);
    if (code < 0) return tti_answer(code);
    tti_lock();
    tti_p2p_request *request = tti_p2p_request_make();
    code = request == NULL ? TUTTI_ERR_NO_MEMORY
                           : tti_p2p_request_begin(request, start(&request->op, message, buf, bytes), made);
    tti_unlock();
    return tti_answer(code);
}
