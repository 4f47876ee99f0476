/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics on the same words by all ways at once: ranks that map the target by C11 atomics at the address of
 * tutti_window_direct() and by Tutti's operations in turn, all others by Tutti's alone. Who maps it goes on
 * until the slowest of the others is done, so that they do meet. Nothing gets lost and every value is fetched
 * once. */
#include <stdatomic.h>
#include <string.h>

#include "tests/job/rma/rma_job.h"

#define TIMES 40   /* rounds of each rank at least */
#define MOST 4000  /* and at most */
#define CELLS 1100 /* more than one message carries */

/* Places in a target's part. The halves and the bytes are neighbours in one word of the machine. */
enum {
    COUNTER = 0,
    HALF = 8,
    OTHER_HALF = 12,
    BYTES = 16,
    SUM = 24,
    CLAIM = 32,
    CHAIN = 40,
    OVER = 48, /* ranks without direct access that are done */
    ARRAY = 64,
    PART = ARRAY + CELLS * 8
};

typedef struct {
    tutti_window *window;
    int target;
    char *direct;          /* NULL: the caller does not map the target */
    int64_t others;        /* how many ranks do not */
    int64_t rounds;        /* of this rank */
    int64_t arrays;        /* of them with the array */
    int64_t fetched[MOST]; /* from COUNTER; -1: none */
    uint64_t put, got;     /* sums of what went into CHAIN, and of what came out */
} trial;

/* Whether this time the caller goes straight to memory. */
static bool straight(const trial *t)
{
    return t->direct != NULL && (t->rounds + rank) % 2 == 0;
}

static int64_t add_counter(const trial *t)
{
    const int64_t one = 1;
    int64_t old;
    if (straight(t)) return atomic_fetch_add((_Atomic int64_t *)(void *)(t->direct + COUNTER), one);
    OK(tutti_fetch_op(t->window, &one, &old, TUTTI_INT64, TUTTI_SUM, t->target, COUNTER));
    return old;
}

static void add_small(const trial *t)
{
    const uint32_t one = 1;
    const uint8_t mark = 1;
    const size_t byte = BYTES + (size_t)rank % 8;
    if (straight(t)) {
        atomic_fetch_add((_Atomic uint32_t *)(void *)(t->direct + HALF), 1);
        atomic_fetch_add((_Atomic uint32_t *)(void *)(t->direct + OTHER_HALF), 1);
        atomic_fetch_add((_Atomic uint8_t *)(void *)(t->direct + byte), 1);
        return;
    }
    uint32_t old;
    OK(tutti_fetch_op(t->window, &one, &old, TUTTI_UINT32, TUTTI_SUM, t->target, HALF));
    OK(tutti_accumulate(t->window, &one, 1, TUTTI_UINT32, TUTTI_SUM, t->target, OTHER_HALF, NULL));
    OK(tutti_accumulate(t->window, &mark, 1, TUTTI_UINT8, TUTTI_SUM, t->target, byte, NULL));
}

static void add_to_double(void *cell, double value)
{
    _Atomic uint64_t *bits = cell;
    uint64_t seen = atomic_load(bits), wanted;
    do {
        double sum;
        memcpy(&sum, &seen, sizeof sum);
        sum += value;
        memcpy(&wanted, &sum, sizeof wanted);
    } while (!atomic_compare_exchange_weak(bits, &seen, wanted));
}

static void add_doubles(trial *t)
{
    static const double halves[CELLS] = {0.5, 0.5};
    const size_t count = t->rounds % 16 == 0 ? CELLS : 0;
    t->arrays += count > 0;
    if (straight(t)) {
        add_to_double(t->direct + SUM, 0.5);
        for (size_t i = 0; i < count; i++)
            add_to_double(t->direct + ARRAY + i * 8, halves[i]);
        return;
    }
    OK(tutti_accumulate(t->window, halves, 1, TUTTI_DOUBLE, TUTTI_SUM, t->target, SUM, NULL));
    OK(tutti_accumulate(t->window, halves, count, TUTTI_DOUBLE, TUTTI_SUM, t->target, ARRAY, NULL));
}

/* Adds one by compare-and-swap. */
static void claim(const trial *t)
{
    int64_t seen = 0, old = 0, next;
    if (straight(t)) {
        _Atomic int64_t *cell = (void *)(t->direct + CLAIM);
        while (!atomic_compare_exchange_weak(cell, &seen, seen + 1))
            continue;
        return;
    }
    do {
        seen = old;
        next = seen + 1;
        OK(tutti_compare_swap(t->window, &seen, &next, &old, TUTTI_INT64, t->target, CLAIM));
    } while (old != seen);
}

/* What each puts in, exactly one other takes out. */
static void exchange(trial *t)
{
    uint64_t token = (uint64_t)(rank + 1) << 32 | (uint64_t)t->rounds, old;
    token *= UINT64_C(0x9e3779b97f4a7c15);
    if (straight(t))
        old = atomic_exchange((_Atomic uint64_t *)(void *)(t->direct + CHAIN), token);
    else
        OK(tutti_fetch_op(t->window, &token, &old, TUTTI_UINT64, TUTTI_REPLACE, t->target, CHAIN));
    t->put += token;
    t->got += old;
}

static bool goes_on(const trial *t)
{
    if (t->rounds < TIMES) return true;
    if (t->direct == NULL || t->rounds == MOST) return false;
    return atomic_load((const _Atomic int64_t *)(const void *)(t->direct + OVER)) < t->others;
}

static void hammer(trial *t)
{
    const int64_t one = 1;
    for (; goes_on(t); t->rounds++) {
        t->fetched[t->rounds] = add_counter(t);
        add_small(t);
        add_doubles(t);
        claim(t);
        exchange(t);
    }
    if (t->direct == NULL)
        OK(tutti_accumulate(t->window, &one, 1, TUTTI_INT64, TUTTI_SUM, t->target, OVER, NULL));
    OK(tutti_flush(t->window, t->target));
}

static int64_t total_of(int64_t mine)
{
    int64_t total;
    OK(tutti_allreduce(world, &mine, &total, 1, TUTTI_INT64, TUTTI_SUM));
    return total;
}

/* All of 0 … total-1, each by one rank. */
static void check_fetched(const trial *t, int64_t total)
{
    int64_t *all = malloc((size_t)size * sizeof t->fetched);
    bool *seen = calloc((size_t)total, sizeof *seen);
    EXPECT(all != NULL && seen != NULL);
    OK(tutti_allgather(world, t->fetched, all, sizeof t->fetched));
    int64_t count = 0;
    for (int64_t i = 0; i < (int64_t)size * MOST; i++) {
        if (all[i] < 0) continue;
        EXPECT(all[i] < total && !seen[all[i]]);
        seen[all[i]] = true;
        count++;
    }
    EXPECT(count == total);
    free(all);
    free(seen);
}

static void check_words(const char *base, int64_t total, int64_t arrays, const int64_t marks[8],
                        uint64_t left)
{
    EXPECT(*(const int64_t *)(const void *)(base + COUNTER) == total);
    EXPECT(*(const uint32_t *)(const void *)(base + HALF) == (uint32_t)total);
    EXPECT(*(const uint32_t *)(const void *)(base + OTHER_HALF) == (uint32_t)total);
    for (int i = 0; i < 8; i++)
        EXPECT((unsigned char)base[BYTES + i] == (unsigned char)marks[i]);
    EXPECT(*(const double *)(const void *)(base + SUM) == 0.5 * (double)total);
    EXPECT(*(const int64_t *)(const void *)(base + CLAIM) == total);
    EXPECT(*(const uint64_t *)(const void *)(base + CHAIN) == left);
    for (int i = 0; i < CELLS; i++)
        EXPECT(((const double *)(const void *)(base + ARRAY))[i] == (i < 2 ? 0.5 * (double)arrays : 0));
}

static void check_target(int target, int shared)
{
    static trial t;
    void *direct;
    job_window w = job_window_open(PART, shared);
    const int code = tutti_window_direct(w.window, target, &direct);
    EXPECT(code == 0 || (code == TUTTI_ERR_UNSUPPORTED && rank != target));
    t = (trial){.window = w.window, .target = target, .direct = code == 0 ? direct : NULL};
    memset(t.fetched, -1, sizeof t.fetched);
    t.others = total_of(t.direct == NULL);
    hammer(&t);
    OK(tutti_barrier(world));
    const int64_t total = total_of(t.rounds), arrays = total_of(t.arrays);
    const uint64_t left = (uint64_t)total_of((int64_t)t.put) - (uint64_t)total_of((int64_t)t.got);
    int64_t marks[8];
    for (int i = 0; i < 8; i++)
        marks[i] = total_of(rank % 8 == i ? t.rounds : 0);
    if (rank == target) check_words((const char *)w.base, total, arrays, marks, left);
    check_fetched(&t, total);
    job_window_close(&w);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    for (int shared = 0; shared < 2; shared++) {
        check_target(0, shared);
        check_target(size / 2, shared);
        check_target(size - 1, shared);
    }
    return job_close();
}
