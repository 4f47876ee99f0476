/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that a rank has revoked. Who hears of it for the first time tells all other members, before
 * anything else: so all hear of it that live, whoever dies meanwhile, and no answer that follows from it
 * comes sooner. */
#include "collectives/agree/comm_revoke.h"

#include "collectives/agree/agree_early.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/status.h"
#include "runtime/base/wire.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/rma/rma.h"
#include "tutti/fault.h"

/* Active message: the context, 8 bytes. */
#define BYTES 8

static void tell(const tutti_comm *comm)
{
    uint8_t bytes[BYTES];
    tti_wire_out out = {.at = bytes, .end = bytes + BYTES};
    tti_wire_put_uint(&out, comm->context, BYTES);
    for (int r = 0; r < comm->size; r++) {
        const int peer = tti_comm_job_rank(comm, r);
        if (r == comm->rank || tti_lost_is_dead(peer)) continue;
        tti_am_tell(peer, TTI_AM_REVOKE, bytes, BYTES, NULL, 0);
    }
}

static void revoke(tutti_comm *comm)
{
    if (comm->revoked) return;
    comm->revoked = true;
    tell(comm);
    tti_run_revoke(comm);
    tti_rma_revoke(comm);
    tti_p2p_revoke(comm);
}

static bool heard(int job_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t context = tti_wire_take_uint(&in, BYTES);
    if (in.failed || in.at != in.end) return false;
    tutti_comm *comm = tti_comm_find(context);
    if (comm != NULL && tti_comm_rank_of(comm, job_rank) < 0) return false;
    if (comm != NULL)
        revoke(comm);
    else if (tti_p2p_expects(context) && !tti_early_keep(heard, job_rank, payload, bytes))
        tti_lost_hold_for_dead(job_rank);
    return true;
}

void tti_comm_revoke_open(void)
{
    tti_am_register(TTI_AM_REVOKE, heard);
}

int tutti_comm_revoke(tutti_comm *comm)
{
    const int code = tti_check_open("tutti_comm_revoke");
    if (code < 0) return tti_answer(code);
    if (comm == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_comm_revoke: comm is NULL"));
    tti_lock();
    revoke(comm);
    tti_unlock();
    return 0;
}
