/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/survive.h"

#include <stdio.h>
#include <stdlib.h>

#include "examples/common/mishap.h"

static bool bears, broken;

void survive_deaths(void)
{
    bears = true;
}

void bear_code(const char *call, int code)
{
    if (code == 0) return;
    if (!bears || code != TUTTI_ERR_PEER_FAILED) stop(call, code);
    broken = true;
}

bool is_broken(void)
{
    return broken;
}

bool all_agree(tutti_comm *comm, bool good)
{
    uint64_t flags = good && !broken;
    BEAR(tutti_comm_agree(comm, &flags));
    broken = broken || (good && flags == 0);
    return flags != 0 && !broken;
}

/* The others hold this rank for dead, for a connection that broke, say, and go on without it: so it ends
 * alone. */
static void end_alone(void)
{
    fprintf(stderr, "flow: %s\n", tutti_error_detail());
    exit(1);
}

tutti_comm *regroup(tutti_comm *comm, tutti_comm *world)
{
    tutti_comm *next;
    int code = tutti_comm_restore(comm, &next);
    const bool none_left = code == TUTTI_ERR_LIMIT || code == TUTTI_ERR_UNSUPPORTED;
    if (none_left) code = tutti_comm_shrink(comm, &next);
    if (code == TUTTI_ERR_PEER_FAILED) end_alone();
    if (code != 0) stop(none_left ? "tutti_comm_shrink" : "tutti_comm_restore", code);
    if (comm != world) BEAR(tutti_comm_free(&comm));
    broken = false;
    return next;
}
