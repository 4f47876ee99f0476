/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective call as drawn by a seeded generator, in any form: its buffers, their content, its start and
 * the check of what it gave. */
#ifndef TESTS_JOB_CALL_H
#define TESTS_JOB_CALL_H

#include "tests/job/mixture/numbers.h"
#include "tests/job/payload.h"

#define GUARD 16 /* bytes behind the receive buffer that nobody may write */
#define MOST_BYTES 600000
#define MOST_RANKS 96
#define EDGES 3 /* that lead from each rank of a communicator with neighbours */

enum form { BLOCKING, NONBLOCKING, PERSISTENT };
enum kind {
    BARRIER,
    BCAST,
    REDUCE,
    ALLREDUCE,
    ALLGATHER,
    GATHER,
    SCATTER,
    ALLTOALL,
    SCAN,
    EXSCAN,
    REDUCE_SCATTER_BLOCK,
    REDUCE_SCATTER, /* from here on parts differ */
    ALLGATHERV,
    GATHERV,
    SCATTERV,
    ALLTOALLV,
    ALLTOALLW,
    NEIGHBOR_ALLTOALLV, /* from here on between neighbours */
    NEIGHBOR_ALLTOALLW,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALL, /* from here on parts are of one size again */
    NEIGHBOR_ALLGATHER,
    KINDS
};
static const char *const kind_names[KINDS] = {"barrier",
                                              "bcast",
                                              "reduce",
                                              "allreduce",
                                              "allgather",
                                              "gather",
                                              "scatter",
                                              "alltoall",
                                              "scan",
                                              "exscan",
                                              "reduce_scatter_block",
                                              "reduce_scatter",
                                              "allgatherv",
                                              "gatherv",
                                              "scatterv",
                                              "alltoallv",
                                              "alltoallw",
                                              "neighbor_alltoallv",
                                              "neighbor_alltoallw",
                                              "neighbor_allgatherv",
                                              "neighbor_alltoall",
                                              "neighbor_allgather"};

struct call {
    tutti_comm *comm;
    int group, n, mine; /* the communicator's number, its ranks and which the caller is: -1 none of them */
    enum kind kind;
    enum form form;
    int root, in_place;
    size_t count, width; /* elements of a part, or of the largest; of what is only moved: bytes */
    size_t counts_in[MOST_RANKS], counts_out[MOST_RANKS]; /* of the parts given and got, where they differ */
    const struct number_type *type;                       /* of reductions */
    tutti_op *op;
    uint64_t salt; /* tells its data from others' */
    unsigned char *send, *recv;
    tutti_request *request;
    int active;
    int excused;                      /* ranks that may die take part */
    unsigned char mortal[MOST_RANKS]; /* of the communicator's ranks, which */
};

static inline int call_reduces(const struct call *c)
{
    return c->kind == REDUCE || c->kind == ALLREDUCE || c->kind == SCAN || c->kind == EXSCAN ||
           c->kind == REDUCE_SCATTER_BLOCK || c->kind == REDUCE_SCATTER;
}

/* What of each rank is one, apart from sizes. */
static inline int call_gathers(const struct call *c)
{
    return c->kind == GATHER || c->kind == GATHERV;
}
static inline int call_scatters(const struct call *c)
{
    return c->kind == SCATTER || c->kind == SCATTERV;
}
static inline int call_allgathers(const struct call *c)
{
    return c->kind == ALLGATHER || c->kind == ALLGATHERV;
}
static inline int call_exchanges(const struct call *c)
{
    return c->kind == ALLTOALL || c->kind == ALLTOALLV || c->kind == ALLTOALLW;
}
static inline int call_shares_sums(const struct call *c)
{
    return c->kind == REDUCE_SCATTER_BLOCK || c->kind == REDUCE_SCATTER;
}

/* Between neighbours: edge j of a rank leads to the one so many beyond it, and back to itself. */
static inline int call_step(int j)
{
    static const int steps[EDGES] = {1, 0, 2};
    return steps[j];
}
static inline int call_is_beside(const struct call *c)
{
    return c->kind >= NEIGHBOR_ALLTOALLV;
}
static inline int call_tells_all_beside(const struct call *c)
{
    return c->kind == NEIGHBOR_ALLGATHERV || c->kind == NEIGHBOR_ALLGATHER;
}
static inline int call_source(const struct call *c, int edge)
{
    return (c->mine + EDGES * c->n - call_step(edge)) % c->n;
}

/* How many parts the caller gives, and is given. */
static inline int call_parts_in(const struct call *c)
{
    const int at_root = c->mine == c->root;
    if (c->kind == BARRIER) return 0;
    if (call_is_beside(c)) return call_tells_all_beside(c) ? 1 : EDGES;
    if (c->kind == BCAST) return at_root;
    if (call_scatters(c)) return at_root ? c->n : 0;
    return call_exchanges(c) || call_shares_sums(c) ? c->n : 1;
}

static inline int call_parts_out(const struct call *c)
{
    const int at_root = c->mine == c->root;
    if (c->kind == BARRIER) return 0;
    if (call_is_beside(c)) return EDGES;
    if (c->kind == REDUCE) return at_root;
    if (call_gathers(c)) return at_root ? c->n : 0;
    return call_exchanges(c) || call_allgathers(c) ? c->n : 1;
}

/* Elements of what rank `from` has for rank (or place, or along edge) `to`: some none. Where `from` is -1 all
 * have it. In place it is as much as the other way round. */
static inline size_t call_count(const struct call *c, int from, int to)
{
    const int mixed = c->in_place ? from * to + from + to : from * 3 + to * 5;
    if (c->kind < REDUCE_SCATTER || c->kind >= NEIGHBOR_ALLTOALL) return c->count;
    return mixed % 3 == 0 ? c->count : mixed % 3 == 1 ? c->count / 2 : 0;
}

/* What goes from part `part` of the caller's, and comes into it. */
static inline size_t call_count_in(const struct call *c, int part)
{
    if (c->kind == REDUCE_SCATTER) return call_count(c, 0, part);
    if (call_is_beside(c)) return call_count(c, c->mine, call_tells_all_beside(c) ? 0 : part);
    return call_count(c, c->mine, call_exchanges(c) || call_scatters(c) ? part : 0);
}
static inline size_t call_count_out(const struct call *c, int part)
{
    if (c->kind == REDUCE_SCATTER) return call_count(c, 0, c->mine);
    if (call_is_beside(c)) return call_count(c, call_source(c, part), call_tells_all_beside(c) ? 0 : part);
    if (call_scatters(c)) return call_count(c, c->root, c->mine);
    return call_count(c, part, call_exchanges(c) ? c->mine : 0);
}

/* Where the part begins, one behind the other; of what none is, all. In elements. */
static inline size_t call_place_in(const struct call *c, int part)
{
    size_t at = 0;
    for (int i = 0; i < part; i++)
        at += call_count_in(c, i);
    return at;
}
static inline size_t call_place_out(const struct call *c, int part)
{
    size_t at = 0;
    for (int i = 0; i < part; i++)
        at += call_count_out(c, i);
    return at;
}

/* Where those with a root may have their input in place, the root alone does. */
static inline int call_in_place(const struct call *c)
{
    const int rooted = c->kind == REDUCE || call_gathers(c) || call_scatters(c);
    return c->in_place && (!rooted || c->mine == c->root);
}

/* Bytes behind which nobody may write: in place, what shares sums has all its input there. */
static inline size_t call_end_out(const struct call *c)
{
    const size_t out = call_place_out(c, call_parts_out(c)), in = call_place_in(c, call_parts_in(c));
    return (call_in_place(c) && call_shares_sums(c) ? in : out) * c->width;
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

/* What is the same at all ranks. The caller has set comm, group, n, mine; and says whether there are
 * neighbours. */
static inline void call_draw(struct call *c, uint64_t *state, int has_edges)
{
    c->kind = (enum kind)(job_random(state) % (has_edges ? KINDS : NEIGHBOR_ALLTOALLV));
    c->form = (enum form)(job_random(state) % 8 < 5 ? NONBLOCKING : job_random(state) % 2);
    if (job_random(state) % 5 == 0) c->form = PERSISTENT;
    c->root = (int)(job_random(state) % (uint64_t)c->n);
    c->in_place = job_random(state) % 3 == 0 && !call_is_beside(c);
    c->salt = job_random(state);
    c->type = &number_types[job_random(state) % NUMBER_TYPES];
    c->op = number_draw_op(c->type, state);
    c->width = call_reduces(c) ? c->type->width : 1;
    const int many =
        call_allgathers(c) || call_gathers(c) || call_scatters(c) || call_exchanges(c) || call_shares_sums(c);
    c->count = call_draw_bytes(state, call_is_beside(c) ? EDGES : many ? c->n : 1) / c->width;
}

static inline void call_allocate(struct call *c)
{
    c->send = malloc(call_place_in(c, call_parts_in(c)) * c->width + GUARD);
    c->recv = malloc(call_end_out(c) + GUARD);
    EXPECT(c->send != NULL && c->recv != NULL);
    for (int r = 0; r < (call_is_beside(c) ? EDGES : c->n); r++) {
        c->counts_in[r] = call_count_in(c, r);
        c->counts_out[r] = call_count_out(c, r);
    }
}

/* Data of a part that rank q moves to rank (or place) `part`. */
static inline uint64_t call_payload(const struct call *c, int q, int part)
{
    return (c->salt & 0xffffff) + (uint64_t)q * 977 + (uint64_t)part * 53;
}

static inline void call_fill(struct call *c)
{
    const size_t end = call_end_out(c);
    const int here = call_in_place(c) && !call_scatters(c);
    unsigned char *input = c->kind == BCAST || here ? c->recv : c->send;
    memset(c->recv, 0xee, end);
    memset(c->recv + end, 0xa5, GUARD);
    if (here && (call_allgathers(c) || call_gathers(c))) input += call_place_out(c, c->mine) * c->width;
    for (int part = 0, i = 0; part < call_parts_in(c); part++) {
        const int to = call_scatters(c) || call_exchanges(c) || call_is_beside(c) ? part : 0;
        const size_t count = call_count_in(c, part);
        if (!call_reduces(c)) payload_fill(input, count * c->width, call_payload(c, c->mine, to));
        for (size_t k = 0; call_reduces(c) && k < count; k++, i++)
            number_store(c->type, input, k, number_of(c->type, c->op, c->salt, c->mine, (size_t)i));
        input += count * c->width;
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
    const void *s = call_in_place(c) && !call_scatters(c) ? TUTTI_IN_PLACE : c->send;
    void *r = call_in_place(c) && call_scatters(c) ? TUTTI_IN_PLACE : c->recv;
    const size_t *in = c->counts_in, *out = c->counts_out;
    const tutti_type byte = TUTTI_UINT8;
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
    case REDUCE_SCATTER_BLOCK: return CALL(c, reduce_scatter_block, c->comm, s, r, k, c->type->type, c->op);
    case REDUCE_SCATTER: return CALL(c, reduce_scatter, c->comm, s, r, in, c->type->type, c->op);
    case ALLGATHERV: return CALL(c, allgatherv, c->comm, s, r, out, NULL, byte);
    case GATHERV: return CALL(c, gatherv, c->comm, s, in[0], r, out, NULL, byte, c->root);
    case SCATTERV: return CALL(c, scatterv, c->comm, s, in, NULL, r, out[0], byte, c->root);
    case ALLTOALLV: return CALL(c, alltoallv, c->comm, s, in, NULL, r, out, NULL, byte);
    case ALLTOALLW: return CALL(c, alltoallw, c->comm, s, in, NULL, r, out, NULL);
    case NEIGHBOR_ALLTOALLV: return CALL(c, neighbor_alltoallv, c->comm, s, in, NULL, r, out, NULL, byte);
    case NEIGHBOR_ALLTOALLW: return CALL(c, neighbor_alltoallw, c->comm, s, in, NULL, r, out, NULL);
    case NEIGHBOR_ALLGATHERV: return CALL(c, neighbor_allgatherv, c->comm, s, in[0], r, out, NULL, byte);
    case NEIGHBOR_ALLTOALL: return CALL(c, neighbor_alltoall, c->comm, s, r, k);
    case NEIGHBOR_ALLGATHER: return CALL(c, neighbor_allgather, c->comm, s, r, k);
    default: return CALL(c, barrier, c->comm);
    }
}

/* Whether a reduction's result is right: of sums that are shared, the elements of the caller's part. */
static inline int call_numbers_are_right(const struct call *c)
{
    const int last = c->kind == SCAN ? c->mine : c->kind == EXSCAN ? c->mine - 1 : c->n - 1;
    const size_t first = call_shares_sums(c) ? call_place_in(c, c->mine) : 0, count = call_count_out(c, 0);
    for (size_t i = 0; i < count; i++) {
        struct number sum = number_of(c->type, c->op, c->salt, 0, first + i);
        for (int q = 1; q <= last; q++)
            sum = number_combine(c->op, sum, number_of(c->type, c->op, c->salt, q, first + i));
        if (!number_is(c->type, c->recv, i, sum)) return 0;
    }
    return 1;
}

/* Whether everything that a finished call gave the caller is right. */
static inline int call_is_right(const struct call *c)
{
    const int parts = call_parts_out(c);
    for (int i = 0; i < GUARD; i++)
        if (c->recv[call_end_out(c) + (size_t)i] != 0xa5) return 0;
    if (c->kind == EXSCAN && c->mine == 0) return 1;    /* not used */
    if (call_scatters(c) && call_in_place(c)) return 1; /* stays in send */
    if (call_reduces(c)) return parts == 0 || call_numbers_are_right(c);
    for (int part = 0; part < parts; part++) {
        const int from = c->kind == BCAST || call_scatters(c) ? c->root
                         : call_is_beside(c)                  ? call_source(c, part)
                                                              : part;
        const int to = call_scatters(c) || call_exchanges(c)            ? c->mine
                       : call_is_beside(c) && !call_tells_all_beside(c) ? part
                                                                        : 0;
        if (!payload_is(c->recv + call_place_out(c, part) * c->width, call_count_out(c, part) * c->width,
                        call_payload(c, from, to)))
            return 0;
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
