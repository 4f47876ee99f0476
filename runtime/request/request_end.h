/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls on one request and on many share. Under the lock. */
#ifndef TTI_REQUEST_END_H
#define TTI_REQUEST_END_H

#include "runtime/request/request.h"

static inline bool tti_request_pending(const tutti_request *request)
{
    return request != NULL && request->state == TTI_REQUEST_ACTIVE;
}

void tti_request_await_active(tutti_request *request);
/* Waits until it is no longer pending. */
static inline void tti_request_await(tutti_request *request)
{
    if (tti_request_pending(request)) tti_request_await_active(request);
}

/* A test looks at what `waits`, or at what is complete already. */
void tti_request_look(bool waits);

/* Hands over the status of one that is not pending and frees it, or makes it inactive if it is persistent.
 * Returns the operation's error. */
int tti_request_end(tutti_request **slot, tutti_status *status);

/* Whether there can be that many requests; an error of `call` if not. */
int tti_requests_check(const char *call, int count, tutti_request *const requests[]);

#endif
