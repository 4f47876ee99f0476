/* SPDX-License-Identifier: BSD-3-Clause */
/* without_launcher [DESCRIPTORS VICTIMS]: rank 0 stops the launcher, has all others killed one after the
 * other, and hears of each death all the same, while it receives from the victim, and how soon; then it lets
 * the launcher go on. Where each process may have fewer descriptors than there are ranks it watches those
 * that come first behind it, and only so many are killed. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

static void give_up(int number)
{
    static const char why[] = "no death was heard of within two minutes\n";
    (void)number;
    kill(getppid(), SIGCONT);
    if (write(STDERR_FILENO, why, sizeof why - 1) < 0) _exit(2);
    _exit(1);
}

static volatile sig_atomic_t continued;

static void go_on(int number)
{
    (void)number;
    continued = 1;
}

/* The launcher passes the signal on. A process must not end before that has come: LeakSanitizer stops it at
 * its end, and waits for ever where a SIGCONT takes that back. */
static void continue_launcher(void)
{
    signal(SIGCONT, go_on);
    OK(kill(getppid(), SIGCONT));
    while (!continued)
        usleep(1000);
}

int main(int argc, char **argv)
{
    pid_t victims[64];
    if (argc > 2) {
        const rlim_t most = (rlim_t)atoi(argv[1]);
        EXPECT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){most, most}) == 0);
    }
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    const pid_t mine = getpid();
    OK(tutti_gather(world, &mine, victims, sizeof mine, 0));
    if (rank != 0) {
        char never;
        OK(tutti_recv(world, &never, 1, 0, 1, NULL));
    }
    signal(SIGALRM, give_up);
    alarm(120);
    OK(kill(getppid(), SIGSTOP));
    double longest = 0;
    const int last = argc > 2 ? atoi(argv[2]) : size - 1;
    for (int r = 1; r <= last; r++) {
        char never;
        const double began = job_now_s();
        OK(kill(victims[r], SIGKILL));
        EXPECT(tutti_recv(world, &never, 1, r, 1, NULL) == TUTTI_ERR_PEER_FAILED);
        const double took = job_now_s() - began;
        longest = took > longest ? took : longest;
    }
    continue_launcher();
    alarm(0);
    for (int r = last + 1; r < size; r++)
        OK(kill(victims[r], SIGKILL));
    printf("rank 0 heard of all deaths, each within %.2f ms\n", longest * 1e3);
    return job_close();
}
