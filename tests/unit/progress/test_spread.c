/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is to have its turns elsewhere is there when the look ends, and bound no more than before. */
#include "runtime/progress/spread.h"

#include <sched.h>
#include <stdlib.h>

#include "runtime/base/options.h"
#include "runtime/node/places.h"
#include "tests/unit/expect.h"

static char node;
static int noted, takes, better = TTI_NODE_NOWHERE, was_at = TTI_NODE_NOWHERE, last_noted;

void tti_node_note_place(const tti_node *of, int cpu)
{
    EXPECT((const char *)of == &node && cpu >= 0);
    last_noted = cpu;
    noted++;
}

int tti_node_take_place(const tti_node *of, int64_t now)
{
    EXPECT((const char *)of == &node && now > 0);
    takes++;
    return better;
}

static void look(tti_spread *spread, int64_t now)
{
    tti_spread_look(spread, (const tti_node *)&node, now);
}

/* Many looks a microsecond apart are but a few. */
static void test_seldom(void)
{
    tti_spread spread = {0};
    for (int64_t now = 1; now < 10000000; now += 1000)
        look(&spread, now);
    EXPECT(takes == noted && takes >= 5 && takes <= 20);
}

/* Bound to one processor the thread is there at once. */
int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *cpus);
int __real_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *cpus);
int __wrap_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *cpus)
{
    const int code = __real_sched_setaffinity(pid, bytes, cpus);
    if (CPU_COUNT(cpus) == 1 && CPU_ISSET(sched_getcpu(), cpus)) was_at = sched_getcpu();
    return code;
}

static cpu_set_t allowed(void)
{
    cpu_set_t cpus;
    EXPECT(sched_getaffinity(0, sizeof cpus, &cpus) == 0);
    return cpus;
}

static void test_moves(void)
{
    const cpu_set_t before = allowed();
    tti_spread spread = {0};
    for (better = 0; better < CPU_SETSIZE; better++) {
        if (!CPU_ISSET(better, &before)) continue;
        look(&spread, spread.next + 1);
        const cpu_set_t after = allowed();
        EXPECT(was_at == better && CPU_EQUAL(&before, &after));
    }
}

/* What this thread may not use any more it does not go to. */
static void test_forbidden(void)
{
    const cpu_set_t before = allowed();
    cpu_set_t one;
    tti_spread spread = {0};
    if (CPU_COUNT(&before) < 2) return;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
    for (better = 0; !CPU_ISSET(better, &before) || CPU_ISSET(better, &one); better++)
        continue;
    look(&spread, 1);
    const cpu_set_t after = allowed();
    EXPECT(was_at != better && CPU_EQUAL(&one, &after));
    EXPECT(last_noted >= CPU_SETSIZE && spread.next == INT64_MAX); /* nor is it taken for one that may go */
    EXPECT(sched_setaffinity(0, sizeof before, &before) == 0);
}

static void test_option(void)
{
    tti_spread spread = {0};
    const int before = takes;
    tti_options_unload();
    setenv("TUTTI_SPREAD", "no", 1);
    EXPECT(tti_options_load(NULL) == 0);
    look(&spread, 1);
    EXPECT(takes == before);
    tti_options_unload();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    test_seldom();
    test_moves();
    test_forbidden();
    test_option();
    return 0;
}
