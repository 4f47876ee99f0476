/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that have ended: each is judged, at once or when there is news of it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/process_ends.h"

/* What came first is the cause. A rank's wish to abort comes before its own end, and before the ends that
 * follow from that; while it runs others have ended before, and it may wish for their sake. */
static bool was_aborted_before(const tti_launch *launch, int rank)
{
    siginfo_t is = {0};
    const int wisher = tti_server_abort_rank();
    if (wisher < 0) return false;
    const pid_t pid = launch->ranks[wisher].pid;
    if (wisher == rank || pid == 0) return true;
    return waitid(P_PID, (id_t)pid, &is, WEXITED | WNOHANG | WNOWAIT) == 0 && is.si_pid == pid;
}

/* Keep the group's id only while somebody is in it: else the system may give it to others. */
static void forget_empty_group(tti_launch *launch, int rank)
{
    pid_t *group = &launch->session.groups[rank];
    if (*group > 0 && kill(-*group, 0) != 0) *group = 0;
}

/* The last of a group whose rank had ended before, perhaps. */
static void stray_ended(tti_launch *launch)
{
    for (int i = 0; i < launch->count; i++) {
        if (launch->ranks[i].pid == 0) forget_empty_group(launch, i);
    }
}

static void rank_ended(tti_launch *launch, int rank, int how)
{
    launch->ranks[rank].pid = 0;
    launch->running--;
    forget_empty_group(launch, rank);
    /* What it wrote last goes before what we say of it. */
    tti_rank_output_drain(&launch->ranks[rank].out);
    tti_rank_output_drain(&launch->ranks[rank].err);
    if (was_aborted_before(launch, rank)) tti_launch_heed_abort(launch);
    if (!tti_launch_awaits_news(launch, rank, how)) tti_launch_judge(launch, rank, how);
    tti_launch_dismiss_spares(launch);
}

/* -1: none, it was left by one. */
static int rank_of(const tti_launch *launch, pid_t pid)
{
    for (int i = 0; i < launch->count; i++) {
        if (launch->ranks[i].pid == pid) return i;
    }
    return -1;
}

/* No rank is in the terminal's foreground: one that uses it all the same is stopped, and waits without a
 * sign. */
static void heed_stopped(tti_launch *launch)
{
    siginfo_t is = {0};
    for (; waitid(P_ALL, 0, &is, WSTOPPED | WNOHANG) == 0 && is.si_pid != 0; is.si_pid = 0) {
        char who[64];
        const int rank = rank_of(launch, is.si_pid);
        const bool by_terminal = is.si_status == SIGTTIN || is.si_status == SIGTTOU;
        if (rank < 0 || !by_terminal || launch->told_of_terminal) continue;
        launch->told_of_terminal = true;
        tti_launch_say(launch,
                       "%s (pid %ld) is stopped because it %s the terminal itself; a rank may not: it reads "
                       "stdin, which is rank 0's, and writes stdout",
                       tti_launch_name(launch, rank, who), (long)is.si_pid,
                       is.si_status == SIGTTIN ? "reads" : "sets");
    }
}

void tti_launch_reap(tti_launch *launch)
{
    int how;
    heed_stopped(launch);
    for (pid_t pid; (pid = tti_ends_next(launch->ends)) > 0;) {
        if (waitpid(pid, &how, WNOHANG) != pid) continue;
        const int rank = rank_of(launch, pid);
        if (rank >= 0) {
            rank_ended(launch, rank, how);
        } else {
            stray_ended(launch);
        }
    }
}
