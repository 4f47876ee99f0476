/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/drop_out.h"

#include <stddef.h>

static const tti_dropping_out *by; /* NULL: without the collectives nobody is told */

void tti_drop_out_by(const tti_dropping_out *dropping_out)
{
    by = dropping_out;
}

int tti_drop_out(tutti_comm *comm, int code)
{
    return by != NULL ? by->drop_out(comm, code) : code;
}

int tti_drop_out_check(const tutti_comm *comm)
{
    return by != NULL ? by->check(comm) : 0;
}
