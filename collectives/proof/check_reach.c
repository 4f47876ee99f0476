/* SPDX-License-Identifier: BSD-3-Clause */
/* Races across ranks. A rank writes to its own WINDOW and buffers alone, and others read there. A read comes
 * after a write if it knows a post that comes after that write; a write comes after a read if it knows a post
 * of the reader's that comes after that read. One of the two must be so for each byte.
 * Buffers are the caller's: a read there must know that the rank has begun, and the rank's end is as a write
 * to all of them.
 *
 * The last write before a step, and the reads since, in the one order that check_order.c found are enough:
 * writes to a byte have an order on their rank (check_race.c), so what comes after one comes after all before
 * it, and what comes before one, before all after it. */
#include <limits.h>

#include "collectives/proof/check.h"

/* The step that is the end of a rank. */
#define END INT_MAX

typedef struct {
    tti_checker *checker;
    int rank, global, owner; /* who; its step, or END; whose memory */
    const uint16_t *known;
    int space; /* of that memory */
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
        for (int s = 0; s < TTI_SPACES; s++)
            if (s != TTI_SCRATCH) tti_access_reset(tti_check_content(checker, rank, s), SIZE_MAX, 0);
    }
}

/* The place of a step in its rank's schedule. */
static int step_of(const tti_checker *checker, int global)
{
    return global == END ? END : global - checker->first[checker->owner[global]];
}

static void must_be_known(void *context, int earlier)
{
    const place *at = context;
    tti_checker *checker = at->checker;
    const int other = checker->owner[earlier];
    if (other == at->rank || (int64_t)checker->shown[earlier] + 1 <= at->known[other]) return;
    if (at->global == END) {
        tti_check_wrong(checker, "rank %d may end before rank %d has read its buffers in step %d", at->rank,
                        other, step_of(checker, earlier));
        return;
    }
    const bool writes = at->rank == at->owner;
    const int writer = writes ? at->global : earlier, reader = writes ? earlier : at->global;
    tti_check_wrong(checker,
                    "rank %d step %d reads rank %d's %s in no order with step %d, which writes there",
                    checker->owner[reader], step_of(checker, reader), at->owner,
                    at->space == TTI_WINDOW ? "WINDOW" : "buffers", step_of(checker, writer));
}

static bool has_begun(const place *at, const tti_step *step)
{
    if (!tti_step_reaches(step) || at->known[at->owner] > 0) return true;
    return tti_check_wrong(at->checker,
                           "rank %d step %d reads the buffers of rank %d, which may not have begun", at->rank,
                           step_of(at->checker, at->global), at->owner);
}

/* What nobody else reads need not be looked at. */
static bool is_shared(const tti_checker *checker, int rank, int space)
{
    return space == TTI_WINDOW ||
           (space != TTI_SCRATCH && tti_schedule_shows(tti_check_schedule(checker, rank)));
}

bool tti_check_reach(tti_checker *checker, int global, const uint16_t *known)
{
    const tti_step *step = tti_check_global(checker, global);
    const int rank = checker->owner[global];
    place at = {checker, rank, global, rank, known, step->to_space};
    if (tti_step_is_meeting(step)) return true;
    if (tti_step_writes(step) && is_shared(checker, rank, step->to_space))
        tti_access_write(tti_check_content(checker, rank, step->to_space), step->to, step->to + step->bytes,
                         global, must_be_known, &at);
    const tti_source source = tti_check_source(checker, rank, step);
    at.owner = source.rank;
    at.space = source.place.space;
    if (source.rank == rank) return !checker->failed;
    if (!has_begun(&at, step)) return false;
    tti_access_read(tti_check_content(checker, at.owner, source.place.space), source.place.offset,
                    source.place.offset + step->bytes, global, must_be_known, &at);
    return !checker->failed;
}

bool tti_check_reach_end(tti_checker *checker, int rank, const uint16_t *known)
{
    place at = {checker, rank, END, rank, known, TTI_INPUT};
    if (!tti_schedule_shows(tti_check_schedule(checker, rank))) return true;
    for (int s = 0; s < TTI_SHOWN; s++)
        tti_access_write(tti_check_content(checker, rank, s), 0, SIZE_MAX, END, must_be_known, &at);
    return !checker->failed;
}
