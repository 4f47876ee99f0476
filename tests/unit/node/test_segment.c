/* SPDX-License-Identifier: BSD-3-Clause */
/* The segment of a node: windows are small where address space is limited, and no core file holds it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "tests/sanitized.h"
#include "tests/unit/expect.h"

#define MANY 72 /* ranks, of which the segment takes GiBs */
#define LIMIT ((rlim_t)2 << 30)

static size_t large_window_of_many(void)
{
    return tti_node_shape_for(MANY).window_bytes[TTI_NODE_WINDOW_LARGE];
}

static void test_limited_windows(void)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    if (SANITIZED || limit.rlim_cur != RLIM_INFINITY) return;
    const size_t usual = large_window_of_many();
    EXPECT(usual == tti_node_shape_for(MANY / 2).window_bytes[TTI_NODE_WINDOW_LARGE]);
    EXPECT(setrlimit(RLIMIT_AS, &(struct rlimit){LIMIT, limit.rlim_max}) == 0);
    const tti_node_shape small = tti_node_shape_for(MANY);
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    EXPECT(small.window_bytes[TTI_NODE_WINDOW_LARGE] < usual && tti_node_layout_of(&small).total < LIMIT);
    EXPECT(large_window_of_many() == usual);
}

/* Reads on to the line of a mapping's flags. */
static bool is_left_out(FILE *maps)
{
    char line[512];
    while (fgets(line, sizeof line, maps) != NULL)
        if (strncmp(line, "VmFlags:", 8) == 0) return strstr(line, " dd") != NULL;
    return false;
}

static void test_core_file(void)
{
    char line[512];
    void *segment = NULL;
    tti_node *node;
    int found = 0;
    EXPECT(tti_node_open_threads(2, 0, &segment, &node) == 0);
    FILE *maps = fopen("/proc/self/smaps", "re");
    EXPECT(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "tutti-node") == NULL) continue;
        EXPECT(is_left_out(maps));
        found++;
    }
    fclose(maps);
    tti_node_close(node);
    EXPECT(found > 0);
}

/* What a program prints must not get into memory, although it has closed the descriptor for that. */
static void test_closed_descriptors(void)
{
    int kept[3], made[3];
    for (int i = 0; i < 3; i++)
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; i++)
        close(i);
    for (int i = 0; i < 3; i++)
        made[i] = tti_node_memfd("tutti-test", 4096);
    for (int i = 0; i < 3; i++)
        if (kept[i] >= 0) dup2(kept[i], i);
    for (int i = 0; i < 3; i++)
        EXPECT(made[i] > 2 && (fcntl(made[i], F_GETFD) & FD_CLOEXEC) != 0 && close(made[i]) == 0);
}

int main(void)
{
    test_closed_descriptors();
    test_limited_windows();
    test_core_file();
    return 0;
}
