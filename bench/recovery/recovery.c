/* SPDX-License-Identifier: BSD-3-Clause */
/* recovery [DEATHS [ROUNDS]]: agreement beside an allreduce of 8 bytes, in turns; then so many ranks (a
 * quarter of them) kill themselves, one after the other: how long until all others know of it, and until all
 * have shrunk. All on one machine, whose clock and files the ranks share. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bench/recovery/recovery_port.h"

#define CALLS 50
#define ROUNDS_MOST 1000

/* Where the dying leave the time of their death. */
static volatile int64_t *died_ns;

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static void open_note(void)
{
    char path[] = "/tmp/recovery-XXXXXX";
    int fd = -1;
    if (port_rank() == 0) {
        fd = mkstemp(path);
        if (fd < 0 || ftruncate(fd, sizeof *died_ns) != 0) perror(path);
    }
    port_bcast(path, sizeof path);
    if (fd < 0) fd = open(path, O_RDWR);
    void *note = mmap(NULL, sizeof *died_ns, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (note == MAP_FAILED) perror(path), exit(1);
    died_ns = note;
    close(fd);
    port_allreduce(0);
    if (port_rank() == 0) unlink(path);
}

static double time_agreements(void)
{
    port_allreduce(0);
    const int64_t began = now_ns();
    for (int i = 0; i < CALLS; i++)
        port_agree();
    return (double)port_allreduce(now_ns() - began) / CALLS;
}

static double time_allreduces(void)
{
    port_allreduce(0);
    const int64_t began = now_ns();
    for (int i = 0; i < CALLS; i++)
        port_allreduce(i);
    return (double)port_allreduce(now_ns() - began) / CALLS;
}

static void measure_agreement(int rounds)
{
    static double agreements[ROUNDS_MOST], allreduces[ROUNDS_MOST], ratios[ROUNDS_MOST];
    for (int i = -2; i < rounds; i++) {
        const double agree = time_agreements(), allreduce = time_allreduces();
        if (i < 0) continue;
        agreements[i] = agree;
        allreduces[i] = allreduce;
        ratios[i] = agree / allreduce;
    }
    if (port_rank() == 0)
        printf("%d ranks: agree %.2f us, allreduce of 8 bytes %.2f us, ratio %.2f\n", port_size(),
               median(agreements, rounds) * 1e-3, median(allreduces, rounds) * 1e-3, median(ratios, rounds));
}

static void die(void)
{
    const struct timespec until_all_wait = {.tv_nsec = 50000000};
    nanosleep(&until_all_wait, NULL);
    *died_ns = now_ns();
    raise(SIGKILL);
}

static void measure_death(int victim, double *known_ms, double *shrunk_ms)
{
    const int before = port_size();
    port_allreduce(0);
    if (port_rank() == victim) die();
    port_await_death(victim);
    const int64_t known = now_ns() - *died_ns;
    port_shrink();
    const int64_t shrunk = now_ns() - *died_ns;
    *known_ms = (double)port_allreduce(known) * 1e-6;
    *shrunk_ms = (double)port_allreduce(shrunk) * 1e-6;
    if (port_rank() == 0)
        printf("%d ranks, one dies: known to all after %.2f ms, all have shrunk after %.2f ms\n", before,
               *known_ms, *shrunk_ms);
}

static void measure(int argc, char **argv)
{
    static double known[ROUNDS_MOST], shrunk[ROUNDS_MOST];
    const int most = port_size() - 2, wanted = argc > 1 ? atoi(argv[1]) : (port_size() + 3) / 4;
    const int deaths = wanted < most ? wanted : most, rounds = argc > 2 ? atoi(argv[2]) : 21;
    open_note();
    measure_agreement(rounds < 1 ? 1 : rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds);
    for (int i = 0; i < deaths && i < ROUNDS_MOST; i++)
        measure_death(1 + (i * 5 + 2) % (port_size() - 1), &known[i], &shrunk[i]);
    if (port_rank() == 0 && deaths > 0)
        printf("medians of %d deaths: known %.2f ms, shrunk %.2f ms\n", deaths, median(known, deaths),
               median(shrunk, deaths));
}

int main(int argc, char **argv)
{
    port_open(&argc, &argv);
    if (argc > 1 && argv[1][0] == '-') {
        if (port_rank() == 0)
            printf(
                "usage: recovery [DEATHS [ROUNDS]]    under a launcher: agreement beside an allreduce, then "
                "DEATHS of ranks\n");
    } else {
        measure(argc, argv);
    }
    port_close();
    return 0;
}
