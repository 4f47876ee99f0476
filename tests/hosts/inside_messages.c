/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of one host pass no message to each other in collectives of a job over several hosts, in none of the
 * three forms, where the host's shared memory serves them; and one from host to host where their parts share
 * messages.
 * The results are looked at as well, with several operations under way at once, more of them than there are
 * windows. */
#include "tests/job/inside.h"
#include "tests/job/job.h"

#define MOST_BYTES ((size_t)1 << 20)
#define MANY 6

/* Of each rank of the grid; that of its source i sends to it as to target i ^ 1. */
#define NEIGHBOURS 4

enum form { FORM_BLOCKING, FORM_NONBLOCKING, FORM_PERSISTENT, FORMS };

typedef struct {
    int64_t *in, *out;
    size_t count; /* of each rank's contribution */
    int root;
    size_t *counts;  /* of all ranks', and neighbours' */
    size_t *nowhere; /* [size] each at 0 */
} call;

static tutti_comm *grid;

typedef int start_fn(tutti_comm *comm, const call *c, enum form form, tutti_request **request);

#define START(collective, ...)                                                                               \
    static int start_##collective(tutti_comm *comm, const call *c, enum form form, tutti_request **request)  \
    {                                                                                                        \
        (void)c;                                                                                             \
        if (form == FORM_BLOCKING) return tutti_##collective(__VA_ARGS__);                                   \
        if (form == FORM_NONBLOCKING) return tutti_i##collective(__VA_ARGS__, request);                      \
        return tutti_##collective##_init(__VA_ARGS__, request);                                              \
    }

START(barrier, comm)
START(bcast, comm, c->out, c->count * sizeof(int64_t), c->root)
START(reduce, comm, c->in, c->out, c->count, TUTTI_INT64, TUTTI_SUM, c->root)
START(allreduce, comm, c->in, c->out, c->count, TUTTI_INT64, TUTTI_SUM)
START(allgather, comm, c->in, c->out, c->count * sizeof(int64_t))
START(gatherv, comm, c->in, c->count, c->out, c->counts, NULL, TUTTI_INT64, c->root)
START(alltoallv, comm, c->in, c->counts, c->nowhere, c->out, c->counts, NULL, TUTTI_INT64)

START(neighbor_allgather, comm, c->in, c->out, c->count * sizeof(int64_t))
START(neighbor_alltoall, comm, c->in, c->out, c->count * sizeof(int64_t))
START(neighbor_allgatherv, comm, c->in, c->count, c->out, c->counts, NULL, TUTTI_INT64)
START(neighbor_alltoallv, comm, c->in, c->counts, NULL, c->out, c->counts, NULL, TUTTI_INT64)

static int64_t element(int of, size_t i)
{
    return (int64_t)of * 1000003 + (int64_t)i;
}

static int64_t sum(size_t i)
{
    return (int64_t)size * (size - 1) / 2 * 1000003 + (int64_t)size * (int64_t)i;
}

static void right_root(const call *c)
{
    for (size_t i = 0; i < c->count; i++)
        EXPECT(c->out[i] == element(c->root, i));
}
static void right_sum(const call *c)
{
    for (size_t i = 0; i < c->count; i++)
        EXPECT(c->out[i] == sum(i));
}
static void right_sum_at_root(const call *c)
{
    if (rank == c->root) right_sum(c);
}
static void right_each(const call *c)
{
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < c->count; i++)
            EXPECT(c->out[(size_t)r * c->count + i] == element(r, i));
}
static void right_each_at_root(const call *c)
{
    if (rank == c->root) right_each(c);
}
static void right_neighbours(const call *c, bool whole)
{
    int sources[NEIGHBOURS];
    EXPECT(tutti_comm_sources(grid, sources, NULL, NEIGHBOURS) == NEIGHBOURS);
    for (int s = 0; s < NEIGHBOURS; s++)
        for (size_t i = 0; i < c->count; i++)
            EXPECT(c->out[(size_t)s * c->count + i] ==
                   element(sources[s], (whole ? 0 : (size_t)(s ^ 1) * c->count) + i));
}
static void right_whole(const call *c)
{
    right_neighbours(c, true);
}
static void right_parts(const call *c)
{
    right_neighbours(c, false);
}
static void right_anyway(const call *c)
{
    (void)c;
}

static const struct {
    const char *name;
    start_fn *start;
    void (*right)(const call *);
    size_t most;   /* bytes of a contribution that goes without messages */
    size_t joined; /* bytes of one that goes with those of others in one message from host to host */
    bool on_grid;
} collectives[] = {
    {"barrier", start_barrier, right_anyway, SIZE_MAX, 0, false},
    {"bcast", start_bcast, right_root, SIZE_MAX, 0, false},
    {"reduce", start_reduce, right_sum_at_root, SIZE_MAX, 0, false},
    {"allreduce", start_allreduce, right_sum, SIZE_MAX, 0, false},
    {"allgather", start_allgather, right_each, SIZE_MAX, 0, false},
    {"gatherv", start_gatherv, right_each_at_root, (size_t)64 << 10, 64, false},
    {"alltoallv", start_alltoallv, right_each, (size_t)8 << 10, 64, false},
    {"neighbor_allgather", start_neighbor_allgather, right_whole, (size_t)64 << 10, SIZE_MAX, true},
    {"neighbor_alltoall", start_neighbor_alltoall, right_parts, (size_t)8 << 10, SIZE_MAX, true},
    {"neighbor_allgatherv", start_neighbor_allgatherv, right_whole, (size_t)8 << 10, 800, true},
    {"neighbor_alltoallv", start_neighbor_alltoallv, right_parts, (size_t)8 << 10, 800, true}};
#define COLLECTIVES ((int)(sizeof collectives / sizeof collectives[0]))

static call open_call(size_t count, int root)
{
    const size_t blocks = size > NEIGHBOURS ? (size_t)size : NEIGHBOURS;
    call c = {malloc(count * NEIGHBOURS * sizeof(int64_t)),
              malloc(count * blocks * sizeof(int64_t)),
              count,
              root,
              malloc(blocks * sizeof(size_t)),
              calloc((size_t)size, sizeof(size_t))};
    EXPECT(c.in != NULL && c.out != NULL && c.counts != NULL && c.nowhere != NULL);
    for (size_t r = 0; r < blocks; r++)
        c.counts[r] = count;
    for (size_t i = 0; i < NEIGHBOURS * count; i++)
        c.in[i] = element(rank, i);
    return c;
}

static void prepare(const call *c)
{
    memset(c->out, 0, c->count * (size_t)size * sizeof(int64_t));
    if (rank == c->root) memcpy(c->out, c->in, c->count * sizeof(int64_t));
}

/* MANY calls under way at once, of different sizes, so that they use windows of both kinds. */
static void run(tutti_comm *comm, int collective, enum form form, size_t count)
{
    call calls[MANY];
    tutti_request *requests[MANY] = {NULL};
    for (int k = 0; k < MANY; k++) {
        calls[k] = open_call(k % 2 == 0 ? count : 1 + (size_t)k, k % size);
        prepare(&calls[k]);
        OK(collectives[collective].start(comm, &calls[k], form, &requests[k]));
        if (form == FORM_PERSISTENT) OK(tutti_start(requests[k]));
    }
    for (int k = MANY - 1; k >= 0; k--) {
        if (form != FORM_BLOCKING) OK(tutti_wait(&requests[k], NULL));
        if (form == FORM_PERSISTENT) OK(tutti_request_free(&requests[k]));
        collectives[collective].right(&calls[k]);
        free(calls[k].in);
        free(calls[k].out);
        free(calls[k].counts);
        free(calls[k].nowhere);
    }
}

static int ranks_on(int host)
{
    int ranks = 0;
    for (int r = 0; r < size; r++)
        ranks += tti_pmi_node_of(r) == host;
    return ranks;
}

/* Of a call, from all ranks of this host: one to each other, but where on one of both a rank is alone, and
 * has nobody to share a message with, unless they are on a grid. */
static int64_t most_messages(bool on_grid)
{
    const int own = tti_pmi_node_of(rank), here = ranks_on(own);
    int64_t messages = 0;
    for (int host = 0, there; (there = ranks_on(host)) > 0; host++)
        if (host != own) messages += on_grid || (here > 1 && there > 1) ? 1 : here * there;
    return messages;
}

static void expect_joined(tutti_comm *node, long sent, bool on_grid)
{
    int64_t mine = sent, all;
    OK(tutti_allreduce(node, &mine, &all, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(all <= FORMS * MANY * most_messages(on_grid));
}

static void count_messages(tutti_comm *comm, tutti_comm *node, int collective, size_t count)
{
    const long in_before = inside, out_before = outside;
    if (count * sizeof(int64_t) > collectives[collective].most) return;
    for (int form = 0; form < FORMS; form++)
        run(comm, collective, (enum form)form, count);
    if (count * sizeof(int64_t) <= collectives[collective].joined)
        expect_joined(node, outside - out_before, collectives[collective].on_grid);
    if (inside == in_before) return;
    fprintf(stderr, "rank %d: %ld messages inside the host in %s of %zu elements\n", rank, inside - in_before,
            collectives[collective].name, count);
    tutti_abort(1, "a test failed");
}

/* The wrapper counts: messages of the user's to a neighbour. */
static void test_counter(tutti_comm *node)
{
    const long before = inside;
    const int here = tutti_comm_size(node), place = tutti_comm_rank(node);
    char out = 1, in;
    OK(tutti_sendrecv(node, &out, 1, (place + 1) % here, 7, &in, 1, (place + here - 1) % here, 7, NULL));
    EXPECT(inside == before + 1);
}

int main(void)
{
    static const size_t counts[] = {1, 100, 1000, 8192, MOST_BYTES / sizeof(int64_t)};
    tutti_comm *node, *dup;
    job_open(TUTTI_THREAD_SINGLE);
    OK(tutti_comm_split_node(world, &node));
    OK(tutti_comm_dup(world, &dup));
    OK(tutti_comm_grid(world, 2, (const int[]){0, 0}, (const int[]){1, 1}, 0, &grid));
    test_counter(node);
    for (int c = 0; c < COLLECTIVES; c++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            count_messages(collectives[c].on_grid ? grid : i % 2 == 0 ? world : dup, node, c, counts[i]);
    OK(tutti_comm_free(&grid));
    OK(tutti_comm_free(&dup));
    OK(tutti_comm_free(&node));
    return job_close();
}
