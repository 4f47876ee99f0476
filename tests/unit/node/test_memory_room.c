/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory there is, where the files that tell of it say what they say here. */
#include "runtime/node/memory_room.h"
#include "tests/unit/expect.h"
#include "tests/unit/fake_files.h"

#define GIB (UINT64_C(1) << 30)

/* To the byte. */
static void expect_room(const fake_file *as, uint64_t bytes)
{
    fake_files = as;
    EXPECT(tti_node_check_room("a test", bytes) == 0);
    EXPECT(tti_node_check_room("a test", bytes + 1) == TUTTI_ERR_NO_MEMORY);
}

#define MEMINFO                                                                                              \
    {                                                                                                        \
        "/proc/meminfo", "MemFree:  1 kB\nMemAvailable: 8388608 kB\n"                                        \
    }
#define END                                                                                                  \
    {                                                                                                        \
        NULL, NULL                                                                                           \
    }

int main(void)
{
    expect_room((const fake_file[]){MEMINFO, END}, 8 * GIB);
    /* Version 2, where a cgroup above has the limit. */
    expect_room((const fake_file[]){MEMINFO,
                                    {"/proc/self/cgroup", "0::/job/step\n"},
                                    {"/sys/fs/cgroup/job/step/memory.max", "max\n"},
                                    {"/sys/fs/cgroup/job/step/memory.current", "5\n"},
                                    {"/sys/fs/cgroup/job/memory.max", "4294967296\n"},
                                    {"/sys/fs/cgroup/job/memory.current", "1073741824\n"},
                                    END},
                3 * GIB);
    /* Most of what is used is a cache of files. */
    expect_room(
        (const fake_file[]){MEMINFO,
                            {"/proc/self/cgroup", "0::/\n"},
                            {"/sys/fs/cgroup/memory.max", "4294967296\n"},
                            {"/sys/fs/cgroup/memory.current", "4294967296\n"},
                            {"/sys/fs/cgroup/memory.stat",
                             "anon 5\nfile 2147483648\nshmem 7\ninactive_file 1073741824\nactive_file "
                             "536870912\nslab_reclaimable 536870912\nslab_unreclaimable 3\n"},
                            END},
        2 * GIB);
    /* Version 1, in a container that sees no more than its own cgroup, as the root. */
    expect_room(
        (const fake_file[]){
            MEMINFO,
            {"/proc/self/cgroup", "5:cpu,cpuacct:/else\n4:hugetlb,memory:/host/of/it\n0::/\n"},
            {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "3221225472\n"},
            {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "3221225471\n"},
            {"/sys/fs/cgroup/memory/memory.stat",
             "cache 9\ninactive_file 1\ntotal_cache 9\ntotal_inactive_file 1073741824\n"
             "total_active_file 1073741823\n"},
            END},
        2 * GIB);
    expect_room((const fake_file[]){MEMINFO,
                                    {"/proc/self/cgroup", "4:memory:/job\n"},
                                    {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n"},
                                    {"/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "2147483648\n"},
                                    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                                    {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n"},
                                    END},
                0);
    return 0;
}
