/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with a fault: an allreduce of floats leaves element 5 wrong at rank 2. Linked in between by
 * --wrap. */
#include "bench/port.h"

void __real_port_collective(const port_call *call);
void __wrap_port_collective(const port_call *call);

void __wrap_port_collective(const port_call *call)
{
    __real_port_collective(call);
    if (call->kind == PORT_ALLREDUCE && call->type == PORT_FLOAT && call->count > 5 && port_rank() == 2)
        ((float *)call->recv)[5] += 1;
}
