/* SPDX-License-Identifier: BSD-3-Clause */
/* keep_speed [MIB [ROUNDS]]: what tutti_keep() of so many MiB a rank (64) takes, beside a memcpy() of as much
 * at all ranks at once, in turns; the medians of the slowest rank's times, and their ratio. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

#define ROUNDS_MOST 1000

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double slowest(tutti_comm *world, double mine)
{
    double all;
    TUTTI_CHECK(tutti_allreduce(world, &mine, &all, 1, TUTTI_DOUBLE, TUTTI_MAX));
    return all;
}

static void measure(tutti_comm *world, int argc, char **argv)
{
    static double copies[ROUNDS_MOST], keeps[ROUNDS_MOST];
    const size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 64) << 20;
    const int asked = argc > 2 ? atoi(argv[2]) : 15;
    const int rounds = asked < 1 ? 1 : asked > ROUNDS_MOST ? ROUNDS_MOST : asked;
    char *state = malloc(bytes + 1), *copy = malloc(bytes + 1);
    if (state == NULL || copy == NULL) tutti_abort(1, "keep_speed: no memory: ask for fewer MiB");
    memset(state, 1, bytes);
    for (int i = -2; i < rounds; i++) { /* the first two touch memory for the first time */
        TUTTI_CHECK(tutti_barrier(world));
        double began = seconds();
        memcpy(copy, state, bytes);
        const double copied = slowest(world, seconds() - began);
        TUTTI_CHECK(tutti_barrier(world));
        began = seconds();
        TUTTI_CHECK(tutti_keep(world, "state", state, bytes));
        const double kept = slowest(world, seconds() - began);
        state[0] = copy[bytes / 2]; /* so that the copy is needed */
        if (i < 0) continue;
        copies[i] = copied;
        keeps[i] = kept;
    }
    qsort(copies, (size_t)rounds, sizeof *copies, compare);
    qsort(keeps, (size_t)rounds, sizeof *keeps, compare);
    const double a = copies[rounds / 2], b = keeps[rounds / 2];
    if (tutti_comm_rank(world) == 0)
        printf("%d ranks, %zu MiB each: memcpy %.2f ms, tutti_keep %.2f ms, ratio %.2f\n",
               tutti_comm_size(world), bytes >> 20, a * 1e3, b * 1e3, b / a);
    free(state);
    free(copy);
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    TUTTI_CHECK(tutti_init(&world, NULL));
    if (argc > 1 && argv[1][0] == '-') {
        if (tutti_comm_rank(world) == 0)
            printf("usage: keep_speed [MIB [ROUNDS]]    under a launcher: tutti_keep() of MIB a rank (64) "
                   "beside "
                   "a memcpy()\n");
    } else {
        measure(world, argc, argv);
    }
    return tutti_finalize() != 0;
}
