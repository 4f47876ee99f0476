/* SPDX-License-Identifier: BSD-3-Clause */
/* late_root bcast|ahead|barrier|iallreduce|elsewhere|unlisted|stopped|request|signal|own FILE: the last rank,
 * root of the broadcast, comes when there is FILE, and until then the watchdog of the others says whom they
 * wait for and where that is. Ahead: rank 0 is the root of many broadcasts, and waits for nobody before its
 * windows are all in use. Elsewhere: the last rank is in another call, which rank 3 ends; unlisted: the same
 * without a watchdog of its own. Request: rank 1 waits for a message of it, on a communicator where both have
 * other numbers. Signal: rank 0 is asked by SIGUSR1; own: which a handler of the program's takes. */
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/job/job.h"

#define LATE 2
#define AHEAD 600 /* many more than there are windows */

static const char *come; /* the file's path */
static tutti_comm *three;

static void on_own(int number)
{
    static const char kept[] = "own handler kept\n";
    if (write(STDOUT_FILENO, kept, number == SIGUSR1 ? sizeof kept - 1 : 0) < 0) _exit(1);
}

static int call_many(void)
{
    int32_t value = 1;
    int code = 0;
    for (int i = 0; i < AHEAD && code == 0; i++)
        code = tutti_bcast(three, &value, sizeof value, 0);
    return code;
}

static int call(const char *kind)
{
    int32_t value = 1, sum;
    tutti_request *request;
    if (strcmp(kind, "bcast") == 0) return tutti_bcast(three, &value, sizeof value, LATE);
    if (strcmp(kind, "ahead") == 0) return call_many();
    if (strcmp(kind, "iallreduce") != 0) return tutti_barrier(three);
    const int code = tutti_iallreduce(three, &value, &sum, 1, TUTTI_INT32, TUTTI_SUM, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

static bool has_come(void)
{
    return access(come, F_OK) == 0;
}

static void nap(void)
{
    const struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
}

/* A child sends the signal again and again, if asked to, and another one from when the time has come: again
 * and again, too, since the first one may be early. */
static pid_t signal_by_child(int meanwhile, int then)
{
    const pid_t mine = getpid(), child = fork();
    if (child != 0) return child;
    for (; getppid() == mine && !has_come(); nap())
        if (meanwhile != 0) kill(mine, meanwhile);
    for (; getppid() == mine && then != 0; nap())
        kill(mine, then);
    _exit(0);
}

static void wait_until_come(void)
{
    while (!has_come())
        nap();
}

static bool is_elsewhere(const char *kind)
{
    return strcmp(kind, "elsewhere") == 0 || strcmp(kind, "unlisted") == 0;
}

static void be_late(const char *kind)
{
    char byte = 0;
    if (is_elsewhere(kind)) {
        OK(tutti_recv(world, &byte, 1, 3, 1, NULL));
    } else if (strcmp(kind, "stopped") == 0) {
        const pid_t child = signal_by_child(0, SIGCONT);
        raise(SIGSTOP);
        EXPECT(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    } else {
        wait_until_come();
    }
}

/* A child asks rank 0 while that waits for the late one, and has ended before Tutti has. */
static void ask_by_signal(void)
{
    char byte = 0;
    if (rank == 0) {
        const pid_t child = signal_by_child(SIGUSR1, 0);
        OK(tutti_recv(world, &byte, 1, LATE, 2, NULL));
        EXPECT(waitpid(child, NULL, 0) == child);
    } else if (rank == LATE) {
        wait_until_come();
        OK(tutti_send(world, &byte, 1, 0, 2));
    }
}

static void receive_by_request(void)
{
    tutti_comm *pair;
    tutti_request *request;
    char byte = 0;
    OK(tutti_comm_split(world, rank > 0 ? 0 : TUTTI_UNDEFINED, rank, &pair));
    if (rank == 1) {
        OK(tutti_irecv(pair, &byte, 1, LATE - 1, 2, &request));
        OK(tutti_wait(&request, NULL));
    } else if (rank == LATE) {
        wait_until_come();
        OK(tutti_send(pair, &byte, 1, 0, 2));
    }
    if (pair != NULL) OK(tutti_comm_free(&pair));
}

static bool is_late(void)
{
    const char *number = getenv("PMIX_RANK");
    return number != NULL && atoi(number) == LATE;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 3);
    const char *kind = argv[1];
    come = argv[2];
    if (strcmp(kind, "own") == 0) signal(SIGUSR1, on_own);
    if (strcmp(kind, "unlisted") == 0 && is_late()) unsetenv("TUTTI_WATCHDOG");
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_comm_split(world, rank <= LATE ? 0 : TUTTI_UNDEFINED, rank, &three));
    if (strcmp(kind, "signal") == 0 || strcmp(kind, "own") == 0) {
        ask_by_signal();
    } else if (strcmp(kind, "request") == 0) {
        receive_by_request();
    } else if (rank <= LATE) {
        OK(call(kind));
        if (rank == LATE) be_late(kind);
        OK(call(kind));
    } else if (is_elsewhere(kind)) {
        char byte = 0;
        wait_until_come();
        OK(tutti_send(world, &byte, 1, LATE, 1));
    }
    if (three != NULL) OK(tutti_comm_free(&three));
    return job_close();
}
