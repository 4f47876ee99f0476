/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls: ranks that make different calls, in whatever form, all get an error that names two of
 * them and their calls; nobody hangs, and the communicator stays usable. */
#include "tests/job/job.h"

static int64_t in[4], out[64];

/* What ranks but the last call, and what the last one calls; one or the other. */
static int different_roots(int odd)
{
    return tutti_bcast(world, in, 8, odd);
}

static int different_sizes(int odd)
{
    return tutti_allgather(world, in, out, odd ? 8 : 4);
}

static int different_types(int odd)
{
    return tutti_allreduce(world, in, out, 1, odd ? TUTTI_INT64 : TUTTI_DOUBLE, TUTTI_SUM);
}

static int different_operations(int odd)
{
    return tutti_reduce(world, in, out, 2, TUTTI_INT64, odd ? TUTTI_MAX : TUTTI_SUM, 0);
}

static void add(const void *more, void *sum, size_t count, void *context)
{
    const int64_t *from = more;
    int64_t *to = sum;
    (void)context;
    for (size_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* By that ranks choose who sends what to whom. */
static int different_commuting(int odd)
{
    tutti_op *op;
    OK(tutti_op_create(add, odd, NULL, &op));
    const int code = tutti_reduce(world, in, out, 1, TUTTI_INT64, op, 1);
    OK(tutti_op_free(&op));
    return code;
}

static int different_collectives(int odd)
{
    return odd ? tutti_barrier(world) : tutti_bcast(world, in, 8, 0);
}

static int different_parts(int odd)
{
    size_t counts[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    counts[0] += odd ? 0 : 2;
    counts[1] += odd ? 2 : 0; /* as much for all together */
    return tutti_allgatherv(world, in, out, counts, NULL, TUTTI_INT16);
}

static int end(int code, tutti_request **request)
{
    return code != 0 ? code : tutti_wait(request, NULL);
}

static int different_nonblocking(int odd)
{
    tutti_request *request;
    return end(tutti_iallreduce(world, in, out, 1, TUTTI_INT64, odd ? TUTTI_MIN : TUTTI_MAX, &request),
               &request);
}

static int different_forms(int odd)
{
    tutti_request *request;
    if (odd) return tutti_barrier(world);
    return end(tutti_ibarrier(world, &request), &request);
}

static int different_persistent(int odd)
{
    tutti_request *request;
    OK(tutti_bcast_init(world, in, odd ? 8 : 16, 0, &request));
    const int code = end(tutti_start(request), &request);
    OK(tutti_request_free(&request));
    return code;
}

/* Rank 0 sends the last one two bytes, which expects none; in the three forms. The other way round it would
 * be waited for. */
static int different_exchange(int form)
{
    const int last = size - 1;
    size_t sent[16] = {0}, got[16] = {0};
    tutti_request *request;
    if (rank == 0) sent[last] = 1;
    if (form == 0) return tutti_alltoallv(world, in, sent, NULL, out, got, NULL, TUTTI_INT16);
    if (form == 1)
        return end(tutti_ialltoallv(world, in, sent, NULL, out, got, NULL, TUTTI_INT16, &request), &request);
    OK(tutti_alltoallv_init(world, in, sent, NULL, out, got, NULL, TUTTI_INT16, &request));
    const int code = end(tutti_start(request), &request);
    OK(tutti_request_free(&request));
    return code;
}

static int different_gathering(int form)
{
    const size_t counts[16] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    tutti_request *request;
    const size_t mine = rank == size - 1 ? 0 : 3;
    if (form == 0) return tutti_gatherv(world, in, mine, out, counts, NULL, TUTTI_INT8, 0);
    return end(tutti_igatherv(world, in, mine, out, counts, NULL, TUTTI_INT8, 0, &request), &request);
}

/* Along a ring of edges rank 0 sends two bytes, and the next one expects none. */
static int different_edges(int form)
{
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
    const size_t sent = rank == 0 ? 2 : 0, got = 0;
    tutti_comm *ring;
    tutti_request *request;
    OK(tutti_comm_graph(world, &before, NULL, 1, &next, NULL, 1, &ring));
    int code = form == 0   ? tutti_neighbor_alltoallw(ring, in, &sent, NULL, out, &got, NULL)
               : form == 1 ? tutti_ineighbor_allgatherv(ring, in, sent, out, &got, NULL, TUTTI_INT8, &request)
                           : tutti_neighbor_alltoall_init(ring, in, out, rank == 0 ? 2 : 4, &request);
    if (form == 1) code = end(code, &request);
    if (form == 2) code = end(tutti_start(request), &request);
    if (form == 2) OK(tutti_request_free(&request));
    OK(tutti_comm_free(&ring));
    return code;
}

/* Two edges from rank 0 to the last one, along which as much goes together as is expected. */
static int exchanged_edges(int form)
{
    const int first[] = {0, 0}, last[] = {size - 1, size - 1};
    const size_t sent[] = {2, form == 0 ? 0 : 1}, got[] = {form == 0 ? 0 : 1, 2};
    const int sources = rank == size - 1 ? 2 : 0, targets = rank == 0 ? 2 : 0;
    tutti_comm *pair;
    OK(tutti_comm_graph(world, first, NULL, sources, last, NULL, targets, &pair));
    const int code = tutti_neighbor_alltoallv(pair, in, sent, NULL, out, got, NULL, TUTTI_INT8);
    OK(tutti_barrier(pair));
    OK(tutti_comm_free(&pair));
    return code;
}

static void expect_parts_named(int (*call)(int form), int form, const char *why)
{
    REFUSED(call(form), why);
}

static void test_parts_of_each(void)
{
    char exchange[120], gathering[120];
    snprintf(exchange, sizeof exchange, "tutti_alltoallv: rank 0 sends 2 bytes to rank %d, which expects 0",
             size - 1);
    snprintf(gathering, sizeof gathering, "tutti_gatherv: rank %d sends 0 bytes to rank 0, which expects 3",
             size - 1);
    for (int form = 0; form < 3; form++) {
        expect_parts_named(different_exchange, form, exchange);
        expect_parts_named(different_edges, form,
                           form == 0 ? "neighbor_alltoallw: rank 0 sends 2 bytes to rank 1, which expects 0"
                           : form == 1
                               ? "neighbor_allgatherv: rank 0 sends 2 bytes to rank 1, which expects 0"
                               : "tutti_neighbor_alltoall_init of 2 bytes, rank 1 tutti_neighbor_");
        if (form == 2) continue;
        expect_parts_named(different_gathering, form, gathering);
        expect_parts_named(exchanged_edges, form, "of it, but not along the same edges");
    }
}

static void expect_named(int (*call)(int odd), const char *mine, const char *theirs)
{
    const int odd = rank == size - 1;
    char other[32];
    snprintf(other, sizeof other, ", rank %d tutti_", size - 1);
    EXPECT(call(odd) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "rank 0 tutti_") != NULL &&
           strstr(tutti_error_detail(), other) != NULL);
    EXPECT(strstr(tutti_error_detail(), mine) != NULL && strstr(tutti_error_detail(), theirs) != NULL);
}

/* Calls that agree go through, several under way at once. */
static void expect_usable(void)
{
    tutti_request *requests[2];
    int64_t sum = 0, most = 0;
    const int64_t mine = rank;
    OK(tutti_iallreduce(world, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM, &requests[0]));
    OK(tutti_iallreduce(world, &mine, &most, 1, TUTTI_INT64, TUTTI_MAX, &requests[1]));
    OK(tutti_barrier(world));
    OK(tutti_waitall(2, requests, NULL));
    EXPECT(sum == (int64_t)size * (size - 1) / 2 && most == size - 1);
}

int main(void)
{
    static const char *const set[] = {"TUTTI_VERIFY=calls", NULL};
    job_open_with(&(tutti_options){.set = set});
    job_need(2);
    expect_usable();
    expect_named(different_roots, "tutti_bcast of 8 bytes, root 0", "tutti_bcast of 8 bytes, root 1");
    expect_named(different_sizes, "tutti_allgather of 4 bytes", "tutti_allgather of 8 bytes");
    expect_named(different_types, "(double, sum)", "(int64, sum)");
    expect_named(different_operations, "of 16 bytes (int64, sum), root 0", "(int64, max)");
    expect_named(different_commuting, "(int64, user operation that does not commute)",
                 "(int64, user operation)");
    expect_named(different_collectives, "tutti_bcast", "tutti_barrier");
    if (size <= 8) expect_named(different_parts, "tutti_allgatherv of ", " bytes in parts numbered ");
    test_parts_of_each();
    expect_named(different_nonblocking, "tutti_iallreduce of 8 bytes (int64, max)", "(int64, min)");
    expect_named(different_forms, "tutti_ibarrier", "tutti_barrier");
    expect_named(different_persistent, "tutti_bcast_init of 16 bytes", "tutti_bcast_init of 8 bytes");
    expect_usable();
    return job_close();
}
