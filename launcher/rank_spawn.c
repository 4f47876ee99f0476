/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/rank_spawn.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's errors, written in the launcher's memory: a vfork child shares it. One rank starts at a time.
 */
static volatile int child_error;
static const char *volatile child_step;

static void give_up(const char *step)
{
    child_error = errno;
    child_step = step;
    _exit(127);
}

/* Only system calls here: this runs in the launcher's memory while the launcher waits. */
static void become_rank(const tti_spawn *spawn, pid_t launcher)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up("prctl(PR_SET_PDEATHSIG)");
    if (getppid() != launcher) _exit(127); /* it died before the line above */
    if (setpgid(0, 0) != 0) give_up("setpgid");
    if (dup2(spawn->in, 0) < 0 || dup2(spawn->out, 1) < 0 || dup2(spawn->err, 2) < 0) give_up("dup2");
    if (spawn->cpus != NULL && sched_setaffinity(0, spawn->cpus_bytes, spawn->cpus) != 0)
        give_up("binding it to its processors (try --bind-to none)");
    if (spawn->wdir != NULL && chdir(spawn->wdir) != 0) give_up("entering its --wdir");
    setrlimit(RLIMIT_NOFILE, spawn->files);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, spawn->signals, NULL);
    execve(spawn->path, spawn->arguments, spawn->environment);
    give_up("");
}

pid_t tti_rank_spawn(const tti_spawn *spawn, int *error, const char **step)
{
    const pid_t launcher = getpid();
    child_error = 0;
    const pid_t pid = vfork();
    if (pid == 0) become_rank(spawn, launcher);
    if (pid < 0) {
        *error = errno;
        *step = "starting a process (raise ulimit -u)";
        return -1;
    }
    if (child_error == 0) return pid;
    waitpid(pid, NULL, 0);
    *error = child_error;
    *step = child_step;
    return -1;
}
