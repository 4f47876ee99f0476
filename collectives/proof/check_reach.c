/* SPDX-License-Identifier: BSD-3-Clause */
/* Races across ranks. A rank writes to its own WINDOW and buffers, and others read there, or PUT something
 * into its OUTPUT. What one rank does comes after what another has done if it knows a post of that one's
 * which comes after it. Of a write and whatever else touches the same byte one must come after the other.
 * Buffers are the caller's: who touches them must know that the rank has begun, and the rank's end is as a
 * write to all of them.
 *
 * A rank's own steps, too, must be in order where they touch a peer's memory; where it is the rank's own,
 * check_race.c has that.
 *
 * The last write before a step, and the reads since, in the one order that check_order.c found are enough:
 * writes to a byte have an order, on their rank and across ranks, so what comes after one comes after all
 * before it, and what comes before one, before all after it. */
#include <limits.h>

#include "collectives/proof/checker_state.h"

/* The step that is the end of a rank. */
#define END INT_MAX

typedef struct {
    tti_checker *checker;
    int rank, global, owner; /* who; its step, or END; whose memory */
    const uint16_t *known;
    int space; /* of that memory */
    bool writes;
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

static bool is_put(const tti_checker *checker, int global)
{
    return tti_check_global(checker, global)->kind == TTI_STEP_PUT;
}

/* Whether a way leads from one step of a schedule to another one. There is rarely anything to ask. */
static bool leads(tti_checker *checker, const tti_schedule *schedule, int from, int to)
{
    if (from > to) return false;
    uint64_t *after = tti_check_bits(checker, (size_t)to / 64 + 1);
    if (after == NULL) return false;
    after[from / 64] |= UINT64_C(1) << (from % 64);
    for (int i = from; i < to; i++) {
        if ((after[i / 64] >> (i % 64) & 1) == 0) continue;
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++)
            if (schedule->next[n] <= to)
                after[schedule->next[n] / 64] |= UINT64_C(1) << (schedule->next[n] % 64);
    }
    return (after[to / 64] >> (to % 64) & 1) != 0;
}

/* Two steps of one rank. */
static void must_come_after(const place *at, int earlier)
{
    const int step = step_of(at->checker, at->global), before = step_of(at->checker, earlier);
    if (at->owner == at->rank || leads(at->checker, tti_check_schedule(at->checker, at->rank), before, step))
        return;
    tti_check_wrong(at->checker, "rank %d: steps %d and %d touch the same bytes of rank %d in no order",
                    at->rank, before < step ? before : step, before < step ? step : before, at->owner);
}

static void must_be_known(void *context, int earlier)
{
    const place *at = context;
    tti_checker *checker = at->checker;
    const int other = checker->owner[earlier];
    if (other == at->rank) {
        must_come_after(at, earlier);
        return;
    }
    if ((int64_t)checker->shown[earlier] + 1 <= at->known[other]) return;
    if (at->global == END) {
        tti_check_wrong(checker, "rank %d may end before rank %d has %s its buffers in step %d", at->rank,
                        other, is_put(checker, earlier) ? "put into" : "read", step_of(checker, earlier));
        return;
    }
    const int writer = at->writes ? at->global : earlier, other_step = at->writes ? earlier : at->global;
    tti_check_wrong(checker, "rank %d step %d %s rank %d's %s in no order with step %d, which writes there",
                    checker->owner[other_step], step_of(checker, other_step),
                    is_put(checker, other_step) ? "puts into" : "reads", at->owner,
                    at->space == TTI_WINDOW ? "WINDOW" : "buffers", step_of(checker, writer));
}

static bool has_begun(const place *at, const tti_step *step)
{
    if (!tti_step_reaches(step) || at->known[at->owner] > 0) return true;
    return tti_check_wrong(at->checker,
                           "rank %d step %d reaches the buffers of rank %d, which may not have begun",
                           at->rank, step_of(at->checker, at->global), at->owner);
}

/* What nobody else reads need not be looked at, nor what its rank reads where nobody else writes. */
static bool is_shared(const place *at)
{
    if (at->rank != at->owner) return true;
    if (at->space == TTI_WINDOW) return at->writes;
    return at->space != TTI_SCRATCH && tti_schedule_shows(tti_check_schedule(at->checker, at->rank));
}

static void touch(place *at, const tti_step *step, tti_end end, bool writes)
{
    const size_t low = end.place.offset, high = low + step->bytes;
    tti_access_map *map = tti_check_content(at->checker, end.rank, end.place.space);
    at->owner = end.rank;
    at->space = end.place.space;
    at->writes = writes;
    if (!is_shared(at) || (at->rank != at->owner && !has_begun(at, step))) return;
    if (writes)
        tti_access_write(map, low, high, at->global, must_be_known, at);
    else
        tti_access_read(map, low, high, at->global, must_be_known, at);
}

/* That of a PUT that goes by a number is known here only (check_target.c). */
static bool is_in_room(tti_checker *checker, int rank, int global, const tti_step *step)
{
    if (!tti_step_is_told(step)) return true;
    const size_t told = tti_check_told(checker, rank, step),
                 room = tti_check_schedule(checker, step->peer)->shown[TTI_OUTPUT].bytes;
    if (told <= room && step->bytes <= room - told) return true;
    return tti_check_wrong(checker, "rank %d step %d puts %zu bytes where nobody told it to, or beyond %zu",
                           rank, global - checker->first[rank], step->bytes, room);
}

bool tti_check_reach(tti_checker *checker, int global, const uint16_t *known)
{
    const tti_step *step = tti_check_global(checker, global);
    const int rank = checker->owner[global];
    place at = {.checker = checker, .rank = rank, .global = global, .known = known};
    if (tti_step_is_meeting(step)) return true;
    if (!is_in_room(checker, rank, global, step)) return false;
    if (tti_step_writes(step) || step->kind == TTI_STEP_PUT)
        touch(&at, step, tti_check_target(checker, rank, step), true);
    if (tti_step_reads(step)) touch(&at, step, tti_check_source(checker, rank, step), false);
    if (tti_step_reads(step) && step->need > 0) {
        const tti_step numbers = tti_check_numbers(step, tti_check_need_of(checker, global));
        touch(&at, &numbers, tti_check_source(checker, rank, &numbers), false);
    }
    return !checker->failed;
}

bool tti_check_reach_end(tti_checker *checker, int rank, const uint16_t *known)
{
    place at = {checker, rank, END, rank, known, TTI_INPUT, true};
    if (!tti_schedule_shows(tti_check_schedule(checker, rank))) return true;
    for (int s = 0; s < TTI_SHOWN; s++)
        tti_access_write(tti_check_content(checker, rank, s), 0, SIZE_MAX, END, must_be_known, &at);
    return !checker->failed;
}
