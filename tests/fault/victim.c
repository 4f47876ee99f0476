/* SPDX-License-Identifier: BSD-3-Clause */
/* victim WHAT: all ranks do WHAT without end; after a fifth of a second the last rank is killed by a
 * signal that it does not see coming (-9, from a timer), wherever it is. The others must be told by
 * TUTTI_ERR_PEER_FAILED, say how soon, and end well. Status 77 where there are not enough ranks.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/patience.h"

#define KILL_AFTER 0.2 /* seconds */
#define WORDS 4096

static tutti_comm *world;
static int rank, size, last;
static double data[WORDS], result[WORDS];
static tutti_window *window;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

/* One round of each kind of trouble. */
static int do_allreduce(void)
{
    return tutti_allreduce(world, data, result, WORDS, TUTTI_DOUBLE, TUTTI_SUM);
}

static int do_small_allreduce(void)
{
    return tutti_allreduce(world, data, result, 1, TUTTI_DOUBLE, TUTTI_SUM);
}

static int do_iallreduce(void)
{
    tutti_request *request;
    const int code = tutti_iallreduce(world, data, result, WORDS, TUTTI_DOUBLE, TUTTI_SUM, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

static int do_barrier(void)
{
    return tutti_barrier(world);
}

/* The last rank sleeps: the others wait for what will never come. */
static int do_recv(void)
{
    if (rank == last) return pause();
    return tutti_recv(world, data, sizeof data, last, 0, NULL);
}

static int do_ssend(void)
{
    if (rank == last) return pause();
    return tutti_ssend(world, data, sizeof data, last, 0);
}

/* Floods the victim until there is no room left for messages to it. */
static int do_send(void)
{
    if (rank == last) return pause();
    return tutti_send(world, data, sizeof data, last, 0);
}

static int do_get(void)
{
    if (rank == last) return tutti_iprobe(world, TUTTI_ANY_SOURCE, 1, &(int){0}, NULL);
    return tutti_get(window, result, sizeof result, last, 0, NULL);
}

static int do_fetch_op(void)
{
    if (rank == last) return tutti_iprobe(world, TUTTI_ANY_SOURCE, 1, &(int){0}, NULL);
    const int64_t one = 1;
    int64_t old;
    return tutti_fetch_op(window, &one, &old, TUTTI_INT64, TUTTI_SUM, last, 0);
}

static const struct {
    const char *name;
    int (*round)(void);
} troubles[] = {
    {"allreduce", do_allreduce},
    {"small-allreduce", do_small_allreduce},
    {"iallreduce", do_iallreduce},
    {"barrier", do_barrier},
    {"recv", do_recv},
    {"ssend", do_ssend},
    {"send", do_send},
    {"get", do_get},
    {"fetch-op", do_fetch_op},
};

static int (*find(const char *name))(void)
{
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
        if (strcmp(troubles[i].name, name) == 0) return troubles[i].round;
    return NULL;
}

/* shm keeps packets to a survivor that has left already, and tells nobody: finalizing says that they are
 * lost. */
static bool tells_of_no_peer(void)
{
    const char *provider = getenv("TUTTI_PROVIDER");
    return provider != NULL && strcmp(provider, "shm") == 0;
}

int main(int argc, char **argv)
{
    int (*const round)(void) = argc > 1 ? find(argv[1]) : NULL;
    OK(tutti_init(&world, NULL));
    EXPECT(round != NULL);
    rank = tutti_comm_rank(world);
    size = tutti_comm_size(world);
    last = size - 1;
    if (size < 2) return tutti_finalize() == 0 ? 77 : 1;
    OK(tutti_window_create(world, data, sizeof data, &window));
    OK(tutti_barrier(world));
    job_await_all(world, last); /* none is still in that when it dies */
    if (rank == last) {
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, (long)(KILL_AFTER * 1e6)}}, NULL);
    }
    const double began = seconds();
    int code = 0;
    while (code == 0)
        code = round();
    const double told = seconds() - began - KILL_AFTER;
    EXPECT(code == TUTTI_ERR_PEER_FAILED);
    /* One that saw a dead process may know before the launcher has told everybody: the rest follows. */
    while (seconds() - began < PATIENCE_S && code != 0)
        code = tutti_send(world, data, 8, last, 0) != TUTTI_ERR_PEER_FAILED;
    EXPECT(code == 0);
    EXPECT(tutti_barrier(world) == TUTTI_ERR_PEER_FAILED);
    printf("rank %d was told after %.3f s: %s\n", rank, told, tutti_error_detail());
    tutti_window_free(&window); /* its ranks are not all there: any result will do, but it must return */
    code = tutti_finalize();
    EXPECT(code == 0 || (code == TUTTI_ERR_TIMEOUT && tells_of_no_peer()));
    return 0;
}
