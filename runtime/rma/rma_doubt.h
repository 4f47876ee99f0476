/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the fabric does not end, as the target's memory is gone. */
#ifndef TTI_RMA_DOUBT_H
#define TTI_RMA_DOUBT_H

#include "runtime/rma/rma_op.h"

/* The fabric has the operation: once that takes long the target is asked whether the memory is there, and
 * where it is not the operation ends. */
void tti_rma_doubt(tti_rma_op *op);
/* Asks no more: at closing, before the windows go. */
void tti_rma_doubts_close(void);

#endif
