/* SPDX-License-Identifier: BSD-3-Clause */
/* Races across ranks. A rank writes to its own WINDOW alone, and others read there. A read comes after a
 * write if it knows a post that comes after that write; a write comes after a read if it knows a post of the
 * reader's that comes after that read. One of the two must be so for each byte.
 *
 * The last write before a step, and the reads since, in the one order that check_order.c found are enough:
 * writes to a byte have an order on their rank (check_race.c), so what comes after one comes after all before
 * it, and what comes before one, before all after it. */
#include <limits.h>

#include "collectives/proof/check.h"

typedef struct {
    tti_checker *checker;
    int global, window; /* the step; whose WINDOW */
    const uint16_t *known;
} place;

/* The first post that comes after each step of a rank. */
static void find_shown(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    int *shown = checker->shown + checker->first[rank];
    for (int i = schedule->count - 1; i >= 0; i--) {
        shown[i] = INT_MAX;
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++) {
            const int next = schedule->next[n];
            const bool posts = schedule->steps[next].kind == TTI_STEP_POST;
            const int first = posts ? schedule->steps[next].tag : shown[next];
            if (first < shown[i]) shown[i] = first;
        }
    }
}

void tti_check_reach_begin(tti_checker *checker)
{
    for (int rank = 0; rank < checker->size; rank++) {
        find_shown(checker, rank);
        tti_access_reset(tti_check_content(checker, rank, TTI_WINDOW), SIZE_MAX, 0);
    }
}

static void must_be_known(void *context, int earlier)
{
    const place *at = context;
    tti_checker *checker = at->checker;
    const int rank = checker->owner[at->global], other = checker->owner[earlier];
    if (other == rank || (int64_t)checker->shown[earlier] + 1 <= at->known[other]) return;
    const bool writes = rank == at->window;
    const int writer = writes ? at->global : earlier, reader = writes ? earlier : at->global;
    tti_check_wrong(checker,
                    "rank %d step %d reads rank %d's WINDOW in no order with step %d, which writes there",
                    checker->owner[reader], reader - checker->first[checker->owner[reader]], at->window,
                    writer - checker->first[at->window]);
}

bool tti_check_reach(tti_checker *checker, int global, const uint16_t *known)
{
    const tti_step *step = tti_check_global(checker, global);
    place at = {checker, global, checker->owner[global], known};
    if (tti_step_is_meeting(step)) return true;
    if (tti_step_writes(step) && step->to_space == TTI_WINDOW)
        tti_access_write(tti_check_content(checker, at.window, TTI_WINDOW), step->to, step->to + step->bytes,
                         global, must_be_known, &at);
    at.window = step->peer;
    if (!tti_step_is_message(step) && step->peer >= 0)
        tti_access_read(tti_check_content(checker, at.window, TTI_WINDOW), step->from,
                        step->from + step->bytes, global, must_be_known, &at);
    return !checker->failed;
}
