/* SPDX-License-Identifier: BSD-3-Clause */
/* Two jobs of a user on one processor see each other's turns, and gaps between them, by a file that is the
 * user's own. */
#include "runtime/progress/turns.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/expect.h"

#define GAP INT64_C(2500000)

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
    int64_t now = 1000 * GAP;
    tti_turns a = {0}, b = {0};
    tti_turns_open(&a);
    if (a.of == NULL) SKIP("no filesystem of this machine for temporary files");
    EXPECT(tti_turns_missed(&a) < 0); /* no turn of its own has ended yet */
    tti_turns_end(&a, now);
    EXPECT(tti_turns_missed(&a) == 0);
    tti_turns_begin(&b, now + GAP / 2); /* takes no part */
    EXPECT(tti_turns_missed(&b) < 0);
    tti_turns_begin(&a, now += GAP); /* nobody has had it since its last turn */
    EXPECT(tti_turns_missed(&a) == GAP);
    tti_turns_open(&b);
    tti_turns_end(&a, now);
    for (int i = 0; i < 100; i++) {
        tti_turns_begin(&b, now += GAP / 100);
        tti_turns_end(&b, now += GAP / 50);
    }
    tti_turns_begin(&a, now);
    EXPECT(tti_turns_missed(&a) == 0); /* long as it was away, ranks have had it */
    tti_turns_end(&a, now);
    tti_turns_begin(&b, now += GAP);
    tti_turns_begin(&a, now += 2 * GAP);
    EXPECT(tti_turns_missed(&a) == 3 * GAP); /* whoever saw it end */
    tti_turns_close(&b);
    EXPECT(b.of == NULL && !b.opened);
    tti_turns_close(&a);
}

static void expect_unknown(void)
{
    tti_turns turns = {0};
    tti_turns_open(&turns);
    tti_turns_end(&turns, GAP);
    tti_turns_begin(&turns, 3 * GAP);
    EXPECT(turns.of == NULL && tti_turns_missed(&turns) < 0);
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
    snprintf(file, sizeof file, "%s/tutti/last-turns", folder);
    stay_here();
    test_two_jobs();
    test_not_ours();
    test_no_folder();
    *strrchr(file, '/') = '\0';
    EXPECT(rmdir(file) == 0 && rmdir(folder) == 0);
    return 0;
}
