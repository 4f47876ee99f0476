/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/request/request.h"

#include "runtime/base/status.h"

tti_request_counts tti_requests_active;

void tti_request_end_orphan(tutti_request *request)
{
    tti_requests_active.orphans -= tti_request_is_needed(request);
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
