/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors' time a cgroup gives, as its files have it. */
#include <limits.h>

#include "launcher/cpu_quota.h"
#include "tests/unit/expect.h"
#include "tests/unit/fake_files.h"

static void test_text(void)
{
    static const struct {
        const char *text;
        int processors;
    } rows[] = {{"max 100000\n", INT_MAX},  {"200000 100000\n", 2},
                {"150000 100000\n", 2},     {"1000 100000\n", 1},
                {"-1\n 100000\n", INT_MAX}, {"50000\n 50000\n", 1},
                {"0 100000", INT_MAX},      {"100000 0", INT_MAX},
                {"100000", INT_MAX},        {"", INT_MAX},
                {"much more", INT_MAX},     {"9000000000000000000 1", INT_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        EXPECT(tti_cpu_quota_of(rows[i].text) == rows[i].processors);
}

#define END                                                                                                  \
    {                                                                                                        \
        NULL, NULL                                                                                           \
    }

static int quota_in(const fake_file *files)
{
    fake_files = files;
    return tti_cpu_quota();
}

static void test_version_2(void)
{
    EXPECT(quota_in((const fake_file[]){END}) == INT_MAX);
    /* The least of those above counts as well. */
    EXPECT(quota_in((const fake_file[]){{"/proc/self/cgroup", "0::/pod/container/step\n"},
                                        {"/sys/fs/cgroup/pod/container/step/cpu.max", "max 100000\n"},
                                        {"/sys/fs/cgroup/pod/container/cpu.max", "800000 100000\n"},
                                        {"/sys/fs/cgroup/pod/cpu.max", "350000 100000\n"},
                                        END}) == 4);
    /* A container sees its own cgroup as the root. */
    EXPECT(quota_in((const fake_file[]){
               {"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}, END}) == 2);
}

static void test_version_1(void)
{
    EXPECT(quota_in(
               (const fake_file[]){{"/proc/self/cgroup", "5:memory:/else\n4:cpu,cpuacct:/docker/id\n0::/\n"},
                                   {"/sys/fs/cgroup/cpu/docker/id/cpu.cfs_quota_us", "-1\n"},
                                   {"/sys/fs/cgroup/cpu/docker/id/cpu.cfs_period_us", "100000\n"},
                                   {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n"},
                                   {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
                                   END}) == 3);
}

int main(void)
{
    test_text();
    test_version_2();
    test_version_1();
    return 0;
}
