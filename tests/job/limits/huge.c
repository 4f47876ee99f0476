/* SPDX-License-Identifier: BSD-3-Clause */
/* More than 2^31 bytes, or elements, in one call, and parts that lie beyond 2^32: no count or place is cut to
 * 32 bits on any way. Each word of the data is its own, so that what comes to a wrong place shows. */
#include <stdbool.h>
#include <sys/mman.h>

#include "tests/job/job.h"

#define RANKS 2
#define LONG (((size_t)1 << 31) + 7)
#define FAR (((size_t)1 << 32) + 9)
#define PART 1000
#define TAG 1
#define NEEDED_KB (12L << 20) /* of memory that can be had */

static unsigned char *mine, *other;

static void need_memory(void)
{
    char line[100];
    long available = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %ld", &available) == 1) break;
    if (file != NULL) fclose(file);
    int enough = available >= NEEDED_KB, all;
    OK(tutti_allreduce(world, &enough, &all, 1, TUTTI_INT32, TUTTI_MIN));
    if (all) return;
    if (rank == 0) fprintf(stderr, "%ld KiB of memory are free, %ld are needed\n", available, NEEDED_KB);
    OK(tutti_finalize());
    exit(77);
}

static uint64_t word(size_t i, int seed)
{
    return i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)seed;
}

static void fill(unsigned char *at, int seed)
{
    for (size_t i = 0; i < LONG / 8; i++)
        ((uint64_t *)(void *)at)[i] = word(i, seed);
    for (size_t i = LONG / 8 * 8; i < LONG; i++)
        at[i] = (unsigned char)(seed + (int)(i % 8));
}

static bool holds(const unsigned char *at, int seed)
{
    for (size_t i = 0; i < LONG / 8; i++)
        if (((const uint64_t *)(const void *)at)[i] != word(i, seed)) return false;
    for (size_t i = LONG / 8 * 8; i < LONG; i++)
        if (at[i] != (unsigned char)(seed + (int)(i % 8))) return false;
    return true;
}

static void test_message(void)
{
    tutti_status status;
    fill(mine, 1 + rank);
    if (rank == 0) OK(tutti_send(world, mine, LONG, 1, TAG));
    if (rank == 1) OK(tutti_recv(world, mine, LONG, 0, TAG, &status));
    EXPECT(rank == 0 || status.bytes == LONG);
    EXPECT(holds(mine, 1));
}

static void test_bcast(void)
{
    fill(mine, 3 + rank);
    OK(tutti_bcast(world, mine, LONG, 1));
    EXPECT(holds(mine, 4));
}

/* The exclusive or of the same at both and of nothing. */
static void test_allreduce(void)
{
    if (rank == 0)
        fill(mine, 7);
    else
        memset(mine, 0, LONG);
    OK(tutti_allreduce(world, mine, other, LONG, TUTTI_UINT8, TUTTI_BXOR));
    EXPECT(holds(other, 7));
}

/* Parts at places beyond 2^32 elements of a byte, in memory of which nothing else is touched. */
static void test_far_parts(void)
{
    unsigned char *from = job_map(2 * FAR), *to = job_map(2 * FAR);
    const size_t counts[] = {PART, PART}, leave[] = {FAR, 5}, arrive[] = {3, FAR + 1};
    for (int r = 0; r < RANKS; r++)
        memset(from + leave[r], 10 * rank + r + 1, PART);
    OK(tutti_alltoallv(world, from, counts, leave, to, counts, arrive, TUTTI_UINT8));
    for (int r = 0; r < RANKS; r++) {
        const unsigned char *at = to + arrive[r];
        for (int i = 0; i < PART; i++)
            EXPECT(at[i] == 10 * r + rank + 1);
        EXPECT(at[-1] == 0 && at[PART] == 0);
    }
    munmap(from, 2 * FAR);
    munmap(to, 2 * FAR);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == RANKS);
    need_memory();
    mine = job_map(LONG);
    other = job_map(LONG);
    test_far_parts();
    test_message();
    test_bcast();
    test_allreduce();
    return job_close();
}
