/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of collectives whose parts differ from rank to rank. Each rank checks what it
 * knows: whether ranks agree shows when they exchange (run_steps.c), or to TUTTI_VERIFY=calls. */
#ifndef TTI_CALLS_CALL_TABLES_H
#define TTI_CALLS_CALL_TABLES_H

#include "collectives/calls/call.h"
#include "collectives/contract/contract.h"

int tti_call_set_type(tti_call *call, tutti_type type);
/* Takes the tables and the part of the caller's own, and the buffers; the caller's type is set. */
int tti_call_set_tables(tti_call *call, const tti_contract *contract, const tti_arguments *given);

#endif
