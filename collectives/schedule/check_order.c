/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/schedule/check.h"

typedef struct {
    tti_checker *checker;
    int depth; /* of the stack of steps that may start */
    int completed;
} run;

static void complete(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int rank = checker->owner[global], step = global - checker->first[rank];
    const tti_schedule *schedule = checker->schedules[rank];
    r->completed++;
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        const int next = checker->first[rank] + schedule->next[n];
        if (--checker->waits[next] == 0) checker->stack[r->depth++] = next;
    }
}

/* A message completes, at both ends, once both have started it: as late as it may. */
static void start(run *r, int global)
{
    tti_checker *checker = r->checker;
    const int rank = checker->owner[global];
    const int partner = checker->partner[global];
    checker->started[global] = true;
    if (partner >= 0 && !checker->started[partner]) return;
    const bool sends = tti_check_step(checker, rank, global - checker->first[rank])->kind == TTI_STEP_SEND;
    const int event = sends ? partner : global;
    const int owner = checker->owner[event];
    checker->order[checker->order_count++] = (tti_event){owner, event - checker->first[owner]};
    complete(r, global);
    if (partner >= 0) complete(r, partner);
}

static bool report_stuck(tti_checker *checker)
{
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

static void spread(const tti_checker *checker, uint64_t *know, size_t words, int global)
{
    const int rank = checker->owner[global], step = global - checker->first[rank];
    const tti_schedule *schedule = checker->schedules[rank];
    const uint64_t *mine = know + (size_t)global * words;
    uint64_t *whole = know + ((size_t)checker->total + (size_t)rank) * words;
    for (size_t w = 0; w < words; w++)
        whole[w] |= mine[w];
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        uint64_t *next = know + (size_t)(checker->first[rank] + schedule->next[n]) * words;
        for (size_t w = 0; w < words; w++)
            next[w] |= mine[w];
    }
}

static void add_rank(uint64_t *set, int rank)
{
    set[rank / 64] |= UINT64_C(1) << (rank % 64);
}

/* Follows, through steps and messages, whose beginning each end comes after. A send's completion tells
 * nothing of the receiver. */
static bool check_knowledge(tti_checker *checker)
{
    const size_t words = ((size_t)checker->size + 63) / 64;
    uint64_t *know = tti_check_bits(checker, ((size_t)checker->total + (size_t)checker->size) * words);
    if (know == NULL) return false;
    for (int g = 0; g < checker->total; g++)
        add_rank(know + (size_t)g * words, checker->owner[g]);
    for (int r = 0; r < checker->size; r++)
        add_rank(know + ((size_t)checker->total + (size_t)r) * words, r);
    for (int i = 0; i < checker->order_count; i++) {
        const int global = checker->first[checker->order[i].rank] + checker->order[i].step;
        const int send = checker->partner[global];
        for (size_t w = 0; send >= 0 && w < words; w++)
            know[(size_t)global * words + w] |= know[(size_t)send * words + w];
        spread(checker, know, words, global);
        if (send >= 0) spread(checker, know, words, send);
    }
    for (int r = 0; r < checker->size; r++)
        for (int other = 0; other < checker->size; other++) {
            const uint64_t *whole = know + ((size_t)checker->total + (size_t)r) * words;
            if ((whole[other / 64] >> (other % 64) & 1) == 0)
                return tti_check_wrong(checker, "rank %d may leave before rank %d has entered", r, other);
        }
    return true;
}

bool tti_check_order(tti_checker *checker)
{
    run r = {.checker = checker};
    checker->order_count = 0;
    for (int g = checker->total - 1; g >= 0; g--) {
        checker->started[g] = false;
        if (checker->waits[g] == 0) checker->stack[r.depth++] = g;
    }
    while (r.depth > 0)
        start(&r, checker->stack[--r.depth]);
    if (r.completed < checker->total) return report_stuck(checker);
    return !checker->contract->meets || check_knowledge(checker);
}
