/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no room to map what the others offer in a collective: the call ends with that error at
 * every rank, nobody takes it for dead, and messages go on. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

#define BYTES ((size_t)16 << 20)
#define LEFT ((rlim_t)2 << 20) /* of its address space */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAPS 0 /* a sanitizer needs more address space than there is */
#else
#define MAPS 1
#endif

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

/* To the next rank, from the one before. */
static void pass_message(void)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    int got = -1;
    OK(tutti_sendrecv(world, &rank, sizeof rank, next, 1, &got, sizeof got, before, 1, NULL));
    EXPECT(got == before);
}

static void test_barred(tutti_comm *comm, float *memory)
{
    if (rank == 1) limit_to(address_space() + LEFT);
    const int code =
        tutti_allreduce(comm, TUTTI_IN_PLACE, memory, BYTES / sizeof *memory, TUTTI_FLOAT, TUTTI_SUM);
    if (rank == 1) limit_to(RLIM_INFINITY);
    EXPECT(code == TUTTI_ERR_NO_MEMORY);
    if (rank != 1) EXPECT(strstr(tutti_error_detail(), "rank 1 ") != NULL);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_NO_MEMORY);
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    tutti_comm *comm;
    void *memory;
    int64_t sum = 0;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(MAPS && job_shares_memory() ? 2 : size + 1); /* elsewhere nothing is mapped */
    OK(tutti_mem_alloc(world, BYTES, &memory));
    memset(memory, 0, BYTES);
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_barrier(comm));
    test_barred(comm, memory);
    pass_message();
    OK(tutti_allreduce(world, &(int64_t){rank}, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (int64_t)size * (size - 1) / 2);
    OK(tutti_mem_free(memory));
    return job_close();
}
