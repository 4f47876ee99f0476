/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided access (tutti/rma.h). Opened after p2p, closed before it. */
#ifndef TTI_RMA_H
#define TTI_RMA_H

#include "pmi/pmi.h"
#include "runtime/comm/comm.h"

int tti_rma_open(const tti_job *job);
/* The communicator has been revoked: ends what is under way on its windows. */
void tti_rma_revoke(const tutti_comm *comm);
/* Frees what the user left: windows and memory of tutti_mem_alloc(). */
void tti_rma_close(void);

#endif
