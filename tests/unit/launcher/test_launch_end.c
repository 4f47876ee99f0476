/* SPDX-License-Identifier: BSD-3-Clause */
/* Process groups are known as long as somebody is in them, and no longer: the system gives their ids to
 * others. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/process_ends.h"
#include "tests/unit/expect.h"

#define RANKS 2

static pid_t groups[RANKS], pids[RANKS], guardian;
static tti_rank ranks[RANKS];
static tti_launch launch = {
    .count = RANKS,
    .world = RANKS,
    .ranks = ranks,
    .session = {.ranks = RANKS, .groups = groups, .pids = pids, .guardian = &guardian}};

/* In the process group of a child, or in its own: 0. */
static pid_t start(pid_t group)
{
    const pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    EXPECT(setpgid(pid, group) == 0);
    return pid;
}

static void end_and_reap(pid_t pid)
{
    siginfo_t is;
    EXPECT(kill(pid, SIGKILL) == 0 && waitid(P_PID, (id_t)pid, &is, WEXITED | WNOWAIT) == 0);
    tti_launch_reap(&launch);
    EXPECT(kill(pid, 0) != 0);
}

/* Rank 0 has ended and left two in its group, rank 1 runs. */
static void test_last_stray(void)
{
    const pid_t first = start(0), last = start(first), running = start(0);
    groups[0] = first;
    groups[1] = ranks[1].pid = running;
    end_and_reap(first);
    EXPECT(groups[0] == first);
    end_and_reap(last);
    EXPECT(groups[0] == 0 && groups[1] == running);
}

static void test_strays_at_the_end(void)
{
    groups[0] = start(0);
    tti_launch_end_strays(&launch);
    EXPECT(waitpid(-1, NULL, 0) < 0);
    EXPECT(groups[0] == 0 && groups[1] == 0);
}

int main(void)
{
    launch.ends = tti_ends_open();
    EXPECT(launch.ends >= 0);
    test_last_stray();
    test_strays_at_the_end();
    return 0;
}
