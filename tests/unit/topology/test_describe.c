/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/describe.h"

#include <string.h>

#include "tests/unit/topology/recorded.h"

static void append(const char *subject, const char *what, const char *value, void *context)
{
    char *told = context;
    EXPECT(strcmp(subject, "a rank on each core") == 0);
    const size_t used = strlen(told);
    snprintf(told + used, 1024 - used, "%s: %s\n", what, value);
}

static void test_groups(void)
{
    static const struct {
        const char *machine, *told;
    } rows[] = {
        {"epyc-2x64", "L2 cache: 128 groups of 1\nL3 cache: 16 groups of 8\nNUMA node: 1 group of 128\n"
                      "package: 2 groups of 64\nhierarchy: by L3 cache: 16 groups of 8\n"},
        {"hybrid-6-8", "L2 cache: 8 groups of 1 to 4\nL3 cache: 1 group of 14\nNUMA node: 1 group of 14\n"
                       "package: 1 group of 14\nhierarchy: by L2 cache: 8 groups of 1 to 4\n"},
        {"bare-4", "L2 cache: none shown\nL3 cache: none shown\nNUMA node: 1 group of 4\n"
                   "package: none shown\nhierarchy: none saves steps\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char told[1024] = "";
        tti_topology *machine = open_machine(rows[i].machine);
        EXPECT(tti_topology_tell_groups(machine, append, told) == 0);
        if (strcmp(told, rows[i].told) != 0) fprintf(stderr, "%s:\n%s", rows[i].machine, told);
        EXPECT(strcmp(told, rows[i].told) == 0);
        tti_topology_close(machine);
    }
}

int main(void)
{
    test_groups();
    return 0;
}
