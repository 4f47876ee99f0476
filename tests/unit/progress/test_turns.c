/* SPDX-License-Identifier: BSD-3-Clause */
/* Two jobs of a user on one processor see each other's turns, by a file that is the user's own. */
#include "runtime/progress/turns.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/expect.h"

#define MOST 2000000

static char folder[] = "/tmp/tutti-turns-XXXXXX", file[64];

static void stay_here(void)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    EXPECT(sched_setaffinity(0, sizeof here, &here) == 0);
}

static void test_two_jobs(void)
{
    tti_turns a = {0}, b = {0};
    tti_turns_open(&a);
    if (a.of == NULL) SKIP("no filesystem of this machine for temporary files");
    EXPECT(tti_turns_since(&a) == 0); /* no turn of its own has ended yet */
    tti_turns_end(&a, 50000, MOST);
    tti_turns_end(&b, 70000, MOST); /* takes no part */
    EXPECT(tti_turns_since(&a) == 0);
    tti_turns_open(&b);
    tti_turns_end(&b, 70000, MOST);
    EXPECT(tti_turns_since(&a) == 70000 && tti_turns_since(&b) == 0);
    tti_turns_end(&b, 5 * MOST, MOST); /* who has it for longer computes */
    EXPECT(tti_turns_since(&a) == 70000 + MOST);
    tti_turns_end(&b, 100, MOST); /* what does not add up is not written */
    EXPECT(tti_turns_since(&a) == 70000 + MOST);
    tti_turns_end(&a, 60000, MOST);
    EXPECT(tti_turns_since(&a) == 0 && tti_turns_since(&b) == 60000);
    tti_turns_close(&b);
    EXPECT(b.of == NULL && !b.opened);
    tti_turns_close(&a);
}

static void expect_unknown(void)
{
    tti_turns turns = {0};
    tti_turns_open(&turns);
    tti_turns_end(&turns, MOST, MOST);
    EXPECT(turns.of == NULL && tti_turns_since(&turns) == 0);
    tti_turns_close(&turns);
}

static void test_not_ours(void)
{
    char elsewhere[80];
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
    EXPECT(chmod(file, 0666) == 0);
    expect_unknown();
    EXPECT(rename(file, elsewhere) == 0 && chmod(elsewhere, 0600) == 0 && symlink(elsewhere, file) == 0);
    expect_unknown();
    EXPECT(unlink(file) == 0 && mkdir(file, 0700) == 0);
    expect_unknown();
    EXPECT(rmdir(file) == 0 && unlink(elsewhere) == 0);
}

static void test_no_folder(void)
{
    setenv("XDG_RUNTIME_DIR", "/proc", 1);
    setenv("XDG_CACHE_HOME", "/proc", 1);
    expect_unknown();
}

int main(void)
{
    EXPECT(mkdtemp(folder) != NULL);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    snprintf(file, sizeof file, "%s/tutti/turns", folder);
    stay_here();
    test_two_jobs();
    test_not_ours();
    test_no_folder();
    *strrchr(file, '/') = '\0';
    EXPECT(rmdir(file) == 0 && rmdir(folder) == 0);
    return 0;
}
