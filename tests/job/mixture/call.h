/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective call as drawn by a seeded generator, in any form: its buffers, their content, its start and
 * the check of what it gave. */
#ifndef TESTS_JOB_CALL_H
#define TESTS_JOB_CALL_H

#include "tests/job/mixture/numbers.h"
#include "tests/job/payload.h"

#define GUARD 16 /* bytes behind the receive buffer that nobody may write */
#define MOST_BYTES 600000

enum form { BLOCKING, NONBLOCKING, PERSISTENT };
enum kind { BARRIER, BCAST, REDUCE, ALLREDUCE, ALLGATHER, GATHER, SCATTER, ALLTOALL, SCAN, EXSCAN, KINDS };
static const char *const kind_names[KINDS] = {"barrier", "bcast",   "reduce",   "allreduce", "allgather",
                                              "gather",  "scatter", "alltoall", "scan",      "exscan"};

struct call {
    tutti_comm *comm;
    int group, n, mine; /* the communicator's number, its ranks and which the caller is: -1 none of them */
    enum kind kind;
    enum form form;
    int root, in_place;
    size_t count, width;            /* elements of a part; of what is only moved: bytes */
    const struct number_type *type; /* of reductions */
    tutti_op *op;
    uint64_t salt; /* tells its data from others' */
    unsigned char *send, *recv;
    tutti_request *request;
    int active;
    int excused; /* a rank that may die takes part */
};

static inline int call_reduces(const struct call *c)
{
    return c->kind == REDUCE || c->kind == ALLREDUCE || c->kind == SCAN || c->kind == EXSCAN;
}

/* How many parts the caller gives, and is given. */
static inline int call_parts_in(const struct call *c)
{
    const int at_root = c->mine == c->root;
    if (c->kind == BARRIER) return 0;
    if (c->kind == BCAST) return at_root;
    if (c->kind == SCATTER) return at_root ? c->n : 0;
    return c->kind == ALLTOALL ? c->n : 1;
}

static inline int call_parts_out(const struct call *c)
{
    const int at_root = c->mine == c->root;
    if (c->kind == BARRIER) return 0;
    if (c->kind == REDUCE) return at_root;
    if (c->kind == GATHER) return at_root ? c->n : 0;
    return c->kind == ALLTOALL || c->kind == ALLGATHER ? c->n : 1;
}

/* Where those with a root may have their input in place, the root alone does. */
static inline int call_in_place(const struct call *c)
{
    const int rooted = c->kind == REDUCE || c->kind == GATHER || c->kind == SCATTER;
    return c->in_place && (!rooted || c->mine == c->root);
}

/* Sizes around 48 bytes, 8 KiB and 256 KiB, where the ways through shared memory change. */
static inline size_t call_draw_bytes(uint64_t *state, int parts)
{
    const size_t sizes[] = {0, 1, 8, 40, 48, 49, 300, 2048, 8192, 8200, 16384, 65536};
    size_t bytes = sizes[job_random(state) % (sizeof sizes / sizeof sizes[0])];
    const uint64_t draw = job_random(state);
    if (draw % 3 == 0) bytes = draw / 3 % 9000;
    if (draw % 50 == 1) bytes = 300000;
    if (draw % 4 == 2) bytes /= (size_t)parts;
    return bytes * (size_t)parts > MOST_BYTES ? MOST_BYTES / (size_t)parts : bytes;
}

/* What is the same at all ranks. The caller has set comm, group, n, mine. */
static inline void call_draw(struct call *c, uint64_t *state)
{
    c->kind = (enum kind)(job_random(state) % KINDS);
    c->form = (enum form)(job_random(state) % 8 < 5 ? NONBLOCKING : job_random(state) % 2);
    if (job_random(state) % 5 == 0) c->form = PERSISTENT;
    c->root = (int)(job_random(state) % (uint64_t)c->n);
    c->in_place = job_random(state) % 3 == 0;
    c->salt = job_random(state);
    c->type = &number_types[job_random(state) % NUMBER_TYPES];
    c->op = number_draw_op(c->type, state);
    c->width = call_reduces(c) ? c->type->width : 1;
    const int many = c->kind == ALLGATHER || c->kind == GATHER || c->kind == SCATTER || c->kind == ALLTOALL;
    c->count = call_draw_bytes(state, many ? c->n : 1) / c->width;
}

static inline void call_allocate(struct call *c)
{
    c->send = malloc((size_t)call_parts_in(c) * c->count * c->width + GUARD);
    c->recv = malloc((size_t)call_parts_out(c) * c->count * c->width + GUARD);
    EXPECT(c->send != NULL && c->recv != NULL);
}

/* Data of a part that rank q moves to rank (or place) `part`. */
static inline uint64_t call_payload(const struct call *c, int q, int part)
{
    return (c->salt & 0xffffff) + (uint64_t)q * 977 + (uint64_t)part * 53;
}

static inline void call_fill(struct call *c)
{
    const size_t bytes = c->count * c->width;
    unsigned char *input = c->send;
    memset(c->recv, 0xee, (size_t)call_parts_out(c) * bytes);
    memset(c->recv + (size_t)call_parts_out(c) * bytes, 0xa5, GUARD);
    if (c->kind == BCAST || (call_in_place(c) && c->kind != SCATTER)) input = c->recv;
    if (call_in_place(c) && (c->kind == ALLGATHER || c->kind == GATHER)) input += (size_t)c->mine * bytes;
    for (int part = 0; part < call_parts_in(c); part++, input += bytes) {
        const int to = c->kind == SCATTER || c->kind == ALLTOALL ? part : 0;
        if (!call_reduces(c)) payload_fill(input, bytes, call_payload(c, c->mine, to));
        for (size_t i = 0; call_reduces(c) && i < c->count; i++)
            number_store(c->type, input, i, number_of(c->type, c->op, c->salt, c->mine, i));
    }
}

#define CALL(c, name, ...)                                                                                   \
    ((c)->form == BLOCKING      ? tutti_##name(__VA_ARGS__)                                                  \
     : (c)->form == NONBLOCKING ? tutti_i##name(__VA_ARGS__, &(c)->request)                                  \
                                : tutti_##name##_init(__VA_ARGS__, &(c)->request))

/* The call itself: from its beginning to its end, started, or prepared. */
static inline int call_call(struct call *c)
{
    const size_t k = c->count;
    const void *s = call_in_place(c) && c->kind != SCATTER ? TUTTI_IN_PLACE : c->send;
    void *r = call_in_place(c) && c->kind == SCATTER ? TUTTI_IN_PLACE : c->recv;
    switch (c->kind) {
    case BCAST: return CALL(c, bcast, c->comm, r, k, c->root);
    case REDUCE: return CALL(c, reduce, c->comm, s, r, k, c->type->type, c->op, c->root);
    case ALLREDUCE: return CALL(c, allreduce, c->comm, s, r, k, c->type->type, c->op);
    case ALLGATHER: return CALL(c, allgather, c->comm, s, r, k);
    case GATHER: return CALL(c, gather, c->comm, s, r, k, c->root);
    case SCATTER: return CALL(c, scatter, c->comm, s, r, k, c->root);
    case ALLTOALL: return CALL(c, alltoall, c->comm, s, r, k);
    case SCAN: return CALL(c, scan, c->comm, s, r, k, c->type->type, c->op);
    case EXSCAN: return CALL(c, exscan, c->comm, s, r, k, c->type->type, c->op);
    default: return CALL(c, barrier, c->comm);
    }
}

/* The first wrong element of a reduction, or its count. */
static inline size_t call_wrong_number(const struct call *c)
{
    const int last = c->kind == SCAN ? c->mine : c->kind == EXSCAN ? c->mine - 1 : c->n - 1;
    size_t i = 0;
    for (; i < c->count; i++) {
        struct number sum = number_of(c->type, c->op, c->salt, 0, i);
        for (int q = 1; q <= last; q++)
            sum = number_combine(c->op, sum, number_of(c->type, c->op, c->salt, q, i));
        if (!number_is(c->type, c->recv, i, sum)) break;
    }
    return i;
}

/* Whether everything that a finished call gave the caller is right. */
static inline int call_is_right(const struct call *c)
{
    const size_t bytes = c->count * c->width;
    const int parts = call_parts_out(c);
    for (int i = 0; i < GUARD; i++)
        if (c->recv[(size_t)parts * bytes + (size_t)i] != 0xa5) return 0;
    if (c->kind == EXSCAN && c->mine == 0) return 1;      /* not used */
    if (c->kind == SCATTER && call_in_place(c)) return 1; /* stays in send */
    if (call_reduces(c)) return parts == 0 || call_wrong_number(c) == c->count;
    for (int part = 0; part < parts; part++) {
        const int from = c->kind == BCAST || c->kind == SCATTER ? c->root : part;
        const int to = c->kind == SCATTER || c->kind == ALLTOALL ? c->mine : 0;
        if (!payload_is(c->recv + (size_t)part * bytes, bytes, call_payload(c, from, to))) return 0;
    }
    return 1;
}

/* For the reader of a failure. */
static inline void call_tell(const struct call *c)
{
    const char *const forms[] = {"blocking", "nonblocking", "persistent"};
    fprintf(stderr,
            "rank %d: %s %s on communicator %d (rank %d of %d), root %d, %zu elements of %zu bytes%s\n", rank,
            forms[c->form], kind_names[c->kind], c->group, c->mine, c->n, c->root, c->count, c->width,
            c->in_place ? ", in place" : "");
}

#endif
