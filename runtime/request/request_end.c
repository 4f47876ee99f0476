/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/request/request_end.h"

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/progress/progress.h"

static int explain(tutti_request *request)
{
    const tutti_status *status = &request->status;
    const bool departed = status->error == TUTTI_ERR_STATE && request->kind->despair != NULL;
    const int code = departed ? tti_fail(TUTTI_ERR_STATE,
                                         "%s: rank %d of its communicator has called tutti_finalize(), and "
                                         "no message can come any more",
                                         request->kind->name, status->source)
                              : tti_request_explain(request->kind->name, status, request->detail);
    tti_request_forget_detail(request);
    return code;
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
    const int code = error == 0 ? 0 : explain(request);
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

static bool is_complete_or_hopeless(const void *argument)
{
    tutti_request *const *request = argument;
    return is_complete(*request) || (*request)->kind->despair(*request);
}

TTI_HOT void tti_request_await_active(tutti_request *request)
{
    if (request->kind->despair != NULL && request->status.source == TUTTI_ANY_SOURCE)
        tti_wait_until(is_complete_or_hopeless, &request, request->kind->name, TUTTI_ANY_SOURCE);
    else
        tti_wait_for_ranks(is_complete, request, request->kind->name, request->kind->awaits);
}

TTI_HOT void tti_request_look(bool waits)
{
    if (!waits)
        tti_progress_sometimes(TTI_SOMETIMES_BY_TESTS);
    else if (tti_progress() == 0)
        tti_wait_offer();
}

int tti_requests_check(const char *call, int count, tutti_request *const requests[])
{
    if (count < 0) return tti_fail(TUTTI_ERR_ARG, "%s: count is %d, less than 0", call, count);
    if (count == 0 || requests != NULL) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: requests is NULL; it must be an array of %d", call, count);
}
