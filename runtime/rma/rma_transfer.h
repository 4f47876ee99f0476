/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of operations that are not over at once, to the target and back. */
#ifndef TTI_RMA_TRANSFER_H
#define TTI_RMA_TRANSFER_H

#include "runtime/rma/rma_op.h"

/* Starts it by active messages / over the fabric. From then on it ends by tti_rma_op_finish(). */
void tti_rma_start_messages(tti_rma_op *op);
void tti_rma_start_fabric(tti_rma_op *op, const char *call);
/* Ends all on the window: at once, or what the fabric has when it is through with that or the peer is lost.
 * With TUTTI_ERR_REVOKED if the communicator is revoked; else with TUTTI_ERR_PEER_FAILED, or with its own
 * result if the fabric has it. */
void tti_rma_abandon(const tutti_window *window);
int tti_rma_transfers_open(int ranks);
void tti_rma_transfers_close(void);

#endif
