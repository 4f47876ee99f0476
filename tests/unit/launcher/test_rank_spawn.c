/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank finds open: what the launcher was started with, nothing that it opened since, marked or not. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/inherited_files.h"
#include "launcher/rank_spawn.h"
#include "tests/unit/expect.h"

/* Whether a rank that starts now finds the descriptor open. */
static int finds(int fd)
{
    char name[] = "sh", option[] = "-c", program[64];
    const char *step = NULL;
    int error = 0, how = -1;
    snprintf(program, sizeof program, "test -e /proc/self/fd/%d", fd);
    char *arguments[] = {name, option, program, NULL}, *environment[] = {NULL};
    sigset_t signals;
    struct rlimit limit;
    sigemptyset(&signals);
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const tti_spawn spawn = {.path = "/bin/sh",
                             .arguments = arguments,
                             .environment = environment,
                             .out = STDOUT_FILENO,
                             .err = STDERR_FILENO,
                             .signals = &signals,
                             .files = &limit};
    const pid_t rank = tti_rank_spawn(&spawn, &error, &step);
    EXPECT(rank > 0 && waitpid(rank, &how, 0) == rank && WIFEXITED(how));
    return WEXITSTATUS(how) == 0;
}

int main(void)
{
    const int brought = fcntl(STDOUT_FILENO, F_DUPFD, 20);
    EXPECT(brought >= 20);
    tti_inherited_note();
    const int later = fcntl(STDOUT_FILENO, F_DUPFD, brought + 1);
    const int marked = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, later + 1);
    EXPECT(later > brought && marked > later);
    EXPECT(finds(brought));
    EXPECT(!finds(later) && !finds(marked));
    tti_inherited_forget();
    EXPECT(!finds(brought));
    return 0;
}
