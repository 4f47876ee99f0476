/* SPDX-License-Identifier: BSD-3-Clause */
/* The one request type, for p2p, RMA and collectives. What differs stands in a small table of functions. */
#ifndef TTI_REQUEST_H
#define TTI_REQUEST_H

#include <stdbool.h>

#include "runtime/progress/watched.h"
#include "tutti/request.h"

enum tti_request_state { TTI_REQUEST_INACTIVE, TTI_REQUEST_ACTIVE, TTI_REQUEST_COMPLETE };

typedef struct {
    const char *name; /* the call that made it, for the watchdog and error texts: "tutti_irecv" */
    /* Starts a persistent request. NULL where there is no persistent form. */
    int (*start)(tutti_request *request);
    /* Withdraws; completion still follows. NULL: TUTTI_ERR_UNSUPPORTED. */
    int (*cancel)(tutti_request *request);
    /* Frees the request's memory; it is inactive or complete. */
    void (*release)(tutti_request *request);
    /* Whom an active one waits for; NULL: any rank. */
    tti_awaits_fn *awaits;
    /* Ends an active one that nothing can complete any more while its owner waits for it alone, and says
     * whether it has. Receives have it, which end with TUTTI_ERR_STATE only because their sender has
     * departed; NULL: there is none such. */
    bool (*despair)(tutti_request *request);
} tti_request_kind;

/* Embedded first in each kind's own struct. */
struct tutti_request {
    const tti_request_kind *kind;
    enum tti_request_state state;
    bool persistent;
    bool orphan; /* the user gave up the handle: release when complete */
    tutti_status status;
    char *detail; /* of one that ended with an error: what is to be said of that; NULL: nothing is kept */
};

/* The status of an operation with TUTTI_PROC_NULL, and that of no operation at all. */
#define TTI_STATUS_PROC_NULL ((tutti_status){TUTTI_PROC_NULL, TUTTI_ANY_TAG, 0, 0})
#define TTI_STATUS_EMPTY ((tutti_status){TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, 0, 0})

/* Active requests: those that the user still has; and of those given up the ones that cannot be withdrawn,
 * because other ranks count on their going on. */
typedef struct {
    int held, orphans;
} tti_request_counts;
extern tti_request_counts tti_requests_active;

/* Whether other ranks count on it: a collective goes on after its first messages, RMA waits for answers. */
static inline bool tti_request_is_needed(const tutti_request *request)
{
    return request->kind->cancel == NULL;
}

/* Sets up the head of a new request: inactive, with an empty status. */
static inline void tti_request_open(tutti_request *request, const tti_request_kind *kind, bool persistent)
{
    request->kind = kind;
    request->state = TTI_REQUEST_INACTIVE;
    request->persistent = persistent;
    request->orphan = false;
    request->status = TTI_STATUS_EMPTY;
    request->detail = NULL;
}

/* Marks active (counted for tutti_finalize()). */
static inline void tti_request_begin(tutti_request *request)
{
    request->state = TTI_REQUEST_ACTIVE;
    tti_requests_active.held++;
}

/* Begun and complete at once. */
static inline void tti_request_begin_complete(tutti_request *request, int error)
{
    request->status.error = error;
    request->state = TTI_REQUEST_COMPLETE;
}

void tti_request_end_orphan(tutti_request *request);
/* Marks complete with its error in status.error; frees it if it is an orphan. Called in progress or in start.
 */
static inline void tti_request_complete(tutti_request *request, int error)
{
    tti_request_begin_complete(request, error);
    if (__builtin_expect(request->orphan, 0))
        tti_request_end_orphan(request);
    else
        tti_requests_active.held--;
}

/* The same, and what this thread was told last is the error's detail; or, of a blocking call, which uses
 * state and status alone, just these. */
void tti_request_settle(tutti_request *request, bool is_request, int error);
/* Before one is marked complete with an error: keeps what is to be said of it when it is waited for, since
 * other failures, or another thread, may come between. That is why `job_rank` is lost, which the operation
 * needed (-1: none that is known), or what this thread was told last. */
void tti_request_keep_detail(tutti_request *request, int error, int job_rank);
void tti_request_forget_detail(tutti_request *request);
/* Records the detail of an operation that ended with status->error, and returns that; 0 for success. `detail`
 * is what was kept of it, or why the rank is lost; NULL: nothing, or what this thread was told last. */
int tti_request_explain(const char *call, const tutti_status *status, const char *detail);

#endif
