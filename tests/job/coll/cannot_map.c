/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no room to map what the others offer in a collective: it reaches that another way, and the
 * others do not notice. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/sanitized.h"

#define BYTES ((size_t)16 << 20)
#define LEFT ((rlim_t)2 << 20) /* of its address space */

static rlim_t address_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_to(rlim_t bytes)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = bytes;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void expect_all(const float *values, size_t count, float value)
{
    for (size_t i = 0; i < count; i++)
        EXPECT(values[i] == value);
}

/* Each of the calls finds the buffers of the one before mapped by all but rank 1. */
static void test_barred(float *memory, float *results)
{
    const size_t count = BYTES / 2 / sizeof *memory, part = count / (size_t)size;
    for (size_t i = 0; i < count; i++)
        memory[i] = 1;
    if (rank == 1) limit_to(address_space() + LEFT);
    OK(tutti_allreduce(world, memory, results, count, TUTTI_FLOAT, TUTTI_SUM));
    OK(tutti_allreduce(world, TUTTI_IN_PLACE, memory, count, TUTTI_FLOAT, TUTTI_SUM));
    if (rank == 1) limit_to(RLIM_INFINITY);
    expect_all(results, count, (float)size);
    expect_all(memory, count, (float)size);
    if (rank == 1) limit_to(address_space() + LEFT);
    OK(tutti_reduce(world, memory, results, count, TUTTI_FLOAT, TUTTI_SUM, size - 1));
    OK(tutti_bcast(world, results, count * sizeof *results, size - 1));
    OK(tutti_allgather(world, results, memory, part * sizeof *memory));
    if (rank == 1) limit_to(RLIM_INFINITY);
    expect_all(results, count, (float)(size * size));
    expect_all(memory, part * (size_t)size, (float)(size * size));
}

int main(void)
{
    void *memory;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(!SANITIZED && job_shares_memory() ? 2 : size + 1); /* elsewhere nothing is mapped */
    OK(tutti_mem_alloc(world, BYTES, &memory));
    memset(memory, 0, BYTES);
    OK(tutti_barrier(world));
    test_barred(memory, (float *)memory + BYTES / 2 / sizeof(float));
    OK(tutti_mem_free(memory));
    return job_close();
}
