/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that call with different sizes: an error at whoever receives the wrong size, nobody hangs, nothing is
 * written beyond the buffer, and the communicator stays usable. It does not where ranks that share windows
 * meet in them in different calls, as the root and its neighbours do: of those of one node that depends on
 * how they go. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/job.h"

static void test_bcast(size_t root_bytes, size_t bytes)
{
    static unsigned char buf[200001];
    memset(buf, rank == 0 ? 1 : 7, sizeof buf);
    const int code = tutti_bcast(world, buf, rank == 0 ? root_bytes : bytes, 0);
    EXPECT(code == 0 || (code == TUTTI_ERR_ARG && strstr(tutti_error_detail(), "different sizes") != NULL));
    EXPECT(rank == 0 || code == TUTTI_ERR_ARG || size > 2); /* of more than two some may pass on what fits */
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
    const char *transport = getenv("TUTTI_TRANSPORT");
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    int neighbours = tutti_comm_size(node) - 1;
    OK(tutti_comm_free(&node));
    OK(tutti_bcast(world, &neighbours, sizeof neighbours, 0));
    return neighbours > 0 && (transport == NULL || strcmp(transport, "fabric") != 0) ? neighbours + 1 : 0;
}

/* By messages: nobody is in a collective any more, which the news of a drop-out would end. */
static void wait_for_all(void)
{
    char byte = 0;
    for (int r = 1; rank == 0 && r < size; r++)
        OK(tutti_recv(world, &byte, 1, r, 1, NULL));
    for (int r = 1; rank == 0 && r < size; r++)
        OK(tutti_send(world, &byte, 1, r, 2));
    if (rank == 0) return;
    OK(tutti_send(world, &byte, 1, 0, 1));
    OK(tutti_recv(world, &byte, 1, 0, 2, NULL));
}

/* A rank may have ended the bcast before another sees that they differ, but nobody ends the barrier. */
static void test_over(size_t root_bytes, size_t bytes, bool may_go_on)
{
    unsigned char buf[128];
    wait_for_all();
    memset(buf, rank == 0 ? 1 : 7, sizeof buf);
    const int code = tutti_bcast(world, buf, rank == 0 ? root_bytes : bytes, 0);
    EXPECT(code == 0 || code == TUTTI_ERR_ARG);
    for (size_t i = bytes; rank != 0 && i < sizeof buf; i++)
        EXPECT(buf[i] == 7);
    const int after = tutti_barrier(world);
    EXPECT(after == TUTTI_ERR_ARG || (may_go_on && after == 0));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    const int around = around_root();
    if (around > 0) {
        test_over(100, 50, around == size);
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
