/* SPDX-License-Identifier: BSD-3-Clause */
/* All descriptors are closed or marked, and none below the first: by the kernel at once, as /proc lists them,
 * and by trying. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/open_files.h"
#include "tests/deny.h"
#include "tests/unit/expect.h"

#define FIRST 60
#define LAST 900

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

/* Ends as a child does: nothing of its own is open any more. */
static void check_all(const long denied[], int count)
{
    const struct rlimit limit = {LAST + 1, LAST + 1};
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (int fd = FIRST - 1; fd <= LAST; fd++) /* so many that one look at /proc does not tell of all */
        EXPECT(fd % 2 == 0 || dup2(STDERR_FILENO, fd) == fd);
    EXPECT(dup2(STDERR_FILENO, LAST) == LAST);
    for (int i = 0; i < count; i++)
        if (!deny(denied[i], ENOSYS)) SKIP("no seccomp filters here");
    tti_open_files_mark(FIRST);
    for (int fd = FIRST; fd <= LAST; fd++)
        EXPECT(!is_open(fd) || fcntl(fd, F_GETFD) == FD_CLOEXEC);
    EXPECT(is_open(FIRST + 1) && is_open(LAST) && fcntl(FIRST - 1, F_GETFD) == 0);
    tti_open_files_close(FIRST);
    for (int fd = FIRST; fd <= LAST; fd++)
        EXPECT(!is_open(fd));
    EXPECT(is_open(FIRST - 1) && is_open(STDERR_FILENO));
    _exit(0);
}

static void check_where_denied(int count)
{
    static const long denied[] = {SYS_close_range, SYS_getdents64};
    int how;
    const pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) check_all(denied, count);
    EXPECT(waitpid(pid, &how, 0) == pid && WIFEXITED(how));
    if (WEXITSTATUS(how) != 0) exit(WEXITSTATUS(how));
}

int main(void)
{
    for (int denied = 0; denied <= 2; denied++)
        check_where_denied(denied);
    return 0;
}
