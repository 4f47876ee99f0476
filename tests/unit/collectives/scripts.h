/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules written by hand, step by step, for tests of the checker. */
#ifndef TESTS_UNIT_COLLECTIVES_SCRIPTS_H
#define TESTS_UNIT_COLLECTIVES_SCRIPTS_H

#include <string.h>

#include "tests/unit/collectives/expect_schedules.h"

#define SEND(space, offset, n, to)                                                                           \
    {                                                                                                        \
        .kind = TTI_STEP_SEND, .from_space = space, .from = offset, .bytes = n, .peer = to                   \
    }
#define RECV(space, offset, n, from_rank)                                                                    \
    {                                                                                                        \
        .kind = TTI_STEP_RECV, .to_space = space, .to = offset, .bytes = n, .peer = from_rank                \
    }
#define LOCAL(what, s, o, t, p, n)                                                                           \
    {                                                                                                        \
        .kind = what, .from_space = s, .from = o, .to_space = t, .to = p, .bytes = n, .peer = TTI_OWN        \
    }
/* Of shared memory: from the WINDOW of rank `who`; POST for, AWAIT of rank `who` or TTI_ALL. */
#define FROM(what, who, o, t, p, n)                                                                          \
    {                                                                                                        \
        .kind = what, .peer = who, .from_space = TTI_WINDOW, .from = o, .to_space = t, .to = p, .bytes = n   \
    }
#define POST(number, who)                                                                                    \
    {                                                                                                        \
        .kind = TTI_STEP_POST, .peer = who, .tag = number                                                    \
    }
#define AWAIT(number, who)                                                                                   \
    {                                                                                                        \
        .kind = TTI_STEP_AWAIT, .peer = who, .tag = number                                                   \
    }

/* A number at `p` of the own WINDOW, compared at `o` of that of rank `who`, or, passed on, of rank `here`
 * (the own one: TTI_OWN). */
#define TELL(number, p)                                                                                      \
    {                                                                                                        \
        .kind = TTI_STEP_TELL, .peer = TTI_OWN, .from = number, .to_space = TTI_WINDOW, .to = p,             \
        .bytes = TTI_STEP_WORD                                                                               \
    }
#define COMPARE(who, o, number)                                                                              \
    {                                                                                                        \
        .kind = TTI_STEP_COMPARE, .peer = who, .from_space = TTI_WINDOW, .from = o, .to = number,            \
        .bytes = TTI_STEP_WORD, .about = who                                                                 \
    }
#define COMPARE_PASSED(here, o, number, who)                                                                 \
    {                                                                                                        \
        .kind = TTI_STEP_COMPARE, .peer = here, .from_space = TTI_WINDOW, .from = o, .to = number,           \
        .bytes = TTI_STEP_WORD, .about = who                                                                 \
    }

/* `n` bytes into what rank `who` shows of its OUTPUT. */
#define PUT(who, s, o, p, n)                                                                                 \
    {                                                                                                        \
        .kind = TTI_STEP_PUT, .peer = who, .from_space = s, .from = o, .to_space = TTI_OUTPUT, .to = p,      \
        .bytes = n                                                                                           \
    }

/* The same where the number at `p` of the own SCRATCH says. */
#define PUT_TOLD(who, s, o, p, n)                                                                            \
    {                                                                                                        \
        .kind = TTI_STEP_PUT, .peer = who, .from_space = s, .from = o, .to_space = TTI_SCRATCH, .to = p,     \
        .bytes = n                                                                                           \
    }

#define MOST_STEPS 12
#define MOST_RANKS 3

/* One rank's steps; after[i] is a bit set of the steps that step i depends on. */
typedef struct {
    tti_step steps[MOST_STEPS];
    unsigned after[MOST_STEPS];
    int count;
} script;

typedef struct {
    tti_schedule schedule;
    tti_step steps[MOST_STEPS];
    int waits[MOST_STEPS], start[MOST_STEPS + 1], next[MOST_STEPS * MOST_STEPS];
} storage;

/* The end of what it writes to its WINDOW. */
static inline size_t window_of(const script *from)
{
    size_t end = 0;
    for (int i = 0; i < from->count; i++)
        if (from->steps[i].to_space == TTI_WINDOW && from->steps[i].to + from->steps[i].bytes > end)
            end = from->steps[i].to + from->steps[i].bytes;
    return end;
}

/* Of all ranks: `shows` bytes of their OUTPUT are for others to reach, `told` where; need number 1 of each
 * (NULL: none). */
typedef struct {
    size_t shows;
    bool told;
    const tti_need *needs;
} beside;

static inline void lay_out(const script *from, size_t shows, storage *to)
{
    int n = 0;
    memset(to, 0, sizeof *to);
    memcpy(to->steps, from->steps, sizeof to->steps);
    for (int i = 0; i < from->count; i++) {
        to->start[i] = n;
        for (int j = 0; j < from->count; j++) {
            if ((from->after[j] >> i & 1) == 0) continue;
            to->next[n++] = j;
            to->waits[j]++;
        }
    }
    to->start[from->count] = n;
    int posts = 0, messages = 0;
    for (int i = 0; i < from->count; i++) {
        posts += from->steps[i].kind == TTI_STEP_POST;
        messages += tti_step_is_message(&from->steps[i]);
    }
    to->schedule =
        (tti_schedule){.count = from->count,
                       .messages = messages,
                       .scratch = 64,
                       .window = window_of(from),
                       .posts = posts,
                       .shown = {[TTI_OUTPUT] = {.space = TTI_OUTPUT, .written = true, .bytes = shows}},
                       .element = 4,
                       .steps = to->steps,
                       .waits = to->waits,
                       .next_start = to->start,
                       .next = to->next};
}

static inline void expect_all(enum tti_collective collective, const tti_shape *shape,
                              const script *const scripts[], const beside *more, const char *why)
{
    storage stores[MOST_RANKS];
    tti_schedule *schedules[MOST_RANKS];
    for (int r = 0; r < shape->size; r++) {
        lay_out(scripts[r], more->shows, &stores[r]);
        stores[r].schedule.shown[TTI_OUTPUT].told = more->told;
        stores[r].schedule.needs = more->needs != NULL ? (tti_need *)&more->needs[r] : NULL;
        stores[r].schedule.need_count = more->needs != NULL;
        schedules[r] = &stores[r].schedule;
    }
    expect_schedules(collective, shape, schedules, why);
}

static inline void expect_shown(enum tti_collective collective, const tti_shape *shape,
                                const script *const scripts[], size_t shows, const char *why)
{
    expect_all(collective, shape, scripts, &(beside){.shows = shows}, why);
}

static inline void expect_proof(enum tti_collective collective, const tti_shape *shape,
                                const script *const scripts[], const char *why)
{
    expect_shown(collective, shape, scripts, 0, why);
}

static inline void expect(enum tti_collective collective, const tti_shape *shape, const script *zero,
                          const script *one, const char *why)
{
    const script *const both[] = {zero, one};
    expect_proof(collective, shape, both, why);
}

#endif
