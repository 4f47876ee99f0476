/* SPDX-License-Identifier: BSD-3-Clause */
/* storm SEED VICTIM MICROSECONDS [ROUNDS]: all ranks do operations drawn from SEED, without end or ROUNDS of
 * them. Rank VICTIM is killed (-9) that long after its start, wherever it is: before Tutti, in its start, in
 * any call, in its end. It prints when, in microseconds since 1970; a survivor prints when it was told, and
 * by which call.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/fault/storm.h"

static long long microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* By the kernel, without this process's doing. */
static void die_in(long us)
{
    struct sigevent kill = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    const struct itimerspec when = {.it_value = {us / 1000000, us % 1000000 * 1000}};
    timer_t timer;
    printf("dies at %lld\n", microseconds() + us);
    fflush(stdout);
    if (timer_create(CLOCK_MONOTONIC, &kill, &timer) != 0 || timer_settime(timer, 0, &when, NULL) != 0)
        abort();
}

static int leave(storm *s, int code, const char *where, long rounds)
{
    const long long told = microseconds();
    if (code != 0) {
        printf("rank %d told at %lld in %s after %ld rounds: %s: %s\n", s->rank, told, where, rounds,
               tutti_strerror(code), tutti_error_detail());
        fflush(stdout);
    }
    if (s->world == NULL) return 0;
    const int again = tutti_barrier(s->world);
    if (code == TUTTI_ERR_PEER_FAILED && again != TUTTI_ERR_PEER_FAILED)
        tutti_abort(3, "a barrier with a dead rank gave no error");
    storm_close(s, code == 0);
    const int left = tutti_finalize();
    printf("rank %d left after %lld ms: %s\n", s->rank, (microseconds() - told) / 1000, tutti_strerror(left));
    return 0;
}

int main(int argc, char **argv)
{
    const char *rank = getenv("PMIX_RANK");
    if (argc < 4 || rank == NULL) {
        fprintf(stderr, "usage: tuttirun -n RANKS storm SEED VICTIM MICROSECONDS [ROUNDS]\n");
        return 2;
    }
    if (atoi(rank) == atoi(argv[2])) die_in(strtol(argv[3], NULL, 10));
    const long most = argc > 4 ? strtol(argv[4], NULL, 10) : -1;
    storm s;
    const char *where = "start";
    long rounds = 0;
    int code = storm_open(&s, strtoull(argv[1], NULL, 10));
    for (; code == 0 && rounds != most; rounds++)
        code = storm_round(&s, &where);
    return leave(&s, code, where, rounds);
}
