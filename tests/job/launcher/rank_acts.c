/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank for the launcher's tests: joins the job, meets the others, then does what its argument says.
 *   meet        leaves well
 *   die         rank 1 kills itself by SIGKILL, the others wait for ever
 *   survive     rank 1 kills itself by SIGKILL, the others wait to be told and print "told of 1"
 *   give-up     rank 1 kills itself by SIGKILL, rank 0 aborts the job when it is told, the others wait
 *   abort       rank 1 aborts the job with status 7, the others wait for ever
 *   stillborn   rank 1 kills itself before it joins; the others print the error of meeting it
 *   fail        rank 1 gives up when it has joined, as a tutti_init() that fails, and exits with 0; the
 *               others print the error of meeting it; it joins again in a job of one alone
 *   desert      rank 1 exits with 0 without leaving the job, the others wait for ever
 *   host        the same, after another program that it runs was refused, which inherits its name in the job
 *   quit        rank 1 exits with 3, the others with 1 when they are asked to end
 *   abort-wordily  the same, for a reason of 3000 bytes
 *   quit-many   all but the first and the last exit with 3; rank 0 aborts the job with 7 when it is told of
 *               one, the last waits for ever
 *   blame       rank 1 exits with 3; rank 0 aborts the job with 7 as soon as it sees that, and lives on
 *   desert-many all but rank 0 exit with 0 without leaving the job; rank 0 leaves when it is told of all
 *   halt        rank 0 halts the launcher for longer than PMIx waits for its answer at the end, and leaves
 *   halt-long   the same, until rank 0 has ended
 *   unheard     leaves well, but its connection ends without PMIx's own farewell
 *   fence       rank 0 waits for ever, the others for it in a fence; all print their process ids
 *   fence-fail  the same, but rank 0 exits with 3 while the others wait for it
 *   left        leaves, but its connection stays, under any launcher; waits for a file "go", and tells stderr
 *   rumours     hears that others lost their connections, and then that it has lost its own, though it has
 * not
 */
#include <dlfcn.h>
#include <pmix.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmi/client.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

static _Atomic int dead = -1, deaths;

static bool unheard;

/* In place of PMIx's. */
pmix_status_t PMIx_Finalize(const pmix_info_t info[], size_t count)
{
    pmix_status_t (*finalize)(const pmix_info_t *, size_t) = NULL;
    *(void **)&finalize = dlsym(RTLD_NEXT, "PMIx_Finalize");
    EXPECT(finalize != NULL);
    return unheard ? PMIX_SUCCESS : finalize(info, count);
}

static void note_death(int rank, void *context)
{
    (void)context;
    atomic_store(&dead, rank);
    atomic_fetch_add(&deaths, 1);
}

static void meet(const tti_job *job)
{
    int mine = 100 + job->rank, theirs = 0;
    const int next = (job->rank + 1) % job->size;
    size_t bytes = sizeof theirs;
    EXPECT(job->nodes == 1 && job->local_size == job->size && strcmp(job->launcher, "tuttirun") == 0);
    EXPECT(tti_pmi_put("acts", &mine, sizeof mine) == 0);
    EXPECT(tti_pmi_get(next, "acts", &theirs, &bytes, PATIENCE_NS) == 0);
    EXPECT(bytes == sizeof theirs && theirs == 100 + next);
    EXPECT(tti_pmi_fence(false) == 0);
}

static void wait_for_deaths(int count)
{
    for (int i = 0; i < PATIENCE_S * 100 && atomic_load(&deaths) < count; i++)
        usleep(10000);
}

/* The pause is for the others to be in the fence; if they are not yet, the test shows less. */
static void miss_fence(const tti_job *job, bool fail)
{
    char line[64];
    const int bytes = snprintf(line, sizeof line, "rank %d is %ld\n", job->rank, (long)getpid());
    EXPECT(write(STDOUT_FILENO, line, (size_t)bytes) == bytes);
    if (job->rank > 0) {
        tti_pmi_fence(false); /* broken off, or cut short by a signal */
        tti_pmi_close();
        exit(0);
    }
    if (fail) {
        usleep(20000);
        _exit(3);
    }
    sleep(10 * PATIENCE_S);
}

static void run_another(void)
{
    char command[64];
    snprintf(command, sizeof command, "/proc/%ld/exe meet", (long)getpid());
    const int status = system(command);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void act_last(const char *act)
{
    if (strcmp(act, "abort-wordily") == 0) {
        static char why[6 * 500 + 1];
        for (size_t at = 0; at + 6 < sizeof why; at += 6)
            memcpy(why + at, "words ", 6);
        tti_pmi_abort(7, why);
        exit(7);
    }
    if (strcmp(act, "abort") == 0) {
        tti_pmi_abort(7, "out of patience");
        exit(7);
    }
    if (strcmp(act, "host") == 0) run_another();
    if (strcmp(act, "desert") == 0 || strcmp(act, "host") == 0) exit(0);
    raise(SIGKILL);
}

static void exit_when_asked(int signal)
{
    (void)signal;
    _exit(1);
}

static void quit(const tti_job *job)
{
    signal(SIGTERM, exit_when_asked);
    EXPECT(tti_pmi_fence(false) == 0); /* all can be asked */
    if (job->rank == 1) _exit(3);
    sleep(10 * PATIENCE_S);
}

static void quit_many(const tti_job *job)
{
    if (job->rank == job->size - 1) sleep(10 * PATIENCE_S);
    if (job->rank > 0) _exit(3);
    wait_for_deaths(1);
    tti_pmi_abort(7, "not without the others");
    _exit(7);
}

static void desert_many(const tti_job *job)
{
    if (job->rank > 0) _exit(0);
    wait_for_deaths(job->size - 1);
    printf("told of %d deaths\n", atomic_load(&deaths));
}

static bool has_ended(pid_t process)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return true;
    const bool read = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    fclose(file);
    return !read || state == 'Z';
}

static void blame(const tti_job *job)
{
    pid_t process = getpid();
    size_t bytes = sizeof process;
    EXPECT(tti_pmi_put("process", &process, sizeof process) == 0);
    EXPECT(tti_pmi_get(1, "process", &process, &bytes, PATIENCE_NS) == 0);
    EXPECT(tti_pmi_fence(false) == 0);
    if (job->rank == 1) _exit(3);
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, process, 0), .events = POLLIN};
    if (job->rank == 0 && end.fd >= 0) EXPECT(poll(&end, 1, 1000 * PATIENCE_S) == 1);
    if (job->rank == 0) tti_pmi_abort(7, "not without rank 1");
    sleep(10 * PATIENCE_S);
}

/* Acts of whole jobs; they come back from those that leave well. */
static bool act_together(const tti_job *job, const char *act)
{
    static const struct {
        const char *name;
        void (*act)(const tti_job *job);
    } acts[] = {{"quit", quit}, {"quit-many", quit_many}, {"desert-many", desert_many}, {"blame", blame}};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(act, acts[i].name) != 0) continue;
        acts[i].act(job);
        return true;
    }
    return false;
}

static void wait_for_end(pid_t process)
{
    for (int i = 0; i < 10 * PATIENCE_S && !has_ended(process); i++)
        usleep(100000);
    if (has_ended(process)) printf("has left a launcher that is halted\n");
    fflush(stdout);
}

/* By a process that is not of the job's group, as the launcher may be: it must go on again. */
static void halt_launcher(bool until_end)
{
    const pid_t self = getpid(), launcher = getppid(), waker = fork();
    EXPECT(waker >= 0);
    if (waker == 0) {
        if (until_end)
            wait_for_end(self);
        else
            sleep(4);
        kill(launcher, SIGCONT);
        _exit(0);
    }
    kill(launcher, SIGSTOP);
}

/* The dead rank's record never comes, nor does it come to a fence: both must end, and soon. */
static void miss(const tti_job *job)
{
    int theirs;
    size_t bytes = sizeof theirs;
    const int got = tti_pmi_get(1, "acts", &theirs, &bytes, PATIENCE_NS);
    const int fenced = tti_pmi_fence(false);
    printf("rank %d: get %s, fence %s\n", job->rank, tutti_strerror(got), tutti_strerror(fenced));
}

static int fail(const tti_job *job)
{
    const int expected = job->size == 1 ? 0 : TUTTI_ERR_STATE;
    tti_pmi_give_up();
    EXPECT(tti_pmi_open(note_death, NULL, &job) == expected);
    tti_pmi_close();
    return 0;
}

static int leave(int rank)
{
    unheard = true;
    tti_pmi_close();
    fprintf(stderr, "rank %d is up\n", rank);
    for (int i = 0; i < 1000 * PATIENCE_S && access("go", F_OK) != 0; i++)
        usleep(10000);
    fprintf(stderr, "rank %d went on\n", rank);
    return 0;
}

/* News as PMIx tells it in this process: of `affected`, or of the source itself. */
static void tell_lost(const pmix_proc_t *source, const pmix_proc_t *affected)
{
    pmix_info_t info;
    if (affected != NULL) PMIX_INFO_LOAD(&info, PMIX_EVENT_AFFECTED_PROC, affected, PMIX_PROC);
    PMIx_Notify_event(PMIX_ERR_LOST_CONNECTION, source, PMIX_RANGE_PROC_LOCAL,
                      affected != NULL ? &info : NULL, affected != NULL ? 1 : 0, NULL, NULL);
    if (affected != NULL) PMIX_INFO_DESTRUCT(&info);
}

static void hear_rumours(void)
{
    const pmix_proc_t stranger = {.nspace = "of-another-job", .rank = 0};
    tell_lost(&stranger, NULL);
    tell_lost(&tti_pmi_self.server, &stranger);
    sleep(2); /* longer than a rank that is to end has for that */
    printf("lives on\n");
    fflush(stdout);
    tell_lost(&tti_pmi_self.server, NULL);
    sleep(10 * PATIENCE_S);
}

int main(int argc, char **argv)
{
    const tti_job *job;
    EXPECT(argc == 2);
    const bool stillborn = strcmp(argv[1], "stillborn") == 0;
    if (stillborn && strcmp(getenv("PMIX_RANK"), "1") == 0) raise(SIGKILL);
    EXPECT(tti_options_load(NULL) == 0);
    if (tti_pmi_open(note_death, NULL, &job) != 0) {
        fprintf(stderr, "rank_acts: %s\n", tutti_error_detail());
        return 1;
    }
    const bool fails = strcmp(argv[1], "fail") == 0;
    if (fails && (job->rank == 1 || job->size == 1)) return fail(job);
    if (stillborn || fails) {
        miss(job);
        tti_pmi_close();
        return 0;
    }
    if (strcmp(argv[1], "left") == 0) return leave(job->rank);
    if (strcmp(argv[1], "rumours") == 0) hear_rumours();
    meet(job);
    if (strncmp(argv[1], "fence", 5) == 0) miss_fence(job, strcmp(argv[1], "fence-fail") == 0);
    const bool halts = strncmp(argv[1], "halt", 4) == 0;
    if (halts && job->rank == 0) halt_launcher(strcmp(argv[1], "halt-long") == 0);
    unheard = strcmp(argv[1], "unheard") == 0;
    if (!act_together(job, argv[1]) && strcmp(argv[1], "meet") != 0 && !halts && !unheard) {
        if (job->rank == 1) act_last(argv[1]);
        wait_for_deaths(1);
        if (strcmp(argv[1], "give-up") == 0 && job->rank == 0) tti_pmi_abort(7, "not without rank 1");
        if (strcmp(argv[1], "survive") != 0) sleep(10 * PATIENCE_S);
        printf("told of %d\n", atomic_load(&dead));
    }
    tti_pmi_close();
    tti_options_unload();
    return 0;
}
