/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/request/request.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/peers/lost.h"

tti_request_counts tti_requests_active;

void tti_request_end_orphan(tutti_request *request)
{
    tti_requests_active.orphans -= tti_request_is_needed(request);
    tti_request_forget_detail(request);
    request->kind->release(request);
}

void tti_request_settle(tutti_request *request, bool is_request, int error)
{
    if (!is_request) {
        tti_request_begin_complete(request, error);
        return;
    }
    if (error < 0) tti_request_keep_detail(request, error, -1);
    tti_request_complete(request, error);
}

static int explain_death(const char *call, int rank, const char *cause)
{
    static const char how[] = "has died, has left after a death, or cannot be reached";
    const char *const colon = cause != NULL ? ": " : "";
    if (cause == NULL) cause = "";
    if (rank < 0)
        return tti_fail(TUTTI_ERR_PEER_FAILED, "%s: a rank that it needs %s%s%s", call, how, colon, cause);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "%s: rank %d of its communicator %s%s%s", call, rank, how, colon,
                    cause);
}

/* Of a lost rank nothing is said but why it is lost: what this thread was told last is of something else. */
static const char *find_detail(int error, int job_rank)
{
    const char *cause = tti_lost_cause(job_rank, error);
    if (cause != NULL) return cause;
    const bool lost = job_rank < 0 || tti_lost_is_dead(job_rank);
    return error == TUTTI_ERR_PEER_FAILED && lost ? "" : tti_status_detail();
}

void tti_request_keep_detail(tutti_request *request, int error, int job_rank)
{
    if (error == TUTTI_ERR_CANCELLED || error == TUTTI_ERR_TRUNCATE || error == TUTTI_ERR_REVOKED) return;
    const char *detail = find_detail(error, job_rank);
    request->detail = detail[0] != '\0' ? strdup(detail) : NULL;
}

void tti_request_forget_detail(tutti_request *request)
{
    free(request->detail);
    request->detail = NULL;
}

int tti_request_explain(const char *call, const tutti_status *status, const char *detail)
{
    switch (status->error) {
    case 0: return 0;
    case TUTTI_ERR_TRUNCATE:
        return tti_fail(status->error,
                        "%s: the message of %zu bytes from rank %d, tag %d, is longer than the buffer", call,
                        status->bytes, status->source, status->tag);
    case TUTTI_ERR_PEER_FAILED: return explain_death(call, status->source, detail);
    case TUTTI_ERR_REVOKED: return tti_fail(status->error, "%s: its communicator has been revoked", call);
    case TUTTI_ERR_CANCELLED: return tti_fail(status->error, "%s: withdrawn by tutti_cancel()", call);
    default: break; /* whoever found it out has said so */
    }
    if (detail != NULL) tti_status_recall(detail);
    return status->error;
}
