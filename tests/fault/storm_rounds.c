/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fault/storm.h"
#include "tests/job/payload.h"

/* The window of each rank: a counter, a signal of each other rank, then STORM_MOST bytes of each. */
#define SIGNALS_AT 64
#define DATA_AT 4096
/* Never sent. */
#define ALARM_TAG 9999

static uint64_t draw(storm *s, uint64_t below)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

/* From nothing to STORM_MOST, each power of two as often as another. */
static size_t draw_bytes(storm *s)
{
    return draw(s, (uint64_t)1 << draw(s, 20)) % (STORM_MOST + 1);
}

static void right(bool is_right, const char *what)
{
    if (!is_right) tutti_abort(3, what);
}

static unsigned char *part(unsigned char *of, int rank)
{
    return of + (size_t)rank * STORM_MOST;
}

/* Completes all; there is a free place behind the last. Beside them waits the alarm, a receive from any
 * source that a death ends: the rest is given up then, because a survivor that was told first does not answer
 * any more. */
static int settle(storm *s, tutti_request **requests, int count)
{
    int code = 0, left = 0, index;
    for (int i = 0; i < count; i++)
        left += requests[i] != NULL;
    requests[count] = s->alarm;
    for (; code == 0 && left > 0; left--)
        code = tutti_waitany(count + 1, requests, &index, NULL);
    s->alarm = requests[count];
    for (int i = 0; i < count; i++)
        if (requests[i] != NULL) tutti_request_free(&requests[i]);
    return code;
}

/* Everybody with everybody, so that everybody notices a death. */
static int do_exchange(storm *s, int (*send)(tutti_comm *, const void *, size_t, int, int, tutti_request **))
{
    const size_t bytes = draw_bytes(s);
    const int tag = (int)draw(s, 1000);
    tutti_request *requests[2 * STORM_RANKS + 1] = {NULL};
    int code = 0, count = 0;
    payload_fill(s->out, bytes, (uint64_t)s->rank + (uint64_t)tag);
    for (int i = 0; i < s->size && code == 0; i++)
        code = tutti_irecv(s->world, part(s->in, i), bytes, i, tag, &requests[count++]);
    for (int i = 0; i < s->size && code == 0; i++)
        code = send(s->world, s->out, bytes, (s->rank + i) % s->size, tag, &requests[count++]);
    const int settled = settle(s, requests, count);
    if (code == 0) code = settled;
    for (int i = 0; i < s->size && code == 0; i++)
        right(payload_is(part(s->in, i), bytes, (uint64_t)i + (uint64_t)tag), "an exchange gave wrong data");
    return code;
}

static int do_isend(storm *s)
{
    return do_exchange(s, tutti_isend);
}

static int do_issend(storm *s)
{
    return do_exchange(s, tutti_issend);
}

static int do_any_source(storm *s)
{
    const int root = (int)draw(s, (uint64_t)s->size);
    const size_t bytes = draw_bytes(s) % 8000; /* eager: the root may have left */
    if (s->rank != root) {
        payload_fill(s->out, bytes, (uint64_t)s->rank);
        const int code = tutti_send(s->world, s->out, bytes, root, 2000);
        return code != 0 ? code : tutti_barrier(s->world);
    }
    for (int i = 1; i < s->size; i++) {
        tutti_status status;
        const int code = tutti_recv(s->world, s->in, bytes, TUTTI_ANY_SOURCE, 2000, &status);
        if (code != 0) return code;
        right(payload_is(s->in, bytes, (uint64_t)status.source), "a receive from any source gave wrong data");
    }
    return tutti_barrier(s->world);
}

static int do_barrier(storm *s)
{
    return tutti_barrier(s->world);
}

static int do_bcast(storm *s)
{
    const int root = (int)draw(s, (uint64_t)s->size);
    const size_t bytes = draw_bytes(s);
    if (s->rank == root) payload_fill(s->in, bytes, 7);
    const int code = tutti_bcast(s->world, s->in, bytes, root);
    right(code != 0 || payload_is(s->in, bytes, 7), "a broadcast gave wrong data");
    return code;
}

static size_t fill_numbers(storm *s)
{
    const size_t count = draw_bytes(s) / sizeof(int64_t);
    int64_t *numbers = (int64_t *)(void *)s->out;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int64_t)i + s->rank;
    return count;
}

static void check_sums(const storm *s, size_t count)
{
    const int64_t *sums = (const int64_t *)(const void *)s->in;
    for (size_t i = 0; i < count; i++)
        right(sums[i] == (int64_t)i * s->size + s->size * (s->size - 1) / 2, "a reduction gave wrong sums");
}

static int do_allreduce(storm *s)
{
    const size_t count = fill_numbers(s);
    const int code = tutti_allreduce(s->world, s->out, s->in, count, TUTTI_INT64, TUTTI_SUM);
    if (code == 0) check_sums(s, count);
    return code;
}

static int do_reduce(storm *s)
{
    const size_t count = fill_numbers(s);
    const int root = (int)draw(s, (uint64_t)s->size);
    const int code = tutti_reduce(s->world, s->out, s->in, count, TUTTI_INT64, TUTTI_SUM, root);
    if (code == 0 && s->rank == root) check_sums(s, count);
    return code != 0 ? code : tutti_barrier(s->world);
}

static int do_allgather(storm *s)
{
    const size_t bytes = draw_bytes(s);
    payload_fill(s->out, bytes, (uint64_t)s->rank);
    const int code = tutti_allgather(s->world, s->out, s->in, bytes);
    for (int i = 0; i < s->size && code == 0; i++)
        right(payload_is(s->in + (size_t)i * bytes, bytes, (uint64_t)i), "an allgather gave wrong data");
    return code;
}

/* Several collectives at a time. */
static int do_overlap(storm *s)
{
    tutti_request *requests[4] = {NULL};
    const size_t count = fill_numbers(s);
    int code = tutti_iallreduce(s->world, s->out, s->in, count, TUTTI_INT64, TUTTI_SUM, &requests[0]);
    if (code == 0) code = tutti_ibarrier(s->world, &requests[1]);
    if (code == 0) code = tutti_ibcast(s->world, part(s->in, 1), draw_bytes(s), 0, &requests[2]);
    const int settled = settle(s, requests, 3);
    if (code == 0) code = settled;
    if (code == 0) check_sums(s, count);
    return code;
}

static int do_dup(storm *s)
{
    tutti_comm *copy;
    int code = tutti_comm_dup(s->world, &copy);
    if (code != 0) return code;
    code = tutti_barrier(copy);
    const int freed = tutti_comm_free(&copy);
    return code != 0 ? code : freed;
}

/* To the right neighbour, which looks once all have put. */
static int do_put_get(storm *s)
{
    const size_t bytes = draw_bytes(s);
    const int to = (s->rank + 1) % s->size, from = (s->rank + s->size - 1) % s->size;
    payload_fill(s->out, bytes, (uint64_t)s->rank);
    int code = tutti_put(s->window, s->out, bytes, to, DATA_AT, NULL);
    if (code == 0) code = tutti_flush(s->window, TUTTI_ALL);
    if (code == 0) code = tutti_barrier(s->world);
    if (code == 0)
        right(payload_is(s->window_base + DATA_AT, bytes, (uint64_t)from), "a put gave wrong data");
    if (code == 0) code = tutti_get(s->window, s->in, bytes, to, DATA_AT, NULL);
    if (code == 0) code = tutti_barrier(s->world); /* else the target may have left, its memory with it */
    if (code == 0) right(payload_is(s->in, bytes, (uint64_t)s->rank), "a get gave wrong data");
    return code;
}

/* A target that has heard of a death may have left already, and its memory with it: then the values mean
 * nothing, and the barrier fails. */
static int do_fetch_op(storm *s)
{
    const int target = (int)draw(s, (uint64_t)s->size);
    const int64_t one = 1;
    int64_t before, last = -1;
    bool back = false;
    int code = 0;
    for (int i = 0; i < 50 && code == 0; i++) {
        code = tutti_fetch_op(s->window, &one, &before, TUTTI_INT64, TUTTI_SUM, target, 0);
        back |= code == 0 && before <= last;
        last = before;
    }
    if (code == 0) code = tutti_barrier(s->world);
    right(code != 0 || !back, "a counter went back");
    return code;
}

static int do_signal(storm *s)
{
    static uint64_t round; /* the same at all ranks: each adds one to each */
    const size_t bytes = draw_bytes(s) % 65536;
    int code = 0;
    payload_fill(s->out, bytes, 5);
    round++;
    for (int i = 0; i < s->size && code == 0; i++)
        code = tutti_put_signal(s->window, s->out, bytes, i, DATA_AT, SIGNALS_AT, 1);
    if (code == 0) code = tutti_signal_wait(s->window, SIGNALS_AT, round * (uint64_t)s->size, NULL);
    right(code != 0 || payload_is(s->window_base + DATA_AT, bytes, 5), "a put with signal gave wrong data");
    return code != 0 ? code : tutti_barrier(s->world);
}

static const struct {
    const char *name;
    int (*run)(storm *);
} kinds[] = {
    {"isend", do_isend},           {"issend", do_issend},
    {"any-source", do_any_source}, {"barrier", do_barrier},
    {"bcast", do_bcast},           {"reduce", do_reduce},
    {"allreduce", do_allreduce},   {"allgather", do_allgather},
    {"overlap", do_overlap},       {"dup", do_dup},
    {"put-get", do_put_get},       {"fetch-op", do_fetch_op},
    {"put-signal", do_signal},
};

int storm_round(storm *s, const char **name)
{
    const size_t kind = draw(s, sizeof kinds / sizeof kinds[0]);
    *name = kinds[kind].name;
    return kinds[kind].run(s);
}

int storm_open(storm *s, uint64_t seed)
{
    *s = (storm){.random = seed};
    int code = tutti_init(&s->world, NULL);
    if (code != 0) return code;
    s->rank = tutti_comm_rank(s->world);
    s->size = tutti_comm_size(s->world);
    right(s->size <= STORM_RANKS, "too many ranks for this test");
    s->out = malloc(STORM_MOST);
    s->in = malloc((size_t)s->size * STORM_MOST);
    right(s->out != NULL && s->in != NULL, "no memory for this test");
    void *base = NULL;
    code = tutti_mem_alloc(s->world, DATA_AT + STORM_MOST, &base);
    s->window_base = base;
    if (code == 0) code = tutti_window_create(s->world, base, DATA_AT + STORM_MOST, &s->window);
    return code != 0 ? code : tutti_irecv(s->world, NULL, 0, TUTTI_ANY_SOURCE, ALARM_TAG, &s->alarm);
}

void storm_close(storm *s, bool whole)
{
    if (s->alarm != NULL && tutti_cancel(s->alarm) == 0 && tutti_wait(&s->alarm, NULL) != 0) s->alarm = NULL;
    if (s->window != NULL) tutti_window_free(&s->window);
    if (whole) tutti_mem_free(s->window_base);
}
