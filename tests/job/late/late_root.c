/* SPDX-License-Identifier: BSD-3-Clause */
/* late_root bcast|barrier|iallreduce|elsewhere|stopped|signal|own: the last rank, root of the broadcast,
 * comes late, and the watchdog of the others says whom they wait for and where that is. Elsewhere: it is in
 * another call, which rank 3 ends. Signal: rank 0 asks by SIGUSR1; own: which a handler of the program's
 * takes. */
#include <signal.h>
#include <unistd.h>

#include "tests/job/job.h"

#define LATE 2
#define LATE_SECONDS 3

static volatile sig_atomic_t own_signals;
static tutti_comm *three;

static void on_own(int number)
{
    own_signals += number == SIGUSR1;
}

static int call(const char *kind)
{
    int32_t value = 1, sum;
    tutti_request *request;
    if (strcmp(kind, "bcast") == 0) return tutti_bcast(three, &value, sizeof value, LATE);
    if (strcmp(kind, "iallreduce") != 0) return tutti_barrier(three);
    const int code = tutti_iallreduce(three, &value, &sum, 1, TUTTI_INT32, TUTTI_SUM, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

/* A child continues the rank that stops itself. */
static void stop_for_long(void)
{
    const pid_t mine = getpid();
    if (fork() == 0) {
        sleep(LATE_SECONDS);
        kill(mine, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}

static void be_late(const char *kind)
{
    char byte = 0;
    if (strcmp(kind, "elsewhere") == 0)
        OK(tutti_recv(world, &byte, 1, 3, 1, NULL));
    else if (strcmp(kind, "stopped") == 0)
        stop_for_long();
    else
        sleep(LATE_SECONDS);
}

/* A child asks rank 0 while that waits for the late one. */
static void ask_by_signal(void)
{
    char byte = 0;
    if (rank == 0) {
        const pid_t mine = getpid();
        if (fork() == 0) {
            sleep(1);
            kill(mine, SIGUSR1);
            _exit(0);
        }
        OK(tutti_recv(world, &byte, 1, LATE, 2, NULL));
        if (own_signals > 0) puts("own handler kept");
    } else if (rank == LATE) {
        sleep(LATE_SECONDS);
        OK(tutti_send(world, &byte, 1, 0, 2));
    }
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    const char *kind = argv[1];
    if (strcmp(kind, "own") == 0) signal(SIGUSR1, on_own);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_comm_split(world, rank <= LATE ? 0 : TUTTI_UNDEFINED, rank, &three));
    if (strcmp(kind, "signal") == 0 || strcmp(kind, "own") == 0) {
        ask_by_signal();
    } else if (rank <= LATE) {
        OK(call(kind));
        if (rank == LATE) be_late(kind);
        OK(call(kind));
    } else if (strcmp(kind, "elsewhere") == 0) {
        char byte = 0;
        sleep(LATE_SECONDS);
        OK(tutti_send(world, &byte, 1, LATE, 1));
    }
    if (three != NULL) OK(tutti_comm_free(&three));
    return job_close();
}
