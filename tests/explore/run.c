/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "tests/explore/choose.h"
#include "tests/explore/memory.h"

#define STACK_BYTES (256 << 10)
/* A run that takes more steps goes round in circles. */
#define MOST_STEPS 20000
/* Who looks in vain when nobody else goes on may do so this often: the code asks now and then whether a peer
 * is alive at all. */
#define MOST_STALLS 3000
/* Bytes that each rank has of its own. */
#define MOST_KEPT 256

enum state { READY, SPINS, SLEEPS, AWAITS_DEATH, ENDED, DIED };

typedef struct {
    enum state state;
    jmp_buf at, start;
    uint64_t changes; /* of its own so far */
    uint64_t seen;    /* changes of others when it began to spin */
    const volatile void *sleeps_at;
    bool primed;
    ucontext_t context;
} coroutine;

static struct {
    coroutine ranks[RUN_MOST_RANKS];
    int count, now, mortal, dead;
    unsigned steps, stalls;
    bool settled; /* all that was stored has been made visible, and nothing was stored since */
    run_body_fn *body;
    jmp_buf out;
    char failure[512];
} run = {.now = -1, .dead = -1};

/* What each rank, while others go on, has in memory of which there is one; and what all begin with. */
static struct {
    void *at;
    size_t bytes;
    unsigned char of[RUN_MOST_RANKS][MOST_KEPT], first[MOST_KEPT];
} kept;

bool run_traced;
static char stacks[RUN_MOST_RANKS][STACK_BYTES] __attribute__((aligned(64)));

const char *run_failure(void)
{
    return run.failure;
}

int run_rank(void)
{
    return run.now;
}

int run_dead(void)
{
    return run.dead;
}

void run_keep(void *at, size_t bytes)
{
    if (bytes > MOST_KEPT) abort();
    kept.at = at;
    kept.bytes = bytes;
    memcpy(kept.first, at, bytes);
}

void run_let_die(int ranks)
{
    run.mortal = ranks;
}

static void leave(int code)
{
    run.now = -1;
    memcpy(kept.at, kept.first, kept.bytes);
    _longjmp(run.out, code);
}

enum { FAILED = 1, FINISHED, PRIMED };

void run_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(run.failure, sizeof run.failure, format, list);
    va_end(list);
    leave(FAILED);
    abort();
}

void run_tell(const char *format, ...)
{
    va_list list;
    if (!run_traced || run.now < 0) return;
    printf("%5u  rank %d  ", choose_count(), run.now);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

static uint64_t changes_of_others(int rank)
{
    uint64_t sum = 0;
    for (int r = 0; r < run.count; r++)
        if (r != rank) sum += run.ranks[r].changes;
    return sum;
}

static bool may_go_on(int rank)
{
    const coroutine *c = &run.ranks[rank];
    return c->state == READY || (c->state == SPINS && c->seen != changes_of_others(rank));
}

/* Those that may go on, behind `first` in turn. */
static unsigned candidates(int first, int *found)
{
    unsigned count = 0;
    for (int i = 0; i < run.count; i++)
        if (may_go_on((first + i) % run.count)) found[count++] = (first + i) % run.count;
    return count;
}

/* What was stored reaches everybody in the end: who spins looks once more then. */
static bool settle(void)
{
    bool spins = false;
    if (run.settled && (run.dead < 0 || ++run.stalls > MOST_STALLS)) return false;
    memory_settle();
    run.settled = true;
    for (int r = 0; r < run.count; r++) {
        if (run.ranks[r].state != SPINS) continue;
        run.ranks[r].state = READY;
        spins = true;
    }
    return spins;
}

static void judge_end(void)
{
    static const char *const doing[] = {"", "looks", "sleeps"};
    for (int r = 0; r < run.count; r++) {
        const enum state state = run.ranks[r].state;
        if (state == SPINS || state == SLEEPS)
            run_fail("no progress: rank %d %s for ever%s", r, doing[state],
                     run.dead >= 0 ? " though a death was told" : "");
    }
    leave(FINISHED);
}

static void go_on_with(int rank)
{
    const int before = run.now;
    if (rank == before) return;
    run.now = rank;
    if (before >= 0) memcpy(kept.of[before], kept.at, kept.bytes);
    memcpy(kept.at, kept.of[rank], kept.bytes);
    if (before >= 0 && _setjmp(run.ranks[before].at) != 0) return;
    _longjmp(run.ranks[rank].at, 1);
}

/* The rank that goes on cannot, or has ended. */
static void switch_away(void)
{
    int found[RUN_MOST_RANKS];
    unsigned count = candidates(run.now + 1, found);
    if (count == 0 && settle()) count = candidates(run.now + 1, found);
    if (count == 0) judge_end();
    const int next = found[choose(count)];
    run.ranks[next].state = READY;
    go_on_with(next);
}

static void die(void)
{
    run_tell("dies");
    run.dead = run.now;
    run.ranks[run.now].state = DIED;
    for (int r = 0; r < run.count; r++)
        if (run.ranks[r].state == AWAITS_DEATH) run.ranks[r].state = READY;
    switch_away();
}

void run_step(void)
{
    int found[RUN_MOST_RANKS];
    if (run.now < 0) return;
    if (++run.steps > MOST_STEPS) run_fail("no progress in %d steps", MOST_STEPS);
    const unsigned count = candidates(run.now, found);
    const bool mortal = run.dead < 0 && run.now < run.mortal;
    const unsigned taken = choose(count + mortal);
    if (taken == count) die();
    run.ranks[found[taken]].state = READY;
    go_on_with(found[taken]);
}

void run_changed(void)
{
    if (run.now < 0) return;
    run.ranks[run.now].changes++;
    run.settled = false;
}

void run_spin(void)
{
    if (run.now < 0) return;
    coroutine *c = &run.ranks[run.now];
    c->state = SPINS;
    c->seen = changes_of_others(run.now);
    switch_away();
}

void run_sleep(const volatile void *at)
{
    coroutine *c = &run.ranks[run.now];
    run_tell("sleeps");
    c->state = SLEEPS;
    c->sleeps_at = at;
    switch_away();
}

void run_wake(const volatile void *at)
{
    for (int r = 0; r < run.count; r++) {
        if (run.ranks[r].state != SLEEPS || run.ranks[r].sleeps_at != at) continue;
        run_tell("wakes rank %d", r);
        run.ranks[r].state = READY;
    }
}

void run_await_death(void)
{
    if (run.dead >= 0) return;
    run.ranks[run.now].state = AWAITS_DEATH;
    switch_away();
}

/* A rank's stack begins here and is begun anew, from the first setjmp, for each run. */
static void base(int rank)
{
    if (_setjmp(run.ranks[rank].start) == 0) _longjmp(run.out, PRIMED);
    run.body(run.now);
    run.ranks[run.now].state = ENDED;
    run_tell("has ended");
    switch_away();
}

static void prime(int rank)
{
    coroutine *c = &run.ranks[rank];
    if (c->primed) return;
    c->primed = true;
    getcontext(&c->context);
    c->context.uc_stack.ss_sp = stacks[rank];
    c->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&c->context, (void (*)(void))base, 1, rank);
    if (_setjmp(run.out) == 0) setcontext(&c->context);
}

bool run_ranks(run_body_fn *body, int ranks)
{
    run.body = body;
    run.count = ranks;
    run.steps = run.stalls = 0;
    run.dead = -1;
    run.settled = false;
    for (int r = 0; r < ranks; r++) {
        prime(r);
        coroutine *c = &run.ranks[r];
        c->state = READY;
        c->changes = c->seen = 0;
        c->at[0] = c->start[0];
        memcpy(kept.of[r], kept.first, kept.bytes);
    }
    const int code = _setjmp(run.out);
    if (code == 0) {
        choose_begin();
        go_on_with((int)choose((unsigned)ranks));
    }
    return code == FINISHED;
}
