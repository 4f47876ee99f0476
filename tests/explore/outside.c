/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/outside.h"

#include <string.h>

#include "collectives/execute/run_mark.h"
#include "runtime/base/status.h"
#include "runtime/node/bell.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "runtime/request/request.h"
#include "tests/explore/choose.h"
#include "tests/explore/faults.h"
#include "tests/explore/node_views.h"
#include "tests/explore/run.h"

/* More than anybody has patience for. */
#define LONG_NS INT64_C(1000000000)

#define LETTER_BYTES 512
#define MOST_LETTERS 16

typedef struct {
    int from;
    enum tti_am_kind kind;
    size_t bytes;
    unsigned char content[LETTER_BYTES];
} letter;

/* Of active messages for a rank. */
typedef struct {
    _Atomic uint32_t sent;
    uint32_t taken;
    letter letters[MOST_LETTERS];
} box;

static struct {
    outside_way way;
    tti_am_fn *handle[TTI_AM_KINDS];
    box boxes[RUN_MOST_RANKS];
    tti_look_fn *looks[RUN_MOST_RANKS];
    bool swept[RUN_MOST_RANKS]; /* the rank has dealt with the death that it was told of */
    void (*failed)(int job_rank, bool left);
    _Atomic uint32_t told[RUN_MOST_RANKS]; /* each, of a death */
} outside;

void outside_open(const outside_way *way)
{
    memset(&outside, 0, sizeof outside);
    outside.way = *way;
}

const outside_way *outside_goes(void)
{
    return &outside.way;
}

void outside_reset(void)
{
    memset(outside.looks, 0, sizeof outside.looks);
    memset(outside.swept, 0, sizeof outside.swept);
    for (int r = 0; r < RUN_MOST_RANKS; r++) {
        atomic_store(&outside.told[r], 0);
        atomic_store(&outside.boxes[r].sent, 0);
        outside.boxes[r].taken = 0;
    }
}

bool outside_is_told(void)
{
    return atomic_load(&outside.told[run_rank()]) != 0;
}

void outside_tell(void)
{
    run_await_death();
    for (int r = 0; r < outside.way.ranks; r++) {
        if (r == run_dead()) continue;
        atomic_store(&outside.told[r], 1);
        tti_node_wake(node_views[r]);
    }
}

/* -- Progress -- */

void tti_progress_look(enum tti_look which, tti_look_fn *look)
{
    RUN_EXPECT(which == TTI_LOOK_RUNS);
    if (look == NULL || !faults_hit(FAULT_DROPPED, "tti_progress_look", "look"))
        outside.looks[run_rank()] = look;
}

static int sweep(void)
{
    bool *swept = &outside.swept[run_rank()];
    if (outside.failed == NULL || *swept || !outside_is_told()) return 0;
    *swept = true;
    if (!faults_hit(FAULT_DROPPED, "sweep", "failed")) outside.failed(run_dead(), false);
    return 1;
}

static int take_letters(void)
{
    box *mine = &outside.boxes[run_rank()];
    const uint32_t sent = outside.failed != NULL ? atomic_load(&mine->sent) : 0, before = mine->taken;
    while (mine->taken < sent) {
        const letter *l = &mine->letters[mine->taken++];
        RUN_EXPECT(outside.handle[l->kind](l->from, l->content, l->bytes));
    }
    return (int)(sent - before);
}

int outside_round(void)
{
    int events = take_letters();
    if (outside.looks[run_rank()] != NULL) events += outside.looks[run_rank()]();
    return events + sweep();
}

/* -- Waiting -- */

bool tti_wait_shares_now(void)
{
    return outside.way.wait == OUTSIDE_SLEEPS;
}

static bool finds(tti_ready_fn *ready, const void *argument)
{
    if (faults_hit(FAULT_DROPPED, "rest", "look")) return false;
    const int events = outside_round();
    return ready(argument) || events > 0;
}

void outside_rest(tti_ready_fn *ready, const void *argument)
{
    tti_node *node = node_views[run_rank()];
    if (outside.way.impatient && choose(2) == 1) explore_pass(LONG_NS);
    if (outside.way.wait == OUTSIDE_LOOKS) {
        if (outside_round() == 0) explore_pause();
        return;
    }
    tti_node_arm(node);
    if (!finds(ready, argument)) tti_node_sleep(node, -1);
    tti_node_disarm(node);
}

void tti_wait_for_memory(tti_ready_fn *ready, const void *argument, const char *what, tti_awaits_fn *awaits)
{
    (void)what;
    (void)awaits;
    while (!ready(argument))
        outside_rest(ready, argument);
}

/* Here it is progress that brings the end. */
void tti_wait_for_ranks(tti_ready_fn *ready, const void *argument, const char *what, tti_awaits_fn *awaits)
{
    (void)what;
    (void)awaits;
    while (!ready(argument))
        if (outside_round() == 0 && !ready(argument)) outside_rest(ready, argument);
}

/* -- Deaths -- */

int tti_lost_member(const tutti_comm *comm)
{
    (void)comm;
    return outside_is_told() ? run_dead() : -1;
}

/* Nobody leaves here. */
int tti_lost_dead_member(const tutti_comm *comm)
{
    return tti_lost_member(comm);
}

int tti_lost_check_parts(const tutti_comm *comm)
{
    const int lost = tti_lost_member(comm);
    return lost < 0 ? 0 : tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d has died", lost);
}

bool tti_lost_is_dead(int job_rank)
{
    return outside_is_told() && job_rank == run_dead();
}

bool tti_lost_has_left(int job_rank)
{
    (void)job_rank;
    return false;
}

/* Nobody says why. */
const char *tti_lost_cause(int job_rank, int error)
{
    (void)job_rank;
    (void)error;
    return NULL;
}

void tti_request_keep_detail(tutti_request *request, int error, int job_rank)
{
    (void)request;
    (void)error;
    (void)job_rank;
}

/* A copy may find out before the news come. */
void tti_lost_hold_for_dead(int job_rank)
{
    RUN_EXPECT(job_rank == run_dead());
    atomic_store(&outside.told[run_rank()], 1);
}

void tti_lost_watch(void (*failed)(int job_rank, bool left))
{
    outside.failed = failed;
}

bool tti_ways_is_peer(uint64_t job_rank)
{
    return job_rank < (uint64_t)outside.way.ranks && job_rank != (uint64_t)run_rank();
}

/* -- Active messages: how they pass is explored elsewhere -- */

tutti_comm *tti_comm_find(uint64_t context)
{
    return &outside.way.comms[run_rank()][context];
}

void tti_am_register(enum tti_am_kind kind, tti_am_fn *handle)
{
    outside.handle[kind] = handle;
}

static void put_letter(letter *l, const void *head, size_t head_bytes, const void *body, size_t body_bytes)
{
    RUN_EXPECT(head_bytes + body_bytes <= LETTER_BYTES);
    l->bytes = head_bytes + body_bytes;
    memcpy(l->content, head, head_bytes);
    if (body_bytes > 0) memcpy(l->content + head_bytes, body, body_bytes);
}

int tti_am_send(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                size_t body_bytes)
{
    if (faults_hit(FAULT_DROPPED, "tti_am_send", "head")) return 0;
    box *to = &outside.boxes[job_rank];
    const uint32_t number = atomic_fetch_add(&to->sent, 1); /* nobody comes between this and what follows */
    RUN_EXPECT(number < MOST_LETTERS);
    to->letters[number].from = run_rank();
    to->letters[number].kind = kind;
    put_letter(&to->letters[number], head, head_bytes, body, body_bytes);
    tti_node_poke(node_views[run_rank()], job_rank);
    return 0;
}

void tti_am_tell(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                 size_t body_bytes)
{
    tti_am_send(job_rank, kind, head, head_bytes, body, body_bytes);
}

/* For people alone. */
void tti_run_tell_call(tti_windows *windows, const tti_plan *made, const tti_run_data *data,
                       enum tti_call_form form, uint64_t mark)
{
    (void)made;
    (void)data;
    windows->told = mark;
    windows->told_form = (uint8_t)form;
}
