/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/rank_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/inherited_files.h"

/* What a child that could not become a rank sends before it ends. `step` points to a literal. */
typedef struct {
    int error;
    const char *step;
} complaint;

static void give_up(int report, const char *step)
{
    const complaint what = {errno, step};
    if (write(report, &what, sizeof what) < 0) _exit(126);
    _exit(127);
}

/* Only system calls here: this runs in the launcher's memory while the launcher waits. */
static void become_rank(const tti_spawn *spawn, pid_t launcher, int report)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(report, "prctl(PR_SET_PDEATHSIG)");
    if (getppid() != launcher) _exit(127); /* it died before the line above */
    if (setpgid(0, 0) != 0) give_up(report, "setpgid");
    if (dup2(spawn->in, 0) < 0 || dup2(spawn->out, 1) < 0 || dup2(spawn->err, 2) < 0) give_up(report, "dup2");
    if (spawn->cpus != NULL && sched_setaffinity(0, spawn->cpus_bytes, spawn->cpus) != 0)
        give_up(report, "binding it to its processors (try --bind-to none)");
    if (spawn->wdir != NULL && chdir(spawn->wdir) != 0) give_up(report, "entering its --wdir");
    tti_inherited_pass_on();
    setrlimit(RLIMIT_NOFILE, spawn->files);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, spawn->signals, NULL);
    execve(spawn->path, spawn->arguments, spawn->environment);
    give_up(report, "");
}

pid_t tti_rank_spawn(const tti_spawn *spawn, int *error, const char **step)
{
    int report[2]; /* closed by a successful execve(), so that reading it ends at once */
    complaint what = {0, "starting a process (raise ulimit -u or -n)"};
    pid_t pid = -1;
    const pid_t launcher = getpid();
    if (pipe2(report, O_CLOEXEC) == 0) {
        pid = vfork();
        if (pid == 0) become_rank(spawn, launcher, report[1]);
        what.error = errno;
        close(report[1]);
        if (pid > 0 && read(report[0], &what, sizeof what) == (ssize_t)sizeof what) {
            waitpid(pid, NULL, 0);
            pid = -1;
        }
        close(report[0]);
    } else {
        what.error = errno;
    }
    *error = what.error;
    *step = what.step;
    return pid;
}
