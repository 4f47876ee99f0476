/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with faults: an allreduce of floats leaves element 5 wrong at rank 2, and a bcast of 511 bytes
 * takes a millisecond longer. Linked in between by --wrap. */
#include <time.h>

#include "bench/port.h"

void __real_port_collective(const port_call *call);
void __wrap_port_collective(const port_call *call);

void __wrap_port_collective(const port_call *call)
{
    const struct timespec delay = {.tv_nsec = 1000000};
    __real_port_collective(call);
    if (call->kind == PORT_BCAST && call->count == 511) nanosleep(&delay, NULL);
    if (call->kind == PORT_ALLREDUCE && call->type == PORT_FLOAT && call->count > 5 && port_rank() == 2)
        ((float *)call->recv)[5] += 1;
}
