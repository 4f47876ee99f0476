/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes in other ranks' buffers by messages, a piece after the other: the other rank is in the
 * same operation, which it does not end before those that reach into its buffers have posted, and answers
 * while it makes progress. Meanwhile this run starts nothing else. */
#include <string.h>

#include "collectives/execute/run_state.h"
#include "collectives/execute/shown.h"
#include "runtime/base/copy.h"
#include "runtime/base/status.h"
#include "runtime/node/node_windows.h"
#include "runtime/peers/lost.h"

/* A reader sends READ, which is answered by DATA; a writer WRITE with data, which is answered by WRITTEN. Or
 * by REFUSED. */
enum { READ, WRITE, DATA, WRITTEN, REFUSED };

/* Among ranks of one node and one version; sent as it is. */
typedef struct {
    uint64_t context; /* of the communicator */
    uint64_t number;  /* of the operation on windows of this kind */
    uint32_t kind, what;
    uint64_t as, at, bytes; /* in what is shown as INPUT or OUTPUT */
} reach_head;

#define CHUNK (TTI_AM_MAX - sizeof(reach_head))

void tti_run_stop_asking(tti_run *run)
{
    if (run->asking.step < 0) return;
    run->asking.step = -1;
    tti_run_end_later(run);
}

/* Bytes of a message for another rank, in parts. */
static int send_all(int job_rank, reach_head *head, const char *from)
{
    const uint64_t all = head->bytes;
    int code = 0;
    for (uint64_t done = 0; done < all && code == 0; done += head->bytes, head->at += head->bytes) {
        head->bytes = all - done < CHUNK ? all - done : CHUNK;
        code = tti_am_send(job_rank, TTI_AM_REACH, head, sizeof *head, from + done, head->bytes);
    }
    return code;
}

int tti_run_ask(tti_run *run)
{
    const tti_step *step = tti_run_step(run, run->asking.step);
    const size_t done = run->asking.done, left = step->bytes - done, most = tti_run_piece(run);
    const int job_rank = tti_comm_job_rank(run->comm, step->peer);
    uint64_t at;
    run->asking.piece_left = run->asking.piece = left < most ? left : most;
    reach_head head = {.context = run->comm->context,
                       .number = run->meeting.use.number,
                       .kind = (uint32_t)run->meeting.use.kind,
                       .what = step->kind == TTI_STEP_PUT ? WRITE : READ,
                       .as = (uint64_t)tti_run_reached(run, step, &at),
                       .bytes = run->asking.piece};
    head.at = at + done;
    if (head.what == WRITE) return send_all(job_rank, &head, tti_run_from(run, step) + done);
    return tti_am_send(job_rank, TTI_AM_REACH, &head, sizeof head, NULL, 0);
}

static void finish(tti_run *run)
{
    const int step = run->asking.step;
    run->asking.step = -1;
    run->asking.done = 0;
    run->held = false;
    run->outstanding--;
    tti_run_complete_step(run, step);
    tti_run_advance(run);
}

/* So much of what was asked for has come, or been written. */
static void count(tti_run *run, const tti_step *step, size_t bytes)
{
    run->asking.piece_left -= bytes;
    if (run->asking.piece_left > 0) return;
    if (step->kind == TTI_STEP_REDUCE)
        tti_run_apply(run, step, run->asking.room, run->asking.done, run->asking.piece);
    run->asking.done += run->asking.piece;
    const int code = run->asking.done < step->bytes ? tti_run_ask(run) : 0;
    if (code < 0)
        tti_run_fail_here(run, code);
    else if (run->asking.piece_left == 0)
        finish(run);
}

static void take(tti_run *run, const reach_head *head, const char *data)
{
    if (run == NULL || run->asking.step < 0 || head->bytes > run->asking.piece_left) return;
    const tti_step *step = tti_run_step(run, run->asking.step);
    const bool aside = step->kind == TTI_STEP_REDUCE, written = head->what == WRITTEN;
    if (written != (step->kind == TTI_STEP_PUT)) return;
    char *to = aside ? run->asking.room : tti_run_to(run, step) + run->asking.done;
    if (!written) tti_copy_long(to + (run->asking.piece - run->asking.piece_left), data, head->bytes);
    count(run, step, head->bytes);
}

/* Where it has withdrawn what it had shown, the news why are on their way. */
static void refused(tti_run *run, int job_rank)
{
    if (run == NULL || run->asking.step < 0) return;
    const tti_windows *windows = run->meeting.windows;
    if (tti_windows_withdrawn(windows, tti_windows_place(windows, tti_run_step(run, run->asking.step)->peer)))
        return;
    tti_run_fail_here(
        run, tti_fail(TUTTI_ERR_UNSUPPORTED, "rank %d of the job takes part in another operation", job_rank));
}

/* The address of what is asked for; NULL if that is not shown, or not to be written. */
static char *find(const tti_run *run, const reach_head *head)
{
    if (run == NULL || head->as >= TTI_SHOWN) return NULL;
    const tti_shown *shown = &tti_plan_reaching(run->plan)->shown[head->as];
    if (head->what == WRITE && !shown->written) return NULL;
    if (head->at > shown->bytes || head->bytes > shown->bytes - head->at) return NULL;
    return tti_run_own(run, shown->space, shown->at + head->at);
}

/* Answers READ and WRITE, of which `data` is what is to be written. */
static void serve(int job_rank, reach_head *head, char *buffer, const char *data)
{
    const bool reads = head->what == READ;
    head->what = buffer == NULL ? REFUSED : reads ? DATA : WRITTEN;
    if (head->what == DATA) {
        if (send_all(job_rank, head, buffer) < 0) tti_lost_hold_for_dead(job_rank);
        return;
    }
    if (head->what == WRITTEN) tti_copy_long(buffer, data, head->bytes);
    tti_am_tell(job_rank, TTI_AM_REACH, head, sizeof *head, NULL, 0);
}

static void deal_with(int job_rank, tti_run *run, reach_head *head, const char *data)
{
    switch (head->what) {
    case READ:
    case WRITE: serve(job_rank, head, find(run, head), data); break;
    case DATA:
    case WRITTEN: take(run, head, data); break;
    default: refused(run, job_rank); break;
    }
}

/* An answer may come late, to an operation that has been given up. */
static bool arrived(int job_rank, const void *payload, size_t bytes)
{
    reach_head head;
    if (bytes < sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    const char *data = (const char *)payload + sizeof head;
    bytes -= sizeof head;
    if (head.what > REFUSED || head.kind >= TTI_NODE_WINDOW_KINDS) return false;
    if (bytes != (head.what == DATA || head.what == WRITE ? head.bytes : 0)) return false;
    const tti_windows_use use = {.kind = (enum tti_node_window_kind)head.kind, .number = head.number};
    tti_run *run = tti_run_on(head.context, &use);
    if (run != NULL && tti_comm_rank_of(run->comm, job_rank) < 0) return true;
    deal_with(job_rank, run, &head, data);
    return true;
}

void tti_run_reach_register(void)
{
    tti_am_register(TTI_AM_REACH, arrived);
}
