/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/session.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/launcher_report.h"
#include "launcher/process_sweep.h"
#include "launcher/shm_sweep.h"
#include "runtime/base/open_files.h"
#include "runtime/base/process_room.h"

/* The guardian looks for survivors this often at most: one that forks while we look is found the next time.
 */
#define SWEEPS 50
#define SWEEP_PAUSE_US 10000
#define GOODBYE_MS 1000

static int remove_entry(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    (void)is, (void)kind, (void)at;
    remove(path);
    return 0;
}

static void remove_traces(const tti_session *session)
{
    nftw(session->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    tti_shm_sweep(session->pids, session->ranks, session->since);
}

static void kill_groups(const tti_session *session)
{
    for (int i = 0; i < session->ranks; i++) {
        if (session->groups[i] > 0) kill(-session->groups[i], SIGKILL);
    }
}

static void clean_after_launcher(const tti_session *session)
{
    char mark[sizeof session->name + 16];
    snprintf(mark, sizeof mark, "PMIX_NAMESPACE=%s", session->name);
    kill_groups(session);
    for (int i = 0; i < SWEEPS && tti_sweep_marked(mark) > 0; i++)
        usleep(SWEEP_PAUSE_US);
    remove_traces(session);
}

/* Waits for the launcher's goodbye, a byte; the end of the connection without it means that the launcher is
 * dead. It lives in a session of its own and holds no descriptor of the launcher's, so that it outlives a
 * terminal and keeps no pipe open. */
static void guard(const tti_session *session, const int ends[2])
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    prctl(PR_SET_NAME, TTI_GUARDIAN_NAME);
    /* In a job inside a job the outer guardian looks for its mark in what we inherited: it must not find us.
     */
    for (char **at = environ; *at != NULL; at++)
        memset(*at, 0, strlen(*at));
    close(ends[1]); /* the launcher's: whatever else may stay open, the end is seen */
    dup2(ends[0], 0);
    tti_open_files_close(1);
    if (chdir("/") != 0) _exit(1);
    char byte;
    if (read(0, &byte, 1) != 1) clean_after_launcher(session);
    _exit(0);
}

/* Two forks: the guardian is nobody's child that we know of, so that who kills the launcher with all its
 * descendants (CTest after a timeout, batch systems) does not find it. False if it could not be started. */
static bool fork_guardian(tti_session *session, const int ends[2])
{
    int how = 1;
    const pid_t middle = fork();
    if (middle == 0) {
        const pid_t guardian = fork();
        if (guardian == 0) guard(session, ends);
        *session->guardian = guardian;
        _exit(guardian < 0);
    }
    if (middle > 0) waitpid(middle, &how, 0);
    return how == 0;
}

static int start_guardian(tti_session *session)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot make a socket", "raise ulimit -n");
    const bool started = fork_guardian(session, ends);
    close(ends[0]);
    session->leash = ends[1];
    if (started) return 0;
    char room[TTI_PROCESS_ROOM];
    tti_process_room_describe(room);
    return tti_launcher_refuse(TTI_STATUS_USAGE, "cannot start a process of tuttirun's own: %s", room);
}

/* Says goodbye and sees the guardian off, so that nothing at all is left when the launcher has ended. */
static void end_guardian(tti_session *session)
{
    struct pollfd gone = {.fd = session->leash, .events = POLLIN};
    if (send(session->leash, "", 1, MSG_NOSIGNAL) == 1) poll(&gone, 1, GOODBYE_MS);
    close(session->leash);
}

static size_t table_bytes(const tti_session *session)
{
    return (2 * (size_t)session->ranks + 1) * sizeof(pid_t);
}

static int make_tables(tti_session *session)
{
    void *shared =
        mmap(NULL, table_bytes(session), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot map memory", "free some memory");
    session->groups = shared;
    session->pids = session->groups + session->ranks;
    session->guardian = session->pids + session->ranks;
    return 0;
}

/* By its whole name: the guardian and ranks with --wdir work elsewhere. */
static int make_directory(const char *parent, tti_session *session)
{
    char whole[PATH_MAX];
    if (realpath(parent, whole) != NULL) {
        const int n = snprintf(session->directory, sizeof session->directory, "%s/tuttirun.XXXXXX", whole);
        if (n >= (int)sizeof session->directory) errno = ENAMETOOLONG;
        if (n < (int)sizeof session->directory && mkdtemp(session->directory) != NULL) return 0;
    }
    session->directory[0] = '\0';
    return tti_launcher_refuse(TTI_STATUS_USAGE,
                               "cannot make a directory in %s: %s; set TMPDIR to a directory with room",
                               parent, strerror(errno));
}

/* Unique and secret: see job_server.h. */
static int make_name(tti_session *session)
{
    uint64_t secret[2];
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot get random bits for the job's name",
                                         "allow getrandom() here");
    snprintf(session->name, sizeof session->name, "tuttirun-%016" PRIx64 "%016" PRIx64, secret[0], secret[1]);
    return 0;
}

int tti_session_open(const char *parent, int ranks, tti_session *session)
{
    *session = (tti_session){.since = time(NULL), .ranks = ranks, .leash = -1};
    int status = make_directory(parent, session);
    if (status != 0) return status;
    status = make_name(session);
    if (status == 0) status = make_tables(session);
    if (status == 0) status = start_guardian(session);
    if (status != 0) rmdir(session->directory);
    return status;
}

void tti_session_close(tti_session *session)
{
    kill_groups(session);
    remove_traces(session);
    end_guardian(session);
    munmap(session->groups, table_bytes(session));
}
