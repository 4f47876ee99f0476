/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a communicator depends on every other in a collective, if only through others. So a rank that
 * learns of a death ends its runs on all communicators with the dead one, at once, and tells the ranks that
 * it exchanges messages with in them: they may not have noticed, and would wait for what it no longer sends.
 *
 * A living rank that cannot take part in a collective, for want of memory as a rule, tells all others, and
 * that communicator is over for collectives: which messages of it are still under way nobody knows. */
#include "collectives/run_failure.h"

#include <string.h>

#include "collectives/node/board.h"
#include "runtime/base/status.h"
#include "runtime/base/wire.h"
#include "tutti/error.h"

/* Active message: the world rank that failed, 4 bytes. */
#define AM_KIND_FAILURE (TTI_AM_KINDS - 1)
#define AM_BYTES 4
/* Active message: a context, and the code for which the sender took no part in a collective there, 4 bytes
 * each. */
#define AM_KIND_DROP_OUT (TTI_AM_KINDS - 2)

static struct {
    bool any;
    struct {
        int code, rank; /* of the job; code 0: nobody */
    } of[TTI_COMM_CONTEXTS];
} drop_outs;

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
 * messages come with later progress), so the list stays as it is. One that has left did its part of what it
 * took part in: a run that misses something of it has seen its messages end. */
static void rank_failed(int world_rank, bool left)
{
    if (left) return;
    tti_board_lose(world_rank);
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (tti_comm_rank_of(run->comm, world_rank) < 0) continue;
        tell(run, world_rank);
        tti_run_fail(run, TUTTI_ERR_PEER_FAILED);
    }
}

/* From now on no collective on the context is possible. Also known before the communicator is there, if its
 * other ranks were faster. The context is not used again: messages of what was under way may still come. */
static void note_drop_out(uint32_t context, int world_rank, int code)
{
    drop_outs.of[context].code = code;
    drop_outs.of[context].rank = world_rank;
    drop_outs.any = true;
    tti_comm_keep_context(context);
    tti_board_drop(context);
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (run->comm->context == context) tti_run_fail(run, code);
    }
}

static int explain_drop_out(uint32_t context)
{
    const int code = drop_outs.of[context].code;
    return tti_fail(
        code,
        "rank %d of the job could not take part in a collective: %s; on its communicator no collective is "
        "possible any more",
        drop_outs.of[context].rank, tutti_strerror(code));
}

static void heard_of_drop_out(int world_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint32_t context = (uint32_t)tti_wire_take_uint(&in, 4);
    const int code = -(int)tti_wire_take_uint(&in, 4);
    if (in.failed || code >= 0 || !tti_p2p_expects(context) || drop_outs.of[context].code != 0) return;
    note_drop_out(context, world_rank, code);
    explain_drop_out(context);
}

int tti_run_drop_out(tutti_comm *comm, int code)
{
    if (comm->size == 1 || drop_outs.of[comm->context].code != 0) return code;
    uint8_t bytes[8];
    tti_wire_out out = {.at = bytes, .end = bytes + sizeof bytes};
    tti_wire_put_uint(&out, comm->context, 4);
    tti_wire_put_uint(&out, (uint64_t)-code, 4);
    note_drop_out(comm->context, tti_comm_world(comm, comm->rank), code);
    for (int r = 0; r < comm->size; r++) {
        const int peer = tti_comm_world(comm, r);
        if (r != comm->rank && !tti_p2p_is_dead(peer))
            tti_am_send(peer, AM_KIND_DROP_OUT, bytes, sizeof bytes, NULL, 0);
    }
    return code;
}

int tti_run_check_whole(const tutti_comm *comm)
{
    if (__builtin_expect(!drop_outs.any, 1) || drop_outs.of[comm->context].code == 0) return 0;
    return explain_drop_out(comm->context);
}

void tti_run_watch(void)
{
    tti_am_register(AM_KIND_FAILURE, heard);
    tti_am_register(AM_KIND_DROP_OUT, heard_of_drop_out);
    tti_p2p_watch(rank_failed);
}
