/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion calls on several requests. */
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request_end.h"

typedef struct {
    int count;
    tutti_request **requests;
} request_set;

static int check_set(const char *call, int count, tutti_request *requests[])
{
    const int code = tti_requests_check(call, count, requests);
    return code < 0 ? code : tti_check_open(call);
}

static bool is_active(const tutti_request *request)
{
    return request != NULL && request->state != TTI_REQUEST_INACTIVE;
}

static bool any_active(const request_set *set)
{
    for (int i = 0; i < set->count; i++) {
        if (is_active(set->requests[i])) return true;
    }
    return false;
}

static int first_complete(const request_set *set)
{
    for (int i = 0; i < set->count; i++) {
        if (set->requests[i] != NULL && set->requests[i]->state == TTI_REQUEST_COMPLETE) return i;
    }
    return -1;
}

static bool any_complete(const void *argument)
{
    return first_complete(argument) >= 0;
}

static bool all_complete(const request_set *set)
{
    for (int i = 0; i < set->count; i++) {
        if (tti_request_pending(set->requests[i])) return false;
    }
    return true;
}

/* Ends all; the first error is the result, and its detail stays: so that is the last to be told. */
static int end_all(const request_set *set, tutti_status statuses[])
{
    int code = 0;
    for (int i = set->count - 1; i >= 0; i--) {
        const int one = tti_request_end(&set->requests[i], statuses != NULL ? &statuses[i] : NULL);
        if (one < 0) code = one;
    }
    return code;
}

TTI_HOT int tutti_waitall(int count, tutti_request *requests[], tutti_status statuses[])
{
    int code = check_set("tutti_waitall", count, requests);
    if (code < 0) return tti_answer(code);
    const request_set set = {count, requests};
    tti_lock();
    for (int i = 0; i < count; i++)
        tti_request_await(requests[i]);
    code = end_all(&set, statuses);
    tti_unlock();
    return tti_answer(code);
}

int tutti_testall(int count, tutti_request *requests[], int *done, tutti_status statuses[])
{
    if (done == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_testall: done is NULL"));
    int code = check_set("tutti_testall", count, requests);
    if (code < 0) return tti_answer(code);
    const request_set set = {count, requests};
    tti_lock();
    tti_request_look(!all_complete(&set));
    *done = all_complete(&set);
    if (*done) code = end_all(&set, statuses);
    tti_unlock();
    return tti_answer(code);
}

static int end_first(const request_set *set, int *index, tutti_status *status)
{
    *index = first_complete(set);
    return tti_request_end(&set->requests[*index], status);
}

static void end_none(int *index, tutti_status *status)
{
    *index = -1;
    if (status != NULL) *status = TTI_STATUS_EMPTY;
}

int tutti_waitany(int count, tutti_request *requests[], int *index, tutti_status *status)
{
    if (index == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_waitany: index is NULL"));
    int code = check_set("tutti_waitany", count, requests);
    if (code < 0) return tti_answer(code);
    const request_set set = {count, requests};
    tti_lock();
    if (any_active(&set)) {
        tti_wait_until(any_complete, &set, "tutti_waitany", TUTTI_ANY_SOURCE);
        code = end_first(&set, index, status);
    } else {
        end_none(index, status);
    }
    tti_unlock();
    return tti_answer(code);
}

int tutti_testany(int count, tutti_request *requests[], int *index, int *done, tutti_status *status)
{
    if (index == NULL || done == NULL)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_testany: %s is NULL", index == NULL ? "index" : "done"));
    int code = check_set("tutti_testany", count, requests);
    if (code < 0) return tti_answer(code);
    const request_set set = {count, requests};
    tti_lock();
    const bool active = any_active(&set);
    tti_request_look(active && !any_complete(&set));
    *done = !active || any_complete(&set);
    if (!active)
        end_none(index, status);
    else if (*done)
        code = end_first(&set, index, status);
    tti_unlock();
    return tti_answer(code);
}

/* As end_all(), of those that are complete. */
static int end_complete(const request_set *set, int *done, int indices[], tutti_status statuses[])
{
    int code = 0;
    *done = 0;
    for (int i = 0; i < set->count; i++)
        if (is_active(set->requests[i]) && !tti_request_pending(set->requests[i])) indices[(*done)++] = i;
    for (int i = *done - 1; i >= 0; i--) {
        const int one = tti_request_end(&set->requests[indices[i]], statuses != NULL ? &statuses[i] : NULL);
        if (one < 0) code = one;
    }
    return code;
}

int tutti_waitsome(int count, tutti_request *requests[], int *done, int indices[], tutti_status statuses[])
{
    if (done == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_waitsome: done is NULL"));
    if (count > 0 && indices == NULL)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_waitsome: indices is NULL; it must have room for %d", count));
    int code = check_set("tutti_waitsome", count, requests);
    if (code < 0) return tti_answer(code);
    const request_set set = {count, requests};
    tti_lock();
    if (any_active(&set)) {
        tti_wait_until(any_complete, &set, "tutti_waitsome", TUTTI_ANY_SOURCE);
        code = end_complete(&set, done, indices, statuses);
    } else {
        *done = -1;
    }
    tti_unlock();
    return tti_answer(code);
}
