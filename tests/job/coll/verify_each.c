/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls, of every collective in its three forms, on the world, on its ranks backwards and on
 * parts of them: where the first rank, one in the middle or the last makes another call all get an error that
 * names two ranks and what they do, and the communicator stays usable. */
#include "tests/job/coll/forms.h"

#define MOST_RANKS 16

typedef struct {
    tutti_comm *comm, *ring; /* each with edges to the next rank and from the one before */
    int rank, size, odd;     /* in both */
    enum form form;
    size_t count; /* of elements of 8 bytes; 2 at the odd rank, else 1 */
    int peer;     /* to whom the odd one sends that */
    size_t same[MOST_RANKS], sent[MOST_RANKS], one[MOST_RANKS];
} trial;

static int64_t in[2 * MOST_RANKS], out[2 * MOST_RANKS];

#define CALL(name, ...)                                                                                      \
    static int call_##name(const trial *t)                                                                   \
    {                                                                                                        \
        tutti_request *request = NULL;                                                                       \
        int code = 0;                                                                                        \
        if (t->form == BLOCKING) return tutti_##name(__VA_ARGS__);                                           \
        if (t->form == NONBLOCKING) {                                                                        \
            code = tutti_i##name(__VA_ARGS__, &request);                                                     \
            return code != 0 ? code : tutti_wait(&request, NULL);                                            \
        }                                                                                                    \
        OK(tutti_##name##_init(__VA_ARGS__, &request));                                                      \
        code = tutti_start(request);                                                                         \
        if (code == 0) code = tutti_wait(&request, NULL);                                                    \
        OK(tutti_request_free(&request));                                                                    \
        return code;                                                                                         \
    }
#define SUMS TUTTI_INT64, TUTTI_SUM
#define BYTES (t->count * 8)

CALL(barrier, t->comm)
CALL(bcast, t->comm, in, BYTES, 0)
CALL(reduce, t->comm, in, out, t->count, SUMS, 0)
CALL(allreduce, t->comm, in, out, t->count, SUMS)
CALL(allgather, t->comm, in, out, BYTES)
CALL(gather, t->comm, in, out, BYTES, t->size - 1)
CALL(scatter, t->comm, in, out, BYTES, t->size / 2)
CALL(alltoall, t->comm, in, out, BYTES)
CALL(scan, t->comm, in, out, t->count, SUMS)
CALL(exscan, t->comm, in, out, t->count, SUMS)
CALL(reduce_scatter_block, t->comm, in, out, t->count, SUMS)
CALL(allgatherv, t->comm, in, out, t->same, NULL, TUTTI_INT64)
CALL(reduce_scatter, t->comm, in, out, t->same, SUMS)
CALL(neighbor_allgather, t->ring, in, out, BYTES)
CALL(neighbor_alltoall, t->ring, in, out, BYTES)
CALL(alltoallv, t->comm, in, t->sent, NULL, out, t->one, NULL, TUTTI_INT64)
CALL(alltoallw, t->comm, in, t->sent, NULL, out, t->one, NULL)
CALL(gatherv, t->comm, in, t->count, out, t->one, NULL, TUTTI_INT64, t->peer)
CALL(scatterv, t->comm, in, t->sent, NULL, out, 1, TUTTI_INT64, t->odd)
CALL(neighbor_allgatherv, t->ring, in, t->count, out, t->one, NULL, TUTTI_INT64)
CALL(neighbor_alltoallv, t->ring, in, &t->count, NULL, out, t->one, NULL, TUTTI_INT64)
CALL(neighbor_alltoallw, t->ring, in, &t->count, NULL, out, t->one, NULL)

/* Which of its calls the odd rank makes is told by sizes; of a barrier, which has none, by another call. */
static int call_of_odd(const trial *t)
{
    return t->rank == t->odd ? call_bcast(t) : call_barrier(t);
}

/* Of what the others do not know of a rank the bytes of an element are told; 0: all know all. */
static const struct {
    const char *name, *of_odd;
    int (*call)(const trial *t);
    int element;
} collectives[] = {
    {"barrier", "bcast", call_of_odd, 0},
    {"bcast", "bcast", call_bcast, 0},
    {"reduce", "reduce", call_reduce, 0},
    {"allreduce", "allreduce", call_allreduce, 0},
    {"allgather", "allgather", call_allgather, 0},
    {"gather", "gather", call_gather, 0},
    {"scatter", "scatter", call_scatter, 0},
    {"alltoall", "alltoall", call_alltoall, 0},
    {"scan", "scan", call_scan, 0},
    {"exscan", "exscan", call_exscan, 0},
    {"reduce_scatter_block", "reduce_scatter_block", call_reduce_scatter_block, 0},
    {"allgatherv", "allgatherv", call_allgatherv, 0},
    {"reduce_scatter", "reduce_scatter", call_reduce_scatter, 0},
    {"neighbor_allgather", "neighbor_allgather", call_neighbor_allgather, 0},
    {"neighbor_alltoall", "neighbor_alltoall", call_neighbor_alltoall, 0},
    {"alltoallv", NULL, call_alltoallv, 8},
    {"alltoallw", NULL, call_alltoallw, 1},
    {"gatherv", NULL, call_gatherv, 8},
    {"scatterv", NULL, call_scatterv, 8},
    {"neighbor_allgatherv", NULL, call_neighbor_allgatherv, 8},
    {"neighbor_alltoallv", NULL, call_neighbor_alltoallv, 8},
    {"neighbor_alltoallw", NULL, call_neighbor_alltoallw, 1},
};
#define COLLECTIVES (sizeof collectives / sizeof collectives[0])

static void name_call(const trial *t, int r, const char *name, char *text, size_t room)
{
    snprintf(text, room, "rank %d tutti_%s%s%s", r, t->form == NONBLOCKING ? "i" : "", name,
             t->form == PERSISTENT ? "_init" : "");
}

/* The first rank, and the first that does not do what it does. */
static void expect_calls_named(const trial *t, size_t collective)
{
    const char *name = collectives[collective].name, *of_odd = collectives[collective].of_odd;
    char first[64], other[64];
    name_call(t, 0, t->odd == 0 ? of_odd : name, first, sizeof first);
    name_call(t, t->odd == 0 ? 1 : t->odd, t->odd == 0 ? name : of_odd, other, sizeof other);
    EXPECT(strstr(tutti_error_detail(), first) != NULL && strstr(tutti_error_detail(), other) != NULL);
}

static void expect_parts_named(const trial *t, size_t collective)
{
    const int element = collectives[collective].element;
    char text[160];
    snprintf(text, sizeof text, "tutti_%s: rank %d sends %d bytes to rank %d, which expects %d of it",
             collectives[collective].name, t->odd, 2 * element, t->peer, element);
    EXPECT(strstr(tutti_error_detail(), text) != NULL);
}

static void expect_usable(const trial *t)
{
    const int64_t mine = t->rank;
    int64_t sum = 0;
    OK(tutti_allreduce(t->comm, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (int64_t)t->size * (t->size - 1) / 2);
}

static void test_odd(trial *t)
{
    t->count = t->rank == t->odd ? 2 : 1;
    t->peer = (t->odd + 1) % t->size;
    for (int r = 0; r < MOST_RANKS; r++) {
        t->same[r] = t->count;
        t->sent[r] = r == t->peer ? t->count : 1;
        t->one[r] = 1;
    }
    for (size_t c = 0; c < COLLECTIVES; c++)
        for (t->form = BLOCKING; t->form < FORMS; t->form++) {
            EXPECT(collectives[c].call(t) == TUTTI_ERR_ARG);
            if (collectives[c].element == 0)
                expect_calls_named(t, c);
            else
                expect_parts_named(t, c);
            expect_usable(t);
        }
}

static void test_on(tutti_comm *comm)
{
    trial t = {.comm = comm, .rank = tutti_comm_rank(comm), .size = tutti_comm_size(comm)};
    const int before = (t.rank + t.size - 1) % t.size, next = (t.rank + 1) % t.size;
    if (t.size == 1) return;
    OK(tutti_comm_graph(comm, &before, NULL, 1, &next, NULL, 1, &t.ring));
    const int odd[] = {0, t.size / 2, t.size - 1};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        t.odd = odd[i];
        test_odd(&t);
    }
    OK(tutti_comm_free(&t.ring));
}

int main(void)
{
    static const char *const set[] = {"TUTTI_VERIFY=calls", NULL};
    job_open_with(&(tutti_options){.set = set});
    job_need(2);
    EXPECT(size <= MOST_RANKS);
    on_communicators(test_on);
    return job_close();
}
