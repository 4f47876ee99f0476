/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes in other ranks' buffers (shown.h). What can neither be mapped nor copied by the kernel is
 * asked for, or sent, by messages, a piece after the other: the other rank is in the same operation, which it
 * does not end before those that reach into its buffers have posted, and answers while it makes progress.
 * Meanwhile this run starts nothing else. */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/run_state.h"
#include "collectives/execute/shown.h"
#include "runtime/base/copy.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"

/* As much is asked for, or copied before it is combined, at a time: the other rank keeps a copy of what has
 * no room in the mailbox. */
#define PIECE ((size_t)128 << 10)

/* A reader sends READ, which is answered by DATA; a writer WRITE with data, which is answered by WRITTEN. Or
 * by REFUSED. Whose operation has failed sends STOP to who may write, which is answered by STOPPED. */
enum { READ, WRITE, DATA, WRITTEN, REFUSED, STOP, STOPPED };

/* Among ranks of one node and one version; sent as it is. */
typedef struct {
    uint64_t context; /* of the communicator */
    uint64_t number;  /* of the operation on windows of this kind */
    uint32_t kind, what;
    uint64_t as, at, bytes; /* in what is shown as INPUT or OUTPUT */
} reach_head;

#define CHUNK (TTI_AM_MAX - sizeof(reach_head))

static const tti_step *step_of(const tti_run *run, int index)
{
    return &run->schedule->steps[index];
}

static size_t piece_of(const tti_run *run)
{
    const size_t element = run->schedule->element, whole = PIECE / element * element;
    return whole > 0 ? whole : element;
}

static const tti_shown_line *line_at(const tti_run *run, int place)
{
    const tti_run_meeting *m = &run->meeting;
    return (const tti_shown_line *)(const void *)tti_windows_at(m->windows, place, &m->use)->data;
}

void tti_run_show(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const tti_plan *plan = run->plan;
    const tti_schedule *shows = tti_plan_reaching(plan);
    tti_shown_line *own =
        (tti_shown_line *)(void *)tti_windows_at(m->windows, m->windows->rank, &m->use)->data;
    uint64_t ways = TTI_REACH_ALL;
    if (tti_schedule_shows(shows)) {
        ways = tti_shown_fill(own, shows, run->space) ? TTI_REACH_MAPPED : 0;
        if (plan->copies_pay && tti_shown_copies(m->windows)) ways |= TTI_REACH_COPIED;
    }
    m->mark |= ways << TTI_MARK_SIZE_BITS;
}

/* Room for what is combined once it is here; NULL if memory is out. */
static char *room_of(tti_run *run)
{
    if (run->asking.room == NULL) run->asking.room = malloc(piece_of(run));
    if (run->asking.room == NULL)
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for %zu bytes of another rank's contribution",
                 piece_of(run));
    return run->asking.room;
}

static int copy_out(tti_run *run, const tti_step *step, int peer, uint64_t address)
{
    const size_t done = run->asking.done;
    const int code = tti_node_write(run->meeting.windows->node, peer, address + done,
                                    tti_run_own(run, step) + done, step->bytes - done);
    if (code == 0) run->asking.done = step->bytes;
    return code;
}

/* What is left of the step, by the kernel's copy; `asking.done` has come, or gone. */
static int copy(tti_run *run, const tti_step *step, int peer, uint64_t address)
{
    int code = 0;
    if (step->kind == TTI_STEP_PUT) return copy_out(run, step, peer, address);
    while (code == 0 && run->asking.done < step->bytes) {
        const bool aside = step->kind == TTI_STEP_REDUCE;
        const size_t done = run->asking.done, left = step->bytes - done,
                     bytes = aside && left > piece_of(run) ? piece_of(run) : left;
        char *to = aside ? room_of(run) : run->space[step->to_space] + step->to + done;
        if (to == NULL) return TUTTI_ERR_NO_MEMORY;
        code = tti_node_read(run->meeting.windows->node, peer, address + done, to, bytes);
        if (code == 0 && aside) tti_run_apply(run, step, to, done, bytes);
        if (code == 0) run->asking.done += bytes;
    }
    return code;
}

/* Bytes of a message for another rank, in parts; an error means that it is gone. */
static int send_all(int world_rank, reach_head *head, const char *from)
{
    const uint64_t all = head->bytes;
    int code = 0;
    for (uint64_t done = 0; done < all && code == 0; done += head->bytes, head->at += head->bytes) {
        head->bytes = all - done < CHUNK ? all - done : CHUNK;
        code = tti_am_send(world_rank, TTI_AM_REACH, head, sizeof *head, from + done, head->bytes);
    }
    return code;
}

/* For the next piece, or sends it. */
static int ask(tti_run *run)
{
    const tti_step *step = step_of(run, run->asking.step);
    const size_t done = run->asking.done, left = step->bytes - done, most = piece_of(run);
    const int world_rank = tti_comm_world(run->comm, step->peer);
    size_t at;
    run->asking.left = run->asking.piece = left < most ? left : most;
    reach_head head = {.context = run->comm->context,
                       .number = run->meeting.use.number,
                       .kind = (uint32_t)run->meeting.use.kind,
                       .what = step->kind == TTI_STEP_PUT ? WRITE : READ,
                       .as = (uint64_t)tti_step_reached(step, &at),
                       .bytes = run->asking.piece};
    head.at = at + done;
    if (head.what == WRITE) return send_all(world_rank, &head, tti_run_own(run, step) + done);
    return tti_am_send(world_rank, TTI_AM_REACH, &head, sizeof head, NULL, 0);
}

/* What was read may be the program's next data, as that rank has given up the operation. */
#define WITHDRAWN 1

/* Where it is mapped, or by the kernel's copy; of a step that fails a part may be done. */
static int reach(tti_run *run, const tti_step *step)
{
    tti_windows *windows = run->meeting.windows;
    const int place = tti_windows_place(windows, step->peer);
    size_t at;
    const int as = tti_step_reached(step, &at);
    const tti_shown_buffer *buffer = &line_at(run, place)->of[as];
    char *mapped = tti_shown_map(windows, place, as, buffer);
    int code = 0;
    if (mapped == NULL || run->asking.done > 0)
        code = copy(run, step, windows->peers[place], buffer->address + at);
    else if (step->kind == TTI_STEP_PUT)
        tti_copy_long(mapped + at, tti_run_own(run, step), step->bytes);
    else
        tti_run_apply(run, step, mapped + at, 0, step->bytes);
    if (tti_windows_withdrawn(windows, place)) return WITHDRAWN;
    if (code == 0) run->asking.done = 0;
    return code;
}

/* Of a run that has failed meanwhile nobody is written to any more: the other rank may have been told so. */
bool tti_run_reach_now(tti_run *run, int index)
{
    return !run->given_up && reach(run, step_of(run, index)) == 0;
}

bool tti_run_reach(tti_run *run, int index)
{
    const tti_step *step = step_of(run, index);
    int code = reach(run, step);
    if (code == 0) return true;
    if (code == WITHDRAWN) {
        tti_run_await_news(run);
        return false;
    }
    run->asking.step = index;
    if (code == TUTTI_ERR_UNSUPPORTED)
        code = step->kind != TTI_STEP_REDUCE || room_of(run) != NULL ? ask(run) : TUTTI_ERR_NO_MEMORY;
    run->held = true;
    run->outstanding++;
    if (code < 0) tti_run_fail_here(run, code);
    return false;
}

void tti_run_stop_asking(tti_run *run)
{
    if (run->asking.step < 0) return;
    run->asking.step = -1;
    tti_run_end_later(run);
}

static int writer_of(const tti_run *run)
{
    return tti_comm_world(run->comm, tti_run_other(run));
}

/* PUT is of two ranks alone. */
bool tti_run_may_be_written(const tti_run *run)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL || !run->plan->reaches || run->comm->size != 2) return false;
    if (tti_p2p_is_dead(writer_of(run))) return false;
    const tti_shown *shown = &tti_plan_reaching(run->plan)->shown[TTI_OUTPUT];
    return shown->bytes > 0 && shown->space == TTI_OUTPUT;
}

/* The other rank has heard before why the operation is over, so that it begins to write no more; and it does
 * not answer while it writes. */
bool tti_run_stop_writer(const tti_run *run)
{
    if (!tti_run_may_be_written(run)) return false;
    const reach_head head = {.context = run->comm->context,
                             .number = run->meeting.use.number,
                             .kind = (uint32_t)run->meeting.use.kind,
                             .what = STOP};
    return tti_am_send(writer_of(run), TTI_AM_REACH, &head, sizeof head, NULL, 0) == 0;
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
    run->asking.left -= bytes;
    if (run->asking.left > 0) return;
    if (step->kind == TTI_STEP_REDUCE)
        tti_run_apply(run, step, run->asking.room, run->asking.done, run->asking.piece);
    run->asking.done += run->asking.piece;
    const int code = run->asking.done < step->bytes ? ask(run) : 0;
    if (code < 0)
        tti_run_fail_here(run, code);
    else if (run->asking.left == 0)
        finish(run);
}

static void take(tti_run *run, const reach_head *head, const char *data)
{
    if (run == NULL || run->asking.step < 0 || head->bytes > run->asking.left) return;
    const tti_step *step = step_of(run, run->asking.step);
    const bool aside = step->kind == TTI_STEP_REDUCE, written = head->what == WRITTEN;
    if (written != (step->kind == TTI_STEP_PUT)) return;
    char *to = aside ? run->asking.room : run->space[step->to_space] + step->to + run->asking.done;
    if (!written) memcpy(to + (run->asking.piece - run->asking.left), data, head->bytes);
    count(run, step, head->bytes);
}

/* Where it has withdrawn what it had shown, the news why are on their way. */
static void refused(tti_run *run, int world_rank)
{
    if (run == NULL || run->asking.step < 0) return;
    const tti_windows *windows = run->meeting.windows;
    if (tti_windows_withdrawn(windows, tti_windows_place(windows, step_of(run, run->asking.step)->peer)))
        return;
    tti_run_fail_here(run, tti_fail(TUTTI_ERR_UNSUPPORTED,
                                    "rank %d of the job takes part in another operation", world_rank));
}

/* The address of what is asked for; NULL if that is not shown, or not to be written. */
static char *find(const tti_run *run, const reach_head *head)
{
    if (run == NULL || head->as >= TTI_SHOWN) return NULL;
    const tti_shown *shown = &tti_plan_reaching(run->plan)->shown[head->as];
    if (head->what == WRITE && (head->as != TTI_OUTPUT || shown->space != TTI_OUTPUT)) return NULL;
    if (head->at > shown->bytes || head->bytes > shown->bytes - head->at) return NULL;
    return run->space[shown->space] + shown->at + head->at;
}

/* Answers READ and WRITE, of which `data` is what is to be written. */
static void serve(int world_rank, reach_head *head, char *buffer, const char *data)
{
    const bool reads = head->what == READ;
    head->what = buffer == NULL ? REFUSED : reads ? DATA : WRITTEN;
    if (head->what == DATA) {
        send_all(world_rank, head, buffer);
        return;
    }
    if (head->what == WRITTEN) memcpy(buffer, data, head->bytes);
    tti_am_send(world_rank, TTI_AM_REACH, head, sizeof *head, NULL, 0);
}

static void stop(int world_rank, reach_head *head)
{
    head->what = STOPPED;
    tti_am_send(world_rank, TTI_AM_REACH, head, sizeof *head, NULL, 0);
}

static void deal_with(int world_rank, tti_run *run, reach_head *head, const char *data)
{
    switch (head->what) {
    case READ:
    case WRITE: serve(world_rank, head, find(run, head), data); break;
    case DATA:
    case WRITTEN: take(run, head, data); break;
    case STOP: stop(world_rank, head); break;
    case STOPPED: tti_run_writer_stopped(run); break;
    default: refused(run, world_rank); break;
    }
}

/* An answer may come late, to an operation that has been given up. */
static bool arrived(int world_rank, const void *payload, size_t bytes)
{
    reach_head head;
    if (bytes < sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    const char *data = (const char *)payload + sizeof head;
    bytes -= sizeof head;
    if (head.what > STOPPED || head.kind >= TTI_NODE_WINDOW_KINDS) return false;
    if (bytes != (head.what == DATA || head.what == WRITE ? head.bytes : 0)) return false;
    const tti_windows_use use = {.kind = (enum tti_node_window_kind)head.kind, .number = head.number};
    tti_run *run = tti_run_on(head.context, &use);
    if (run != NULL && tti_comm_rank_of(run->comm, world_rank) < 0) return true;
    deal_with(world_rank, run, &head, data);
    return true;
}

void tti_run_reach_register(void)
{
    tti_am_register(TTI_AM_REACH, arrived);
}
