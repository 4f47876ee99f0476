/* SPDX-License-Identifier: BSD-3-Clause */
/* Deaths are heard of, too, when the program has lowered its limit of descriptors below what is watched. */
#include "runtime/node/death_watch.h"

#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/node/view.h"

#define RANKS 5
#include "tests/unit/node/node_processes.h"

static _Atomic bool died[RANKS];

static void on_death(int rank)
{
    atomic_store(&died[rank], true);
}

static void await_death(int rank)
{
    while (!atomic_load(&died[rank]))
        usleep(1000);
}

/* All others have come, and the last one is the last that the watch begins with: once its death is heard all
 * are watched. */
static void hear(tti_node *node)
{
    struct rlimit limit;
    tti_node_deaths *deaths = tti_node_deaths_open(node, on_death);
    EXPECT(deaths != NULL);
    await_death(RANKS - 1);
    EXPECT(tti_node_deaths_are_all_heard(deaths));
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
    EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0);
    for (int rank = 1; rank < RANKS - 1; rank++) {
        EXPECT(!atomic_load(&died[rank]));
        atomic_store(&shared->words[rank], 1);
        await_death(rank);
    }
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    tti_node_deaths_close(deaths);
}

static void rank_main(int index)
{
    const tti_job job = job_of(index);
    tti_node *node;
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_node_open(&job, &node) == 0);
    meet(0, 0);
    while (index > 0 && index < RANKS - 1 && atomic_load(&shared->words[index]) == 0)
        usleep(1000);
    if (index > 0) _exit(0);
    hear(node);
    tti_node_close(node);
    tti_options_unload();
}

int main(void)
{
    return run_processes(rank_main, -1);
}
