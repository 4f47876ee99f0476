/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk data by unique tags, matched by the provider, which takes any sender's that has the tag. The caller's
 * tags are small numbers, used one after the other; on the wire they are masked by random bits of the
 * receiver's card, so that all bits of a tag have to be guessed, and two that differ still do. */
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/operation.h"
#include "runtime/fabric/tag.h"

static int check_tag(const tti_fabric *fabric, uint64_t tag)
{
    if (tti_fabric_tag_fits(tag, fabric->limits.tag_bits)) return 0;
    return tti_fail(TUTTI_ERR_LIMIT, "bulk tag 0x%llx is wider than the %d bits of provider %s",
                    (unsigned long long)tag, fabric->limits.tag_bits, fabric->limits.provider);
}

static uint64_t masked(const tti_fabric *fabric, uint64_t tag, uint64_t mask)
{
    return (tag ^ mask) & tti_fabric_tag_most(fabric->limits.tag_bits);
}

int tti_fabric_bulk_send(tti_fabric *fabric, int rank, uint64_t tag, const void *buf, size_t bytes,
                         tti_fabric_op *op)
{
    tti_fabric_operation operation = {.use = TTI_FABRIC_SOURCE};
    int code = check_tag(fabric, tag);
    if (code == 0) code = tti_fabric_begin(fabric, rank, TTI_RECORD_SEND, buf, bytes, op, &operation);
    if (code != 0) return code;
    const tti_fabric_rest rest = {.call = TTI_CALL_TSEND,
                                  .at = (uint8_t *)(uintptr_t)buf,
                                  .left = bytes,
                                  .where = masked(fabric, tag, operation.contact->tag_mask)};
    return tti_fabric_start(fabric, &operation, &rest);
}

int tti_fabric_bulk_recv(tti_fabric *fabric, int rank, uint64_t tag, void *buf, size_t bytes,
                         tti_fabric_op *op)
{
    tti_fabric_operation operation = {.use = TTI_FABRIC_TARGET};
    int code = check_tag(fabric, tag);
    if (code == 0) code = tti_fabric_begin(fabric, rank, TTI_RECORD_RECV, buf, bytes, op, &operation);
    if (code != 0) return code;
    const tti_fabric_rest rest = {.call = TTI_CALL_TRECV,
                                  .at = buf,
                                  .left = bytes,
                                  .where = masked(fabric, tag, fabric->card.tag_mask)};
    return tti_fabric_start(fabric, &operation, &rest);
}

/* Where it is too late libfabric does not know it any more, or the record is another operation's by now. */
void tti_fabric_bulk_cancel(tti_fabric *fabric, tti_fabric_op *op)
{
    tti_fabric_record *record = (tti_fabric_record *)(uintptr_t)op->reserved[0];
    if (record->op != op) return;
    record->cancelled = true;
    fi_cancel(&fabric->endpoint->fid, record);
}
