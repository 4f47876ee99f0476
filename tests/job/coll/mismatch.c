/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that call with different sizes: an error at whoever receives the wrong size, nobody hangs, nothing is
 * written beyond the buffer, and the communicator stays usable. It does not where ranks that share windows
 * meet in them in different calls, as the root and its neighbours do: of those of one node that depends on
 * how they go. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/coll/told.h"

static void test_bcast(size_t root_bytes, size_t bytes)
{
    static unsigned char buf[200001];
    memset(buf, rank == 0 ? 1 : 7, sizeof buf);
    const int code = tutti_bcast(world, buf, rank == 0 ? root_bytes : bytes, 0);
    EXPECT(code == 0 || (code == TUTTI_ERR_ARG && strstr(tutti_error_detail(), "different sizes") != NULL &&
                         strstr(tutti_error_detail(), "TUTTI_VERIFY=calls") != NULL));
    expect_told(code, 0); /* of more than two some may pass on what fits */
    for (size_t i = bytes; rank != 0 && i < sizeof buf; i++)
        EXPECT(buf[i] == 7);
    OK(tutti_barrier(world));
}

static void test_usable(void)
{
    int64_t sum = 0;
    OK(tutti_allreduce(world, &(int64_t){rank}, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (int64_t)size * (size - 1) / 2);
}

/* How many ranks share windows with the root, itself among them, unless it is alone. */
static int around_root(void)
{
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    int neighbours = tutti_comm_size(node) - 1;
    OK(tutti_comm_free(&node));
    OK(tutti_bcast(world, &neighbours, sizeof neighbours, 0));
    return neighbours > 0 && !job_is_by_fabric() ? neighbours + 1 : 0;
}

/* On a communicator that is over then. A rank may have ended the bcast before another sees that they differ,
 * but nobody ends the barrier. Where all share memory, each sees what the root shows. */
static void test_over(size_t root_bytes, size_t bytes, bool all_share, bool first_call)
{
    unsigned char buf[128];
    tutti_comm *comm;
    OK(tutti_comm_dup(world, &comm));
    if (!first_call) OK(tutti_barrier(comm));
    OK(tutti_barrier(world)); /* nobody is in that barrier any more, which the news of a drop-out would end */
    memset(buf, rank == 0 ? 1 : 7, sizeof buf);
    const int code = tutti_bcast(comm, buf, rank == 0 ? root_bytes : bytes, 0);
    expect_told(code, 0);
    EXPECT(code == TUTTI_ERR_ARG || (code == 0 && (rank == 0 || !all_share)));
    for (size_t i = bytes; rank != 0 && i < sizeof buf; i++)
        EXPECT(buf[i] == 7);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    const int around = around_root();
    if (around > 0) {
        for (int first_call = 0; first_call < 2; first_call++) {
            test_over(100, 50, around == size, first_call != 0);
            test_over(50, 100, around == size, first_call != 0);
        }
        test_usable();
        return job_close();
    }
    test_bcast(100, 50);
    test_bcast(50, 100);
    test_usable();
    if (size == 2) { /* one algorithm for both sizes, whatever it is */
        test_bcast(200000, 100000);
        test_bcast(100000, 200000);
        test_usable();
    }
    return job_close();
}
