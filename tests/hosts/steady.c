/* SPDX-License-Identifier: BSD-3-Clause */
/* steady SECONDS: allreduces and messages round the ring of ranks, of all sizes, for so long; each result is
 * looked at. Meanwhile the network is worked on. The first error is told, and its detail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

#define COUNT 50000

static tutti_comm *world;
static int rank, size;
static int64_t mine[COUNT], all[COUNT];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const char *what, int code)
{
    fprintf(stderr, "steady: rank %d: %s: %s: %s\n", rank, what, tutti_strerror(code), tutti_error_detail());
    return 1;
}

static int wrong(const char *what, long round)
{
    fprintf(stderr, "steady: rank %d: WRONG RESULT of %s in round %ld\n", rank, what, round);
    return 1;
}

static int round_of(long round)
{
    const size_t count = round % 5 == 0 ? COUNT : 1 + (size_t)(round * 37 % 1000);
    for (size_t i = 0; i < count; i++)
        mine[i] = round + rank + (int64_t)i;
    int code = tutti_allreduce(world, mine, all, count, TUTTI_INT64, TUTTI_SUM);
    if (code != 0) return fail("tutti_allreduce", code);
    for (size_t i = 0; i < count; i++)
        if (all[i] != size * (round + (int64_t)i) + size * (size - 1) / 2)
            return wrong("tutti_allreduce", round);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    code =
        tutti_sendrecv(world, mine, count * sizeof *mine, next, 1, all, count * sizeof *all, last, 1, NULL);
    if (code != 0) return fail("tutti_sendrecv", code);
    for (size_t i = 0; i < count; i++)
        if (all[i] != round + last + (int64_t)i) return wrong("tutti_sendrecv", round);
    return 0;
}

int main(int argc, char **argv)
{
    const double until = seconds() + (argc > 1 ? atof(argv[1]) : 1);
    const int code = tutti_init(&world, NULL);
    if (code != 0) return fail("tutti_init", code);
    rank = tutti_comm_rank(world);
    size = tutti_comm_size(world);
    int32_t goes_on = 1;
    for (long round = 0; goes_on; round++) {
        if (round_of(round) != 0) return 1;
        if (round == 0 && rank == 0) puts("steady: begun"), fflush(stdout);
        goes_on = seconds() < until;
        const int told = tutti_bcast(world, &goes_on, sizeof goes_on, 0);
        if (told != 0) return fail("tutti_bcast", told);
    }
    if (rank == 0) puts("steady: all results were right");
    return tutti_finalize() != 0;
}
