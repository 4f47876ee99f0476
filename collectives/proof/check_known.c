/* SPDX-License-Identifier: BSD-3-Clause */
/* What each step knows of each rank as it starts, through the steps before it, messages and posts: 0 nothing,
 * 1 that it has begun, n + 1 that it has made its post number n, and so all that comes before that. From it
 * follow whether ranks meet, and whether they touch each other's WINDOWs in an order (check_reach.c).
 *
 * Most steps know just what the last POST or AWAIT before them brought, so they share its row. These rows of
 * a rank have numbers, and each knows all that the ones before do; what messages bring is in other rows. */
#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker_state.h"

#define NOBODY (-1)

static uint16_t *row(const tti_checker *checker, int number)
{
    return checker->known + (size_t)number * (size_t)checker->size;
}

static bool room_for_row(tti_checker *checker)
{
    const size_t wanted = ((size_t)checker->rows + 1) * (size_t)checker->size;
    if (wanted > checker->known_room) {
        const size_t room = wanted * 2;
        uint16_t *known = realloc(checker->known, room * sizeof *known);
        if (known == NULL) return false;
        checker->known = known;
        checker->known_room = room;
    }
    if (checker->rows < checker->rows_room) return true;
    const int room = checker->rows * 2 + 64;
    tti_row *about = realloc(checker->about_rows, (size_t)room * sizeof *about);
    if (about == NULL) return false;
    checker->about_rows = about;
    checker->rows_room = room;
    return true;
}

/* A new row that knows what row `from` does, or nothing. -1 if memory is out. */
static int add_row(tti_checker *checker, int from, tti_row about)
{
    if (!room_for_row(checker)) {
        tti_check_wrong(checker, "no memory for what %d steps know", checker->total);
        return -1;
    }
    const size_t bytes = (size_t)checker->size * sizeof(uint16_t);
    const int made = checker->rows++;
    checker->about_rows[made] = about;
    if (from >= 0)
        memcpy(row(checker, made), row(checker, from), bytes);
    else
        memset(row(checker, made), 0, bytes);
    return made;
}

static bool begin(tti_checker *checker)
{
    checker->rows = 0;
    for (int r = 0; r < checker->size; r++) {
        const int first = add_row(checker, -1, (tti_row){.number = 0, .owner = NOBODY});
        if (first < 0) return false;
        row(checker, first)[r] = 1;
        checker->meeters[r].rows = 0;
        checker->meeters[r].last = first;
        for (int g = checker->first[r]; g < checker->first[r + 1]; g++)
            checker->knows[g] = first;
    }
    return true;
}

static void learn(const tti_checker *checker, int to, int from)
{
    uint16_t *restrict mine = row(checker, to);
    const uint16_t *restrict theirs = row(checker, from);
    for (int r = 0; r < checker->size; r++)
        mine[r] = mine[r] > theirs[r] ? mine[r] : theirs[r];
}

/* What knew row *has comes after something that knows row `from`; `who` it is: a step, or total + the rank
 * whose end it is. */
static bool hear(tti_checker *checker, int *has, int who, int from)
{
    if (*has == from) return true;
    const int mine = checker->about_rows[*has].number, theirs = checker->about_rows[from].number;
    if (mine >= 0 && theirs >= 0) {
        if (theirs > mine) *has = from;
        return true;
    }
    if (checker->about_rows[*has].owner != who)
        *has = add_row(checker, *has, (tti_row){.number = -1, .owner = who});
    if (*has < 0) return false;
    learn(checker, *has, from);
    return true;
}

/* Row `now` knows of a rank's post, or its beginning. */
static void hear_of(const tti_checker *checker, int now, int peer, int post)
{
    if (post > 0)
        learn(checker, now, checker->knows[checker->meeters[peer].post[post - 1]]);
    else if (row(checker, now)[peer] == 0)
        row(checker, now)[peer] = 1;
}

/* Puts what a step knows at its end in the place of what it knew at its start. A SEND's end tells nothing of
 * the receiver. */
static bool take_in(tti_checker *checker, int global)
{
    const tti_step *step = tti_check_global(checker, global);
    const int rank = checker->owner[global];
    const bool meets = tti_step_is_meeting(step);
    if (!meets && step->kind != TTI_STEP_RECV) return true;
    const tti_row about = {.number = meets ? ++checker->meeters[rank].rows : -1, .owner = NOBODY};
    const int now = add_row(checker, checker->knows[global], about);
    if (now < 0) return false;
    checker->knows[global] = now;
    if (step->kind == TTI_STEP_RECV) learn(checker, now, checker->knows[checker->partner[global]]);
    if (step->kind == TTI_STEP_POST) row(checker, now)[rank] = (uint16_t)(step->tag + 1);
    for (int peer = 0; step->kind == TTI_STEP_AWAIT && peer < checker->size; peer++)
        if (tti_check_meets(checker, rank, step, peer)) hear_of(checker, now, peer, step->tag);
    return true;
}

static bool pass_on(tti_checker *checker, int global)
{
    const int rank = checker->owner[global], step = global - checker->first[rank];
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    const int from = checker->knows[global];
    if (!hear(checker, &checker->meeters[rank].last, checker->total + rank, from)) return false;
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        const int next = checker->first[rank] + schedule->next[n];
        if (!hear(checker, &checker->knows[next], next, from)) return false;
    }
    return true;
}

static bool check_barrier(tti_checker *checker)
{
    for (int r = 0; r < checker->ranks; r++)
        for (int other = 0; other < checker->ranks; other++)
            if (row(checker, checker->meeters[r].last)[other] == 0)
                return tti_check_wrong(checker, "rank %d may leave before rank %d has entered", r, other);
    return true;
}

static bool reaches(tti_checker *checker, int global)
{
    return tti_check_reach(checker, global, row(checker, checker->knows[global]));
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
        if (shares && !reaches(checker, global)) return false;
        if (shares && send >= 0 && !reaches(checker, send)) return false;
        if (!take_in(checker, global) || !pass_on(checker, global)) return false;
        if (send >= 0 && !pass_on(checker, send)) return false;
    }
    for (int r = 0; shares && r < checker->size; r++)
        if (!tti_check_reach_end(checker, r, row(checker, checker->meeters[r].last))) return false;
    return !meets || check_barrier(checker);
}
