/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a communicator depends on every other in a collective, if only through others. So a rank that
 * learns of a death ends its runs on all communicators with the dead one, at once, and tells the ranks that
 * it exchanges messages with in them: they may not have noticed, and would wait for what it no longer sends.
 */
#include "collectives/run_failure.h"

#include <string.h>

#include "runtime/base/wire.h"
#include "tutti/error.h"

/* Active message: the world rank that failed, 4 bytes. */
#define AM_KIND_FAILURE (TTI_AM_KINDS - 1)
#define AM_BYTES 4

static tti_link runs = {&runs, &runs};

void tti_run_list(tti_run *run)
{
    tti_list_append(&runs, &run->active);
}

void tti_run_fail(tti_run *run, int error)
{
    if (run->error == 0) run->error = error;
    if (run->given_up) return;
    run->given_up = true;
    for (int i = 0; i < run->started; i++)
        if (run->messages[i].under_way) tti_p2p_abandon(&run->messages[i].op);
}

/* Tells the peers of the run's schedule of each failed rank of the communicator. */
static void tell(const tti_run *run, int failed)
{
    const tti_schedule *schedule = run->plan->schedule;
    uint8_t bytes[AM_BYTES];
    tti_wire_out out = {.at = bytes, .end = bytes + sizeof bytes};
    tti_wire_put_uint(&out, (uint64_t)failed, AM_BYTES);
    int last = run->comm->rank;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->kind > TTI_STEP_RECV || step->peer == last) continue;
        last = step->peer;
        const int peer = tti_comm_world(run->comm, last);
        if (!tti_p2p_is_dead(peer)) tti_am_send(peer, AM_KIND_FAILURE, bytes, sizeof bytes, NULL, 0);
    }
}

static void heard(int world_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t failed = tti_wire_take_uint(&in, AM_BYTES);
    (void)world_rank;
    if (!in.failed) tti_p2p_peer_died((int)failed, NULL);
}

/* `world_rank` failed; its own operations have been ended. Failing a run ends nothing at once (ends of
 * messages come with later progress), so the list stays as it is. */
static void rank_failed(int world_rank)
{
    tti_board_lose(world_rank);
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (tti_comm_rank_of(run->comm, world_rank) < 0) continue;
        tell(run, world_rank);
        tti_run_fail(run, TUTTI_ERR_PEER_FAILED);
    }
}

void tti_run_watch(void)
{
    tti_am_register(AM_KIND_FAILURE, heard);
    tti_p2p_watch(rank_failed);
}
