/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom and what the sweep takes, and what it leaves alone: guardians, and files in /dev/shm that are not
 * certainly of the job. Every name holds the process id of this test, so that nothing here meets another. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/process_sweep.h"
#include "launcher/shm_sweep.h"
#include "tests/unit/expect.h"

static pid_t start(const char *name)
{
    int ready[2];
    char byte;
    EXPECT(pipe(ready) == 0);
    const pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, name);
        signal(SIGTERM, SIG_IGN); /* a guardian has its file to remove first */
        EXPECT(write(ready[1], "", 1) == 1);
        for (;;)
            pause();
    }
    EXPECT(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void expect_killed(pid_t pid)
{
    int how;
    EXPECT(waitpid(pid, &how, 0) == pid && WIFSIGNALED(how));
}

static void test_children(void)
{
    const pid_t own = start(TTI_GUARDIAN_NAME), inner = start(TTI_GUARDIAN_NAME), stray = start("stray");
    tti_children found;
    tti_sweep_count(own, &found);
    EXPECT(found.count == 1 && found.pid == stray && strcmp(found.name, "stray") == 0);
    EXPECT(tti_sweep_children(own) == 2);
    siginfo_t is;
    EXPECT(waitid(P_PID, (id_t)stray, &is, WEXITED | WNOWAIT) == 0);
    tti_sweep_count(own, &found); /* what has ended is nobody to name */
    EXPECT(found.count == 0);
    expect_killed(stray);
    EXPECT(tti_sweep_children(own) == 1);
    EXPECT(waitpid(inner, NULL, WNOHANG) == 0 && waitpid(own, NULL, WNOHANG) == 0);
    kill(inner, SIGKILL);
    expect_killed(inner);
    EXPECT(tti_sweep_children(own) == 0); /* its own guardian is nobody to wait for */
    kill(own, SIGKILL);
    expect_killed(own);
}

/* Last: who is spared stays so. */
static void test_present(void)
{
    tti_sweep_spare_present();
    EXPECT(!tti_sweep_spares_any());
    const pid_t before = start("before");
    tti_sweep_spare_present();
    const pid_t stray = start("stray");
    tti_children found;
    tti_sweep_count(0, &found);
    EXPECT(tti_sweep_spares_any() && found.count == 1 && found.pid == stray);
    EXPECT(tti_sweep_children(0) == 1);
    expect_killed(stray);
    EXPECT(tti_sweep_children(0) == 0 && waitpid(before, NULL, WNOHANG) == 0);
    kill(before, SIGKILL);
    expect_killed(before);
}

/* A file of /dev/shm that may be swept. */
typedef struct {
    const char *format; /* of its name, from process and user id */
    bool held, swept;
} candidate;

static const candidate candidates[] = {
    {"%d:%d:0", false, true},        {"%d:%d:17", false, true},    {"%d:%d:1", true, false},
    {"result-%d-%d", false, false},  {"%d:%d", false, false},      {"%d:%d:0.keep", false, false},
    {"0%d:%d:0", false, false},      {"run%d:%d:0", false, false}, {"%d:%d9:0", false, false},
    {"%d.of.user.%d", false, false}, {"%d:%d:0:0", false, false},  {"%d:%d:-1", false, false},
};
#define CANDIDATES (sizeof candidates / sizeof candidates[0])

static void name_of(size_t i, char name[96])
{
    char inner[64];
    snprintf(inner, sizeof inner, candidates[i].format, (int)getpid(), (int)geteuid());
    snprintf(name, 96, "/dev/shm/%s", inner);
}

/* Its memory stays mapped where it is to be held: a descriptor is not needed for that. */
static void *make(size_t i)
{
    char name[96];
    void *at = NULL;
    name_of(i, name);
    const int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT(fd >= 0 && ftruncate(fd, 4096) == 0);
    if (candidates[i].held) {
        at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        EXPECT(at != MAP_FAILED);
    }
    close(fd);
    return at;
}

static void test_shared_memory(void)
{
    void *maps[CANDIDATES];
    char name[96];
    const pid_t pids[] = {0, getpid()};
    const time_t since = time(NULL) - 1;
    for (size_t i = 0; i < CANDIDATES; i++)
        maps[i] = make(i);
    tti_shm_sweep(pids, 1, since);
    tti_shm_sweep(pids, 2, since + 3600);
    for (size_t i = 0; i < CANDIDATES; i++) {
        name_of(i, name);
        EXPECT(access(name, F_OK) == 0); /* of no process of the job; made before it */
    }
    tti_shm_sweep(pids, 2, since);
    for (size_t i = 0; i < CANDIDATES; i++) {
        name_of(i, name);
        const bool is_there = access(name, F_OK) == 0;
        if (is_there == candidates[i].swept) fprintf(stderr, "%s %s\n", name, is_there ? "left" : "swept");
        EXPECT(is_there != candidates[i].swept);
        if (maps[i] != NULL) munmap(maps[i], 4096);
        unlink(name);
    }
}

/* Ids of ten digits, as directories of large sites give, and those above INT_MAX. */
static void test_users(void)
{
    static const uid_t users[] = {1234567890U, 4000000000U};
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++) {
        int how;
        const pid_t pid = fork();
        EXPECT(pid >= 0);
        if (pid == 0) {
            if (setresuid(users[i], users[i], users[i]) != 0) _exit(0); /* only root may, where they exist */
            test_shared_memory();
            _exit(0);
        }
        EXPECT(waitpid(pid, &how, 0) == pid && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
}

int main(void)
{
    test_children();
    test_shared_memory();
    test_users();
    test_present();
    return 0;
}
