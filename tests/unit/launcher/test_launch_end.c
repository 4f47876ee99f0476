/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks leave, and how ranks end. Process groups are known as long as somebody is in them, and no
 * longer: the system gives their ids to others. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/process_ends.h"
#include "tests/unit/expect.h"

#define RANKS 2

static pid_t groups[RANKS], pids[RANKS], guardian;
static tti_rank ranks[RANKS] = {{.out.fd = -1, .err.fd = -1}, {.out.fd = -1, .err.fd = -1}};
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

/* A rank that runs ends with a job that cannot be waited for. */
static void test_no_loop(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    EXPECT(nowhere >= 0 && tti_sink_open(&launch.sinks[0], nowhere, "stdout") == 0);
    launch.out = launch.err = &launch.sinks[0];
    launch.signals = -1;
    groups[0] = ranks[0].pid = start(0);
    launch.running = 1;
    EXPECT(tti_launch_loop(&launch) != 0);
    EXPECT(strstr(tutti_error_detail(), "cannot wait for the ranks") != NULL);
    EXPECT(waitpid(-1, NULL, 0) < 0 && groups[0] == 0);
    tti_sink_close(launch.out);
    close(nowhere);
}

int main(void)
{
    launch.ends = tti_ends_open();
    EXPECT(launch.ends >= 0);
    test_last_stray();
    test_strays_at_the_end();
    test_no_loop();
    return 0;
}
