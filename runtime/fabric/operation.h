/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of every operation of the caller's: peer, record and local registration before the libfabric
 * call, the sorting of its result after. */
#ifndef TTI_FABRIC_OPERATION_H
#define TTI_FABRIC_OPERATION_H

#include "runtime/fabric/fabric_state.h"

typedef struct {
    enum tti_fabric_use use; /* of the buffer: given by who begins */
    tti_fabric_contact *contact;
    tti_fabric_record *record;
    void *descriptor;
} tti_fabric_operation;

/* 0: the libfabric call follows, and then tti_fabric_conclude(); or 1 (not now) or an error, and nothing is
 * held. */
int tti_fabric_begin(tti_fabric *fabric, int rank, enum tti_fabric_record_kind kind, const void *buf,
                     size_t bytes, tti_fabric_op *op, tti_fabric_operation *operation);
/* Makes the call, for the first part of what `rest` says (the descriptor is filled in), and concludes. */
int tti_fabric_start(tti_fabric *fabric, tti_fabric_operation *operation, const tti_fabric_rest *rest);
/* After a part of `bytes` is done: 0 if it was the last, 1 if the operation goes on, or an error. */
int tti_fabric_next_part(tti_fabric *fabric, tti_fabric_record *record, size_t bytes);
/* The same where there was no room for the part. */
int tti_fabric_retry_part(tti_fabric *fabric, tti_fabric_record *record);
/* As tti_fabric_settle(); unless `result` is 0 the record is dropped again. */
int tti_fabric_conclude(tti_fabric *fabric, tti_fabric_operation *operation, ssize_t result,
                        const char *what);

#endif
