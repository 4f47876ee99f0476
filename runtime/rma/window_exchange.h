/* SPDX-License-Identifier: BSD-3-Clause */
/* What making and ending a window needs from all ranks of its communicator. */
#ifndef TTI_RMA_WINDOW_EXCHANGE_H
#define TTI_RMA_WINDOW_EXCHANGE_H

#include "runtime/rma/window_state.h"

/* Hands `own` to all other ranks, and fills parts[0 … size - 1] with everybody's. Where a rank cannot make
 * its part (own->failed), `parts` may be NULL there; all ranks return its error then, and own->failed names
 * it. A rank that cannot pass on what all exchange drops out (p2p/drop_out.h). */
int tti_rma_exchange(tutti_comm *comm, tti_rma_part *own, tti_rma_part *parts);
int tti_rma_barrier(tutti_comm *comm);

#endif
