/* SPDX-License-Identifier: BSD-3-Clause */
/* names RANKS node|messages|nodes COLLECTIVE: the algorithms that may be taken among so many ranks which all
 * share memory, or share none, or are on nodes of several; one a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/contract/contract.h"

static const char *const collectives[TTI_COLLECTIVES] = {
#define COLLECTIVE(NAME, ...) [TTI_##NAME] = #NAME,
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
};

/* Of near ranks no machine of a few processors has groups: tests/job/near. */
static bool may_be(const tti_algorithm *algorithm, int ranks, const char *where)
{
    const unsigned wants = algorithm->wants;
    return ((wants & TTI_NEEDS_NODES) == 0 || strcmp(where, "nodes") == 0) &&
           ((wants & TTI_NEEDS_WINDOW) == 0 || strcmp(where, "node") == 0) &&
           ((wants & TTI_NEEDS_EVEN) == 0 || ranks % 2 == 0) && (wants & TTI_NEEDS_GROUPS) == 0;
}

int main(int argc, char **argv)
{
    for (int c = 0; argc == 4 && c < TTI_COLLECTIVES; c++) {
        if (strcmp(collectives[c], argv[3]) != 0) continue;
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int i = 0; i < contract->count; i++)
            if (may_be(&contract->algorithms[i], atoi(argv[1]), argv[2])) puts(contract->algorithms[i].name);
        return 0;
    }
    fprintf(stderr, "usage: names RANKS node|messages|nodes COLLECTIVE\n");
    return 2;
}
