/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on one request, and starting several. */
#include <stdio.h>

#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request_end.h"

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
    tti_request_look(tti_request_pending(*request));
    *done = !tti_request_pending(*request);
    if (*done) code = tti_request_end(request, status);
    tti_unlock();
    return tti_answer(code);
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

/* What the operation itself says that cannot begin, and which one of the array it is. */
static int name_place(int code, int place)
{
    char why[768];
    snprintf(why, sizeof why, "%s", tutti_error_detail());
    return tti_fail(code, "tutti_startall: requests[%d]: %s", place, why);
}

static int start_one(const char *call, int place, tutti_request *request)
{
    if (request == NULL || request->kind->start == NULL || !request->persistent ||
        request->state != TTI_REQUEST_INACTIVE)
        return refuse_start(call, place, request);
    const int code = request->kind->start(request);
    return code < 0 && place >= 0 ? name_place(code, place) : code;
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
    if (request->kind->cancel == NULL)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "tutti_cancel: a request of %s cannot be withdrawn",
                        request->kind->name);
    if (request->state != TTI_REQUEST_ACTIVE) return 0;
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
        tti_requests_active.orphans += tti_request_is_needed(request);
    } else {
        tti_request_forget_detail(request);
        request->kind->release(request);
    }
    *slot = NULL;
    tti_unlock();
    return 0;
}
