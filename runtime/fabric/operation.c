/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/operation.h"

#include "runtime/base/status.h"

int tti_fabric_begin(tti_fabric *fabric, int rank, enum tti_fabric_record_kind kind, const void *buf,
                     size_t bytes, tti_fabric_op *op, tti_fabric_operation *operation)
{
    int code = kind == TTI_RECORD_RECV ? tti_fabric_locate(fabric, rank, &operation->contact)
                                       : tti_fabric_reach(fabric, rank, &operation->contact);
    if (code != 0) return code;
    op->rank = rank;
    op->bytes = 0;
    operation->record = tti_fabric_take_record(fabric, kind, rank, op);
    if (operation->record == NULL) return TUTTI_ERR_NO_MEMORY;
    code = tti_fabric_registry_local(fabric->registry, buf, bytes, operation->use, &operation->record->local,
                                     &operation->descriptor);
    if (code < 0)
        tti_fabric_drop_record(fabric, operation->record);
    else
        tti_fabric_enter(fabric->watch);
    return code;
}

int tti_fabric_conclude(tti_fabric *fabric, tti_fabric_operation *operation, ssize_t result, const char *what)
{
    tti_fabric_leave(fabric->watch);
    if (result == 0 && operation->record->kind == TTI_RECORD_RECV) return 0; /* says nothing of the peer */
    if (result != 0) tti_fabric_drop_record(fabric, operation->record);
    return tti_fabric_settle(fabric, operation->contact, result, what);
}

static size_t part_of(const tti_fabric *fabric, const tti_fabric_rest *rest)
{
    return rest->left < fabric->limits.message_max ? rest->left : fabric->limits.message_max;
}

/* FI_DELIVERY_COMPLETE: the completion says that the data is in the target's memory. */
static ssize_t post_write(tti_fabric *fabric, fi_addr_t peer, tti_fabric_record *record, size_t bytes)
{
    const tti_fabric_rest *rest = &record->rest;
    const struct iovec local = {rest->at, bytes};
    const struct fi_rma_iov target = {rest->where, bytes, rest->key};
    const struct fi_msg_rma message = {.msg_iov = &local,
                                       .desc = (void **)(uintptr_t)&rest->descriptor,
                                       .iov_count = 1,
                                       .addr = peer,
                                       .rma_iov = &target,
                                       .rma_iov_count = 1,
                                       .context = record};
    return fi_writemsg(fabric->endpoint, &message, FI_DELIVERY_COMPLETE | FI_COMPLETION);
}

static ssize_t post_part(tti_fabric *fabric, fi_addr_t peer, tti_fabric_record *record)
{
    const tti_fabric_rest *rest = &record->rest;
    const size_t bytes = part_of(fabric, rest);
    switch (rest->call) {
    case TTI_CALL_TSEND:
        return fi_tsend(fabric->endpoint, rest->at, bytes, rest->descriptor, peer, rest->where, record);
    case TTI_CALL_TRECV:
        return fi_trecv(fabric->endpoint, rest->at, bytes, rest->descriptor, FI_ADDR_UNSPEC, rest->where, 0,
                        record);
    case TTI_CALL_READ:
        return fi_read(fabric->endpoint, rest->at, bytes, rest->descriptor, peer, rest->where, rest->key,
                       record);
    case TTI_CALL_WRITE: return post_write(fabric, peer, record, bytes);
    }
    return -FI_EINVAL;
}

static const char *name_of(enum tti_fabric_call call)
{
    static const char *const names[] = {"fi_tsend", "fi_trecv", "fi_read", "fi_writemsg"};
    return names[call];
}

int tti_fabric_start(tti_fabric *fabric, tti_fabric_operation *operation, const tti_fabric_rest *rest)
{
    operation->record->rest = *rest;
    operation->record->rest.descriptor = operation->descriptor;
    const ssize_t result = post_part(fabric, operation->contact->address, operation->record);
    return tti_fabric_conclude(fabric, operation, result, name_of(rest->call));
}

int tti_fabric_retry_part(tti_fabric *fabric, tti_fabric_record *record)
{
    tti_fabric_contact *contact = tti_fabric_know(fabric, record->rank);
    if (record->stalled) fabric->stalled--;
    record->stalled = false;
    if (contact == NULL || record->op == NULL || record->failed_ns != 0) return TUTTI_ERR_CANCELLED;
    tti_fabric_enter(fabric->watch);
    const ssize_t result = post_part(fabric, contact->address, record);
    tti_fabric_leave(fabric->watch);
    if (result == 0) return 1;
    if (result != -FI_EAGAIN) return tti_fabric_settle(fabric, contact, result, name_of(record->rest.call));
    record->stalled = true;
    fabric->stalled++;
    return 1;
}

int tti_fabric_next_part(tti_fabric *fabric, tti_fabric_record *record, size_t bytes)
{
    tti_fabric_rest *rest = &record->rest;
    const size_t part = part_of(fabric, rest);
    record->moved += rest->call == TTI_CALL_TRECV ? bytes : part;
    if (part == rest->left) return 0;
    rest->at += part;
    rest->left -= part;
    rest->where += part;
    return tti_fabric_retry_part(fabric, record);
}
