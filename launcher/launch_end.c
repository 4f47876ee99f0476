/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of the job: its ranks are asked to end, then killed. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"
#include "launcher/process_sweep.h"
#include "runtime/base/clock.h"
#include "runtime/base/failure_grace.h"

/* What ranks left running has this long when all of them have ended: it may still write what they gave it. */
#define STRAYS_NS (2 * TTI_NS_PER_SECOND)
#define STRAY_ROUNDS 200
#define STRAY_PAUSE_US 5000

void tti_launch_signal(tti_launch *launch, int signal)
{
    for (int i = 0; i < launch->count; i++) {
        if (launch->session.groups[i] > 0) kill(-launch->session.groups[i], signal);
    }
}

void tti_launch_begin_end(tti_launch *launch, int signal, int64_t grace_ns)
{
    if (launch->phase == TTI_PHASE_KILLED) return;
    const int64_t deadline = tti_clock_ns() + grace_ns;
    if (launch->phase == TTI_PHASE_RUNNING || deadline < launch->phase_deadline)
        launch->phase_deadline = deadline;
    launch->phase = TTI_PHASE_ASKED;
    /* That connections end with their ranks is no news, though PMIx reports each as an error. */
    if (!launch->command->verbose) tti_rank_output_finish(&launch->server_words);
    tti_launch_signal(launch, signal);
    tti_launch_signal(launch, SIGCONT); /* a stopped rank must see it */
}

static void tell_strays(tti_launch *launch)
{
    tti_children left;
    char others[48] = "";
    tti_sweep_count(*launch->session.guardian, &left);
    if (left.count == 0) return;
    if (left.count > 1) snprintf(others, sizeof others, ", and %d more", left.count - 1);
    tti_launch_say(
        launch, "all ranks have ended, but %s (pid %ld%s), which they left running, has not in %g s: killed",
        left.name, (long)left.pid, others, (double)STRAYS_NS / (double)TTI_NS_PER_SECOND);
}

static void kill_ranks(tti_launch *launch)
{
    if (launch->phase == TTI_PHASE_LEFT) tell_strays(launch);
    launch->phase = TTI_PHASE_KILLED;
    launch->phase_deadline = INT64_MAX;
    tti_launch_signal(launch, SIGKILL);
}

void tti_launch_heed_deadlines(tti_launch *launch, int64_t now)
{
    if (now >= launch->job_deadline) {
        launch->job_deadline = INT64_MAX;
        tti_launch_say(launch, "the job has run for %g s (--timeout): ending it",
                       (double)launch->command->timeout_ns / (double)TTI_NS_PER_SECOND);
        if (!launch->failed) launch->status = TTI_STATUS_TIMEOUT;
        launch->failed = launch->timed_out = true;
        tti_launch_begin_end(launch, SIGTERM, TTI_FAILURE_GRACE_NS);
    }
    if (now >= launch->phase_deadline) kill_ranks(launch);
    if (now >= launch->spares_deadline) tti_launch_dismiss_spares(launch);
}

/* As the first process of a pid namespace we are the parent of our own guardian too, and a shell may have
 * left us children: all are to be looked at then. */
static bool has_strays(const tti_launch *launch)
{
    siginfo_t is;
    tti_children left;
    const pid_t guardian = *launch->session.guardian;
    if (waitid(P_ALL, 0, &is, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    const bool alone = guardian <= 0 || waitid(P_PID, (id_t)guardian, &is, WEXITED | WNOHANG | WNOWAIT) != 0;
    if (alone && !tti_sweep_spares_any()) return true;
    tti_sweep_count(guardian, &left);
    return left.count > 0;
}

/* A shell's `> >(gzip >file)` is not awaited by the shell, and has all that is written there yet to handle.
 */
bool tti_launch_awaits_strays(tti_launch *launch)
{
    if (launch->phase == TTI_PHASE_RUNNING) {
        launch->phase = TTI_PHASE_LEFT;
        launch->phase_deadline = tti_clock_ns() + STRAYS_NS;
        if (!launch->command->verbose) tti_rank_output_finish(&launch->server_words);
    }
    return launch->phase == TTI_PHASE_LEFT && has_strays(launch);
}

/* We are a subreaper: what a rank left running is our child once the rank is gone. It has had its time. */
void tti_launch_end_strays(tti_launch *launch)
{
    tti_launch_signal(launch, SIGKILL);
    /* Soon nobody is in the groups, and their ids may be those of others. */
    for (int i = 0; i < launch->count; i++)
        launch->session.groups[i] = 0;
    for (int i = 0; i < STRAY_ROUNDS; i++) {
        pid_t pid;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (pid < 0) return;
        if (tti_sweep_children(*launch->session.guardian) == 0) return;
        usleep(STRAY_PAUSE_US);
    }
}

void tti_launch_undo_start(tti_launch *launch)
{
    tti_launch_end_strays(launch);
    tti_rank_output_finish(&launch->server_words);
    for (int i = 0; i < launch->count; i++) {
        tti_rank_output_finish(&launch->ranks[i].out);
        tti_rank_output_finish(&launch->ranks[i].err);
    }
    tti_sink_flush(launch->out);
    tti_sink_flush(launch->err);
}
