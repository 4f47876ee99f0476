/* SPDX-License-Identifier: BSD-3-Clause */
/* What each step knows of each rank as it starts, through the steps before it, messages and posts: 0 nothing,
 * 1 that it has begun, n + 1 that it has made its post number n, and so all that comes before that. From it
 * follow whether ranks meet, and whether they touch each other's WINDOWs in an order (check_reach.c). */
#include <stdlib.h>
#include <string.h>

#include "collectives/schedule/check.h"

static uint16_t *row(const tti_checker *checker, int global)
{
    return checker->known + (size_t)global * (size_t)checker->size;
}

/* What a rank knows in the end. */
static uint16_t *last_row(const tti_checker *checker, int rank)
{
    return row(checker, checker->total + rank);
}

static bool begin(tti_checker *checker)
{
    const size_t count = ((size_t)checker->total + (size_t)checker->size) * (size_t)checker->size;
    if (count > checker->known_room) {
        free(checker->known);
        checker->known = malloc(count * sizeof *checker->known);
        checker->known_room = checker->known == NULL ? 0 : count;
    }
    if (checker->known == NULL)
        return tti_check_wrong(checker, "no memory for what %d steps know", checker->total);
    memset(checker->known, 0, count * sizeof *checker->known);
    for (int g = 0; g < checker->total; g++)
        row(checker, g)[checker->owner[g]] = 1;
    for (int r = 0; r < checker->size; r++)
        last_row(checker, r)[r] = 1;
    return true;
}

static void learn(uint16_t *restrict to, const uint16_t *restrict from, int size)
{
    for (int r = 0; r < size; r++)
        to[r] = to[r] > from[r] ? to[r] : from[r];
}

/* What a step's end tells beyond what it knew. A SEND's tells nothing of the receiver. */
static void take_in(const tti_checker *checker, int global)
{
    const tti_step *step = tti_check_global(checker, global);
    const int rank = checker->owner[global];
    uint16_t *mine = row(checker, global);
    if (step->kind == TTI_STEP_RECV) learn(mine, row(checker, checker->partner[global]), checker->size);
    if (step->kind == TTI_STEP_POST) mine[rank] = (uint16_t)(step->tag + 1);
    if (step->kind != TTI_STEP_AWAIT) return;
    for (int peer = 0; peer < checker->size; peer++)
        if (tti_check_meets(checker, rank, step, peer))
            learn(mine, row(checker, checker->meeters[peer].post[step->tag - 1]), checker->size);
}

static void pass_on(const tti_checker *checker, int global)
{
    const int rank = checker->owner[global], step = global - checker->first[rank];
    const tti_schedule *schedule = checker->schedules[rank];
    learn(last_row(checker, rank), row(checker, global), checker->size);
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++)
        learn(row(checker, checker->first[rank] + schedule->next[n]), row(checker, global), checker->size);
}

static bool check_barrier(tti_checker *checker)
{
    for (int r = 0; r < checker->size; r++)
        for (int other = 0; other < checker->size; other++)
            if (last_row(checker, r)[other] == 0)
                return tti_check_wrong(checker, "rank %d may leave before rank %d has entered", r, other);
    return true;
}

bool tti_check_known(tti_checker *checker)
{
    const bool meets = checker->contract->meets, shares = checker->shape->window > 0;
    if (!meets && !shares) return true;
    if (!begin(checker)) return false;
    if (shares) tti_check_reach_begin(checker);
    for (int i = 0; i < checker->order_count; i++) {
        const int global = checker->first[checker->order[i].rank] + checker->order[i].step;
        const int send = checker->partner[global];
        if (shares && !tti_check_reach(checker, global, row(checker, global))) return false;
        take_in(checker, global);
        pass_on(checker, global);
        if (send >= 0) pass_on(checker, send);
    }
    return !meets || check_barrier(checker);
}
