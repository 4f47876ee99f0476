/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a request, and the calls on one. */
#include "runtime/request/request.h"

#include <stdio.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request_end.h"

tti_request_counts tti_requests_active;

/* Whether other ranks count on it: a collective goes on after its first messages, RMA waits for answers. */
static bool is_needed(const tutti_request *request)
{
    return request->kind->cancel == NULL;
}

void tti_request_end_orphan(tutti_request *request)
{
    tti_requests_active.orphans -= is_needed(request);
    request->kind->release(request);
}

void tti_request_settle(tutti_request *request, bool is_request, int error)
{
    if (is_request)
        tti_request_complete(request, error);
    else
        tti_request_begin_complete(request, error);
}

static int explain_death(const char *call, int rank)
{
    static const char how[] = "has died, has left after a death, or cannot be reached";
    if (rank < 0) return tti_fail(TUTTI_ERR_PEER_FAILED, "%s: a rank that it needs %s", call, how);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "%s: rank %d of its communicator %s", call, rank, how);
}

int tti_request_explain(const char *call, const tutti_status *status)
{
    switch (status->error) {
    case 0: return 0;
    case TUTTI_ERR_TRUNCATE:
        return tti_fail(status->error,
                        "%s: the message of %zu bytes from rank %d, tag %d, is longer than the buffer", call,
                        status->bytes, status->source, status->tag);
    case TUTTI_ERR_PEER_FAILED: return explain_death(call, status->source);
    case TUTTI_ERR_REVOKED: return tti_fail(status->error, "%s: its communicator has been revoked", call);
    case TUTTI_ERR_CANCELLED: return tti_fail(status->error, "%s: withdrawn by tutti_cancel()", call);
    default: return status->error; /* whoever found it out has said so */
    }
}

TTI_HOT int tti_request_end(tutti_request **slot, tutti_status *status)
{
    tutti_request *request = *slot;
    if (request == NULL || request->state == TTI_REQUEST_INACTIVE) {
        if (status != NULL) *status = TTI_STATUS_EMPTY;
        return 0;
    }
    if (status != NULL) *status = request->status;
    const int error = request->status.error;
    const int code = error == 0 ? 0 : tti_request_explain(request->kind->name, &request->status);
    if (request->persistent) {
        request->state = TTI_REQUEST_INACTIVE;
    } else {
        request->kind->release(request);
        *slot = NULL;
    }
    return code;
}

TTI_HOT static bool is_complete(const void *argument)
{
    return ((const tutti_request *)argument)->state != TTI_REQUEST_ACTIVE;
}

TTI_HOT int tti_request_await_active(const tutti_request *request)
{
    if (request->kind->awaits != NULL)
        return tti_wait_for_ranks(is_complete, request, request->kind->name, request->kind->awaits);
    return tti_wait_until(is_complete, request, request->kind->name, request->status.source);
}

int tutti_wait(tutti_request **request, tutti_status *status)
{
    if (request == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_wait: request is NULL"));
    int code = tti_check_open("tutti_wait");
    if (code < 0) return tti_answer(code);
    tti_lock();
    tti_request_await(*request);
    code = tti_request_end(request, status);
    tti_unlock();
    return tti_answer(code);
}

int tutti_test(tutti_request **request, int *done, tutti_status *status)
{
    if (request == NULL || done == NULL)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_test: %s is NULL", request == NULL ? "request" : "done"));
    int code = tti_check_open("tutti_test");
    if (code < 0) return tti_answer(code);
    tti_lock();
    if (tti_request_pending(*request) && tti_progress() == 0) tti_wait_offer();
    *done = !tti_request_pending(*request);
    if (*done) code = tti_request_end(request, status);
    tti_unlock();
    return tti_answer(code);
}

int tti_requests_check(const char *call, int count, tutti_request *const requests[])
{
    if (count < 0) return tti_fail(TUTTI_ERR_ARG, "%s: count is %d, less than 0", call, count);
    if (count == 0 || requests != NULL) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: requests is NULL; it must be an array of %d", call, count);
}

/* Why it cannot be started; in an array it is the one at `place`, which is -1 without. */
static int refuse_start(const char *call, int place, const tutti_request *request)
{
    char which[32] = "request";
    if (place >= 0) snprintf(which, sizeof which, "requests[%d]", place);
    if (request == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL", call, which);
    if (request->kind->start == NULL || !request->persistent)
        return tti_fail(TUTTI_ERR_STATE, "%s: %s, of %s, is not persistent", call, which,
                        request->kind->name);
    return tti_fail(TUTTI_ERR_STATE, "%s: %s, of %s, is active; wait for it first", call, which,
                    request->kind->name);
}

static int start_one(const char *call, int place, tutti_request *request)
{
    if (request == NULL || request->kind->start == NULL || !request->persistent ||
        request->state != TTI_REQUEST_INACTIVE)
        return refuse_start(call, place, request);
    return request->kind->start(request);
}

int tutti_start(tutti_request *request)
{
    int code = tti_check_open("tutti_start");
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = start_one("tutti_start", -1, request);
    tti_unlock();
    return tti_answer(code);
}

int tutti_startall(int count, tutti_request *requests[])
{
    int code = tti_requests_check("tutti_startall", count, requests);
    if (code == 0) code = tti_check_open("tutti_startall");
    if (code < 0) return tti_answer(code);
    tti_lock();
    for (int i = 0; i < count && code == 0; i++)
        code = start_one("tutti_startall", i, requests[i]);
    tti_unlock();
    return tti_answer(code);
}

static int cancel_one(tutti_request *request)
{
    if (request->state != TTI_REQUEST_ACTIVE) return 0;
    if (request->kind->cancel == NULL)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "tutti_cancel: a request of %s cannot be withdrawn",
                        request->kind->name);
    return request->kind->cancel(request);
}

int tutti_cancel(tutti_request *request)
{
    if (request == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_cancel: request is NULL"));
    int code = tti_check_open("tutti_cancel");
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = cancel_one(request);
    tti_unlock();
    return tti_answer(code);
}

int tutti_request_free(tutti_request **slot)
{
    if (slot == NULL || *slot == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_request_free: there is no request"));
    const int code = tti_check_open("tutti_request_free");
    if (code < 0) return tti_answer(code);
    tti_lock();
    tutti_request *request = *slot;
    if (request->state == TTI_REQUEST_ACTIVE) {
        request->orphan = true;
        tti_requests_active.held--;
        tti_requests_active.orphans += is_needed(request);
    } else {
        request->kind->release(request);
    }
    *slot = NULL;
    tti_unlock();
    return 0;
}
