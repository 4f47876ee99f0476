/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/proof/checker_state.h"

typedef struct {
    tti_checker *checker;
    int depth; /* of the stack of steps that may start */
    int completed;
} run;

static void complete(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int rank = checker->owner[global], step = global - checker->first[rank];
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    r->completed++;
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        const int next = checker->first[rank] + schedule->next[n];
        if (--checker->waits[next] == 0) checker->stack[r->depth++] = next;
    }
}

static void record(tti_checker *checker, int global)
{
    const int rank = checker->owner[global];
    checker->order[checker->order_count++] = (tti_event){rank, global - checker->first[rank]};
}

/* Rank `rank` is in an AWAIT for all of whose posts it has waited. */
static void end_await(run *r, int rank)
{
    tti_meeter *meeter = &r->checker->meeters[rank];
    record(r->checker, meeter->held);
    complete(r, meeter->held);
    meeter->held = -1;
}

static void start_await(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int rank = checker->owner[global];
    const tti_step *step = tti_check_global(checker, global);
    tti_meeter *meeter = &checker->meeters[rank];
    meeter->held = global;
    meeter->missing = 0;
    for (int peer = 0; peer < checker->size; peer++)
        meeter->missing +=
            tti_check_meets(checker, rank, step, peer) && checker->meeters[peer].made < step->tag;
    if (meeter->missing == 0) end_await(r, rank);
}

/* Each rank is in at most one AWAIT, as it makes them one after the other. */
static void post(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int rank = checker->owner[global], number = ++checker->meeters[rank].made;
    for (int peer = 0; peer < checker->size; peer++) {
        tti_meeter *meeter = &checker->meeters[peer];
        if (meeter->held < 0) continue;
        const tti_step *awaits = tti_check_global(checker, meeter->held);
        if (awaits->tag == number && tti_check_meets(checker, peer, awaits, rank) && --meeter->missing == 0)
            end_await(r, peer);
    }
}

/* A message completes, at both ends, once both have started it: as late as it may. */
static void start(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int partner = checker->partner[global], kind = tti_check_global(checker, global)->kind;
    checker->started[global] = true;
    if (kind == TTI_STEP_AWAIT) {
        start_await(r, global);
        return;
    }
    if (partner >= 0 && !checker->started[partner]) return;
    record(checker, kind == TTI_STEP_SEND ? partner : global);
    if (kind == TTI_STEP_POST) post(r, global);
    complete(r, global);
    if (partner >= 0) complete(r, partner);
}

/* What rank `rank` awaits and does not come. */
static bool report_await(tti_checker *checker, int rank)
{
    const int held = checker->meeters[rank].held;
    const tti_step *step = tti_check_global(checker, held);
    int peer = 0;
    while (!tti_check_meets(checker, rank, step, peer) || checker->meeters[peer].made >= step->tag)
        peer++;
    return tti_check_wrong(
        checker, "deadlock: rank %d step %d awaits post %d of rank %d, which never makes it (step %d)", rank,
        held - checker->first[rank], step->tag, peer,
        checker->meeters[peer].post[step->tag - 1] - checker->first[peer]);
}

static bool report_stuck(tti_checker *checker)
{
    for (int rank = 0; rank < checker->size; rank++)
        if (checker->meeters[rank].held >= 0) return report_await(checker, rank);
    for (int g = 0; g < checker->total; g++) {
        if (!checker->started[g] || checker->partner[g] < 0 || checker->started[checker->partner[g]])
            continue;
        const int rank = checker->owner[g], partner = checker->partner[g];
        return tti_check_wrong(checker,
                               "deadlock: rank %d step %d waits for rank %d, which never starts step %d",
                               rank, g - checker->first[rank], checker->owner[partner],
                               partner - checker->first[checker->owner[partner]]);
    }
    return tti_check_wrong(checker, "some steps never start");
}

bool tti_check_order(tti_checker *checker)
{
    run r = {.checker = checker};
    checker->order_count = 0;
    for (int rank = 0; rank < checker->size; rank++) {
        checker->meeters[rank].held = -1;
        checker->meeters[rank].made = 0;
    }
    for (int g = checker->total - 1; g >= 0; g--) {
        checker->started[g] = false;
        if (checker->waits[g] == 0) checker->stack[r.depth++] = g;
    }
    while (r.depth > 0)
        start(&r, checker->stack[--r.depth]);
    return r.completed == checker->total || report_stuck(checker);
}
