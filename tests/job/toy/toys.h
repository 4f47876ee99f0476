/* SPDX-License-Identifier: BSD-3-Clause */
/* Two collectives that are in no library but this test's: their public functions. */
#ifndef TESTS_JOB_TOYS_H
#define TESTS_JOB_TOYS_H

#include "tutti/types.h"

/* recv = send of rank 0 op … op send of this rank. */
int tutti_toy_scan(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                   tutti_op *op);
int tutti_itoy_scan(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                    tutti_op *op, tutti_request **request);
int tutti_toy_scan_init(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                        tutti_op *op, tutti_request **request);

/* `bytes` from each rank to each: block q of recv is block r of rank q's send, r the caller. */
int tutti_toy_exchange(tutti_comm *comm, const void *send, void *recv, size_t bytes);
int tutti_itoy_exchange(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                        tutti_request **request);
int tutti_toy_exchange_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                            tutti_request **request);

#endif
