/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks to which the kernel refuses copies from and to other processes when the job has long begun: all of
 * them to some ranks (as where a process may not be dumped any more), or with the error that it has for some
 * memory (of a device, memfd_secret). Messages, collectives and windows go another way, and the other ranks
 * go on copying. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "tests/deny.h"
#include "tests/job/job.h"

#define MOST 150000 /* elements */

static const size_t counts[] = {1, 4000, 20000, MOST};
static int64_t *input, *output;

static void refuse_copies(int error)
{
    if (!deny(SYS_process_vm_readv, error) || !deny(SYS_process_vm_writev, error))
        fprintf(stderr, "no seccomp filters here: nothing is refused\n");
}

static void fill(int64_t *values, size_t count, int of_rank)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (int64_t)i * (of_rank + 1);
}

static void expect_of(const int64_t *values, size_t count, int64_t factor)
{
    for (size_t i = 0; i < count; i++)
        EXPECT(values[i] == (int64_t)i * factor);
}

static void test_reductions(size_t count)
{
    const int64_t all = (int64_t)size * (size + 1) / 2;
    fill(input, count, rank);
    OK(tutti_allreduce(world, input, output, count, TUTTI_INT64, TUTTI_SUM));
    expect_of(output, count, all);
    OK(tutti_allreduce(world, TUTTI_IN_PLACE, input, count, TUTTI_INT64, TUTTI_SUM));
    expect_of(input, count, all);
    for (int root = 0; root<size; root += size> 4 ? 3 : 1) {
        fill(input, count, rank);
        OK(tutti_reduce(world, input, output, count, TUTTI_INT64, TUTTI_SUM, root));
        if (rank == root) expect_of(output, count, all);
        expect_of(input, count, rank + 1);
    }
}

static void test_movements(size_t count)
{
    for (int root = 0; root<size; root += size> 4 ? 3 : 1) {
        fill(output, count, rank == root ? root : 1000);
        OK(tutti_bcast(world, output, count * sizeof *output, root));
        expect_of(output, count, root + 1);
    }
    fill(input, count, rank);
    OK(tutti_allgather(world, input, output, count * sizeof *input));
    for (int r = 0; r < size; r++)
        expect_of(output + (size_t)r * count, count, r + 1);
    memset(input, -1, count * sizeof *input);
    OK(tutti_scatter(world, output, input, count * sizeof *input, size - 1));
    expect_of(input, count, rank + 1);
    memset(output, -1, (size_t)size * count * sizeof *output);
    OK(tutti_gather(world, input, output, count * sizeof *input, 0));
    for (int r = 0; rank == 0 && r < size; r++)
        expect_of(output + (size_t)r * count, count, r + 1);
}

static void test_messages(size_t count)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    const size_t bytes = count * sizeof *input;
    fill(input, count, rank);
    OK(tutti_sendrecv(world, input, bytes, next, 1, output, bytes, before, 1, NULL));
    expect_of(output, count, before + 1);
}

static void test_windows(tutti_window *window, size_t count)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    const size_t bytes = count * sizeof *input;
    fill(input, count, rank);
    OK(tutti_barrier(world));
    OK(tutti_put(window, input, bytes, next, 0, NULL));
    OK(tutti_flush(window, next));
    OK(tutti_barrier(world));
    expect_of(output, count, before + 1);
    fill(input, count, 1000);
    OK(tutti_get(window, input, bytes, next, 0, NULL));
    OK(tutti_flush(window, next));
    expect_of(input, count, rank + 1);
    OK(tutti_barrier(world));
}

static void test_all(tutti_window *window)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        test_reductions(counts[i]);
        test_movements(counts[i]);
        test_messages(counts[i]);
        test_windows(window, counts[i]);
    }
}

int main(void)
{
    tutti_window *window;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(job_shares_memory() ? 2 : size + 1); /* elsewhere nothing is copied so */
    input = malloc(MOST * sizeof *input);
    output = malloc((size_t)size * MOST * sizeof *output);
    EXPECT(input != NULL && output != NULL);
    OK(tutti_window_create(world, output, MOST * sizeof *output, &window));
    test_all(window);
    if (rank % 3 == 1) refuse_copies(EPERM);
    if (rank % 3 == 2) refuse_copies(EFAULT);
    test_all(window);
    if (rank == 0) refuse_copies(EFAULT);
    test_all(window);
    OK(tutti_window_free(&window));
    free(input);
    free(output);
    return job_close();
}
