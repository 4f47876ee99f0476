/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows on memory that is not there: refused where they are made, and where it is unmapped later an error
 * at who reads it. */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/job/job.h"

/* What is mapped meanwhile goes to the end of a hole, so its beginning stays one. */
#define HOLE ((size_t)64 << 20)
#define OFFSET 16

static void expect_refused(void *base, size_t bytes)
{
    static char fine[64];
    tutti_window *window;
    const int last = size - 1, mine = rank == last;
    EXPECT(tutti_window_create(world, mine ? base : fine, mine ? bytes : sizeof fine, &window) ==
           TUTTI_ERR_ARG);
    char words[64] = "nothing is mapped";
    if (!mine) snprintf(words, sizeof words, "rank %d could not make its part", last);
    EXPECT(strstr(tutti_error_detail(), words) != NULL);
}

static void check_made(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *ahead = job_map(HOLE);
    OK(munmap(ahead + page, HOLE - page));
    expect_refused((void *)0x1000, 64);
    expect_refused(ahead, page + 1);
    expect_refused(ahead, PTRDIFF_MAX);
    OK(munmap(ahead, page));
}

static void expect_error(int code)
{
    char words[64];
    snprintf(words, sizeof words, "8 bytes at offset %d of the window of rank %d", OFFSET, size - 1);
    REFUSED(code, words);
}

static void read_hole(tutti_window *window)
{
    char here[8];
    tutti_request *request;
    expect_error(tutti_get(window, here, sizeof here, size - 1, OFFSET, NULL));
    OK(tutti_get(window, here, sizeof here, size - 1, OFFSET, &request));
    expect_error(tutti_wait(&request, NULL));
    EXPECT(request == NULL);
    OK(tutti_flush(window, TUTTI_ALL));
}

/* Where memory is shared a read of what is not there is a SIGSEGV, as within a program. */
static int shares_memory_with_last(void)
{
    const int32_t mine = rank;
    int32_t last = 0;
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    OK(tutti_allreduce(node, &mine, &last, 1, TUTTI_INT32, TUTTI_MAX));
    OK(tutti_comm_free(&node));
    return last == size - 1 && !job_is_by_fabric();
}

/* Others than the reader take no harm. */
static void check_unmapped(void)
{
    const int apart = !shares_memory_with_last();
    char *hole = job_map(HOLE), here[8];
    tutti_window *window;
    OK(tutti_window_create(world, hole, HOLE, &window));
    OK(tutti_barrier(world));
    if (rank == size - 1) OK(munmap(hole, HOLE));
    OK(tutti_barrier(world));
    if (apart && rank != size - 1) read_hole(window);
    if (rank == size - 1) OK(tutti_get(window, here, sizeof here, 0, OFFSET, NULL));
    OK(tutti_window_free(&window));
    if (rank != size - 1) OK(munmap(hole, HOLE));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    check_made();
    if (!job_shares_memory() && size > 1) check_unmapped();
    return job_close();
}
