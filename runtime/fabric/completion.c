/* SPDX-License-Identifier: BSD-3-Clause */
/* The completion queue: progress, errors, and sleeping on it. */
#include <string.h>

#include "runtime/base/descriptor_room.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/operation.h"
#include "runtime/fabric/provider.h"

#define BATCH 16

/* The operation of the caller's ends; its record goes first, so that the handler can start another. */
static void end_operation(tti_fabric *fabric, tti_fabric_record *record, size_t bytes, int code)
{
    tti_fabric_op *op = record->op;
    if (record->failed_ns != 0 && code != 0) code = TUTTI_ERR_PEER_FAILED;
    tti_fabric_drop_record(fabric, record);
    if (op == NULL) return;
    op->bytes = bytes;
    op->done(op, code);
}

static void end_part(tti_fabric *fabric, tti_fabric_record *record, size_t bytes)
{
    const int code = tti_fabric_next_part(fabric, record, bytes);
    if (code != 1) end_operation(fabric, record, record->moved, code);
}

/* Parts for which there was no room; returns how many operations ended. */
static int retry_stalled(tti_fabric *fabric)
{
    int events = 0;
    tti_link *at = fabric->active.next;
    while (at != &fabric->active && fabric->stalled > 0) {
        tti_fabric_record *record = TTI_OWNER(at, tti_fabric_record, link);
        at = at->next;
        if (!record->stalled) continue;
        const int code = tti_fabric_retry_part(fabric, record);
        if (code == 1) continue;
        end_operation(fabric, record, record->moved, code);
        at = fabric->active.next; /* the handler may have changed the list */
        events++;
    }
    return events;
}

static void complete(tti_fabric *fabric, tti_fabric_record *record, size_t bytes)
{
    switch (record->kind) {
    case TTI_RECORD_ARRIVAL: tti_fabric_arrived(fabric, record, bytes); break;
    case TTI_RECORD_PACKET:
    case TTI_RECORD_LOST_PACKET: tti_fabric_packet_left(fabric, record, 0); break;
    default: end_part(fabric, record, bytes); break;
    }
}

/* `error` is positive by libfabric's rule; shm of 1.17 reports some negative. */
static int code_of(int error)
{
    if (error < 0) error = -error;
    if (error == FI_ECANCELED) return TUTTI_ERR_CANCELLED;
    if (error == FI_ETRUNC || error == FI_ETOOSMALL) return TUTTI_ERR_TRUNCATE;
    if (error == FI_ENOMEM) return TUTTI_ERR_NO_MEMORY;
    if (tti_descriptors_short(error)) return TUTTI_ERR_LIMIT;
    return tti_fabric_is_disconnect(error) ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_FABRIC;
}

static int code_for(const tti_fabric_record *record, const struct fi_cq_err_entry *entry)
{
    const int code = code_of(entry->err);
    const bool asked_for = record->cancelled || record->rank < 0;
    /* Else what was under way on a connection that broke ends so. */
    return code == TUTTI_ERR_CANCELLED && !asked_for ? TUTTI_ERR_PEER_FAILED : code;
}

static void report(tti_fabric *fabric, const tti_fabric_record *record, const struct fi_cq_err_entry *entry,
                   int code)
{
    const char *error = fabric->library->strerror(entry->err);
    if (code == TUTTI_ERR_CANCELLED) return;
    if (record->rank < 0) {
        tti_fail(code, "rank %d on %s: receiving a packet over %s: %s", fabric->job->rank, fabric->card.host,
                 fabric->card.provider, error);
        return;
    }
    const tti_fabric_contact *contact = tti_fabric_find(fabric, record->rank);
    char detail[128] = "";
    fi_cq_strerror(fabric->completions, entry->prov_errno, entry->err_data, detail, sizeof detail);
    tti_fail(code, "rank %d on %s: %s rank %d on %s over %s: %s%s%s%s", fabric->job->rank, fabric->card.host,
             record->kind == TTI_RECORD_RECV ? "receiving from" : "sending to", record->rank,
             contact != NULL && contact->host != NULL ? contact->host : "?", fabric->card.provider, error,
             detail[0] != '\0' ? ", " : "", detail, tti_fabric_remedy(entry->err));
}

/* Nothing has failed then: whoever asks why a call of his did is not to hear of it. */
static bool forgive(tti_fabric *fabric, const tti_fabric_record *record, const struct fi_cq_err_entry *entry)
{
    if (record->kind != TTI_RECORD_PACKET || !tti_fabric_forgives(fabric, record->rank)) return false;
    tti_log(TTI_LOG_INFO, "a greeting to rank %d is lost (%s) and will be sent again", record->rank,
            fabric->library->strerror(entry->err));
    return true;
}

static void fail(tti_fabric *fabric, tti_fabric_record *record, const struct fi_cq_err_entry *entry)
{
    const int rank = record->rank, code = code_for(record, entry);
    const bool own = code == TUTTI_ERR_LIMIT, forgiven = !own && forgive(fabric, record, entry);
    /* A packet that was not sent breaks the order: no way on with this peer. */
    const bool lost = !forgiven && (code == TUTTI_ERR_PEER_FAILED || record->kind == TTI_RECORD_PACKET);
    tti_fabric_contact *loses = rank >= 0 && (lost || own) ? tti_fabric_know(fabric, rank) : NULL;
    if (!forgiven) report(fabric, record, entry, code);
    /* First, so that it is known when what was under way ends. */
    if (loses != NULL && !loses->dead)
        fabric->failure(fabric->context, rank, own ? code : TUTTI_ERR_PEER_FAILED);
    switch (record->kind) {
    case TTI_RECORD_ARRIVAL: tti_list_append(&fabric->arrivals_unposted, &record->link); break;
    case TTI_RECORD_PACKET:
    case TTI_RECORD_LOST_PACKET: tti_fabric_packet_left(fabric, record, code); break;
    default: end_operation(fabric, record, entry->len, code); break;
    }
    if (loses != NULL) tti_fabric_lose_peer(fabric, loses, own ? code : TUTTI_ERR_PEER_FAILED);
}

static int read_error(tti_fabric *fabric)
{
    struct fi_cq_err_entry entry = {0};
    if (fi_cq_readerr(fabric->completions, &entry, 0) != 1) return 0;
    if (entry.op_context != NULL)
        fail(fabric, entry.op_context, &entry);
    else
        tti_log(TTI_LOG_WARN, "provider %s reports an error of no operation: %s", fabric->card.provider,
                fabric->library->strerror(entry.err));
    return 1;
}

/* Makes progress, too. */
static ssize_t read_queue(tti_fabric *fabric, struct fi_cq_msg_entry *entries, size_t room)
{
    tti_fabric_enter(fabric->watch);
    const ssize_t count = fi_cq_read(fabric->completions, entries, room);
    tti_fabric_leave(fabric->watch);
    return count;
}

int tti_fabric_poll(tti_fabric *fabric)
{
    struct fi_cq_msg_entry entries[BATCH];
    const ssize_t count = read_queue(fabric, entries, BATCH);
    int events = 0;
    if (count > 0) {
        for (ssize_t i = 0; i < count; i++)
            complete(fabric, entries[i].op_context, entries[i].len);
        events = (int)count;
    } else if (count == -FI_EAVAIL) {
        events = read_error(fabric);
    } else {
        tti_fabric_prove_step(fabric);
    }
    if (!tti_list_empty(&fabric->arrivals_unposted)) tti_fabric_post_arrivals(fabric);
    if (fabric->stalled > 0) events += retry_stalled(fabric);
    if (fabric->failing > 0) events += tti_fabric_reap(fabric);
    if (fabric->answers_owed > 0) tti_fabric_answer(fabric);
    if (fabric->heart != NULL) tti_fabric_watch_next(fabric);
    return events;
}

/* Reading no entries makes progress and says whether there are any: what fi_trywait leaves undone where it is
 * stuck. */
static bool nothing_waits(tti_fabric *fabric)
{
    if (!tti_list_empty(&fabric->arrivals_unposted)) return false;
    return (fabric->quirks & TTI_FABRIC_WAIT_STUCK) == 0 || read_queue(fabric, NULL, 0) == -FI_EAGAIN;
}

bool tti_fabric_arm(tti_fabric *fabric, int *fd)
{
    *fd = fabric->wait_fd;
    if (fabric->stalled > 0 || fabric->answers_owed > 0) return false;
    if (fabric->failing > 0) return false; /* grace is measured in polls */
    if (fabric->wait_fd < 0) return true;
    struct fid *fids[] = {&fabric->completions->fid};
    return nothing_waits(fabric) && fi_trywait(fabric->fabric, fids, 1) == 0;
}
