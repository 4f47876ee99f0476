/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/machine_cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/machine/machine_cpus.h"

/* No processor has more. */
#define CACHES_MOST 16
#define LEVEL_MOST 16

int tti_machine_parse_cache(const char *level, const char *size, const char *cpus, int64_t *share)
{
    char *unit;
    cpu_set_t sharers;
    const long depth = strtol(level, NULL, 10), kib = strtol(size, &unit, 10);
    const int count = tti_machine_parse_cpus(cpus, &sharers) ? CPU_COUNT(&sharers) : 0;
    if (depth < 1 || depth > LEVEL_MOST || kib < 1 || *unit != 'K' || count < 1) return 0;
    *share = kib / count;
    return (int)depth;
}

static int read_cache(int cpu, int number, int64_t *share)
{
    static const char *const names[] = {"level", "size", "shared_cpu_list"};
    char text[sizeof names / sizeof names[0]][4096];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char what[48];
        snprintf(what, sizeof what, "cache/index%d/%s", number, names[i]);
        tti_machine_read(cpu, what, text[i], sizeof text[i]);
    }
    return tti_machine_parse_cache(text[0], text[1], text[2], share);
}

int64_t tti_machine_cache_share(int cpu)
{
    int64_t last = 0;
    int deepest = 0;
    for (int i = 0; i < CACHES_MOST; i++) {
        int64_t share;
        const int level = read_cache(cpu, i, &share);
        if (level == 0) break;
        if (level <= deepest) continue;
        last = share;
        deepest = level;
    }
    return last;
}
