/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/compare.h"

#include <stddef.h>

static const tti_comparing *by; /* NULL: calls are not compared, as without the collectives */

void tti_compare_by(const tti_comparing *comparing)
{
    by = comparing;
}

bool tti_compares(const tutti_comm *comm)
{
    return by != NULL && by->compares(comm->size);
}

int tti_compare(tutti_comm *comm, const char *call)
{
    return by != NULL ? by->compare(comm, call) : 0;
}

void tti_compare_begin(tutti_comm *comm, const char *call, tti_comparison *comparison)
{
    if (by != NULL)
        by->begin(comm, call, comparison);
    else
        comparison->over(comparison, 0);
}
