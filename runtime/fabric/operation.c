/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/operation.h"

#include "runtime/base/status.h"

int tti_fabric_begin(tti_fabric *fabric, int rank, enum tti_fabric_record_kind kind, const void *buf,
                     size_t bytes, tti_fabric_op *op, tti_fabric_operation *operation)
{
    int code = tti_fabric_reach(fabric, rank, &operation->contact);
    if (code != 0) return code;
    op->rank = rank;
    op->bytes = 0;
    operation->record = tti_fabric_take_record(fabric, kind, rank, op);
    if (operation->record == NULL) return TUTTI_ERR_NO_MEMORY;
    code = tti_fabric_registry_local(fabric->registry, buf, bytes, &operation->record->local,
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
