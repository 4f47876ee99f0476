/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/proof/checker_state.h"

typedef struct {
    tti_checker *checker;
    int rank, step;
    int meeting; /* the POST or AWAIT before, or -1 */
    size_t words;
    const uint64_t *before; /* before[step * words …]: the steps that come before `step` */
} place;

static bool is_before(const place *at, int earlier)
{
    const uint64_t *row = at->before + (size_t)at->step * at->words;
    return (row[earlier / 64] >> (earlier % 64) & 1) != 0;
}

static void must_be_before(void *context, int earlier)
{
    const place *at = context;
    if (is_before(at, earlier)) return;
    tti_check_wrong(at->checker, "rank %d: steps %d and %d touch the same bytes in no order", at->rank,
                    earlier, at->step);
}

/* Fills in which steps come before which; steps are in topological order. */
static void close_order(const tti_schedule *schedule, uint64_t *before, size_t words)
{
    for (int i = 0; i < schedule->count; i++) {
        const uint64_t *row = before + (size_t)i * words;
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++) {
            uint64_t *next = before + (size_t)schedule->next[n] * words;
            for (int w = 0; w <= i / 64; w++)
                next[w] |= row[w];
            next[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
}

/* A rank makes its POSTs and AWAITs one after the other. */
static void meet(place *at)
{
    if (at->meeting >= 0 && !is_before(at, at->meeting))
        tti_check_wrong(at->checker, "rank %d: of POST and AWAIT, steps %d and %d have no order", at->rank,
                        at->meeting, at->step);
    at->meeting = at->step;
}

static void read_own(place *at, const tti_step *step)
{
    tti_access_read(&at->checker->accesses[step->from_space], step->from, step->from + step->bytes, at->step,
                    must_be_before, at);
}

/* What is touched of a peer's memory is not this rank's: check_reach.c has it. */
static void touch(place *at, const tti_step *step)
{
    const tti_need *need = tti_schedule_need(tti_check_schedule(at->checker, at->rank), step);
    tti_access_map *maps = at->checker->accesses;
    if (tti_step_is_meeting(step)) {
        meet(at);
        return;
    }
    const bool reads = tti_step_reads(step) && !tti_step_reads_peer(step);
    if (reads) read_own(at, step);
    if (reads && need != NULL) {
        const tti_step numbers = tti_check_numbers(step, need);
        read_own(at, &numbers);
    }
    if (tti_step_is_told(step)) {
        const tti_step word = tti_check_told_word(step);
        read_own(at, &word);
    }
    if (step->kind == TTI_STEP_REDUCE)
        tti_access_read(&maps[step->to_space], step->to, step->to + step->bytes, at->step, must_be_before,
                        at);
    if (tti_step_writes(step))
        tti_access_write(&maps[step->to_space], step->to, step->to + step->bytes, at->step, must_be_before,
                         at);
}

bool tti_check_race(tti_checker *checker)
{
    for (int rank = 0; rank < checker->size; rank++) {
        const tti_schedule *schedule = tti_check_schedule(checker, rank);
        const size_t words = ((size_t)schedule->count + 63) / 64;
        uint64_t *before = tti_check_bits(checker, words * (size_t)schedule->count);
        if (before == NULL) return false;
        close_order(schedule, before, words);
        for (int s = 0; s < TTI_SPACES; s++)
            tti_access_reset(&checker->accesses[s], SIZE_MAX, 0);
        place at = {checker, rank, 0, -1, words, before};
        for (at.step = 0; at.step < schedule->count; at.step++)
            touch(&at, &schedule->steps[at.step]);
        for (int s = 0; s < TTI_SPACES; s++)
            if (checker->accesses[s].failed) return tti_check_wrong(checker, "no memory for intervals");
        if (checker->failed) return false;
    }
    return true;
}
