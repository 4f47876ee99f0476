/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring: what is measured is believable, ends, leaves the caller as it was, and is had on a busy machine,
 * too; and where it is done. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/machine/machine_cache.h"
#include "runtime/machine/machine_cpus.h"
#include "runtime/machine/machine_measure.h"
#include "tests/unit/expect.h"

/* By what makes a sample longer than all may take. */
#if defined(__SANITIZE_THREAD__)
#define SLOWED true
#else
#define SLOWED false
#endif

/* So many are made, and more, each longer than the one before, until the first figure: a busy machine may
 * keep the threads from running for all of the time of one, and a slow one needs it for their memory. */
#define TRIES 20
#define LONGEST_NS 5000000
#define TRIES_MOST 200

static void expect_believable(const tti_figures *figures)
{
    for (int i = 0; i < TTI_FIGURES; i++) {
        const int64_t value = figures->value[i];
        EXPECT(value == TTI_FIGURE_UNKNOWN || tti_figure_fits((enum tti_figure)i, value));
    }
}

static void test_figures(void)
{
    tti_figures samples[TTI_FIGURES_SAMPLES], all = tti_figures_unknown();
    cpu_set_t before, after;
    EXPECT(sched_getaffinity(0, sizeof before, &before) == 0);
    for (int i = 0; i < TRIES || (i < TRIES_MOST && all.value[TTI_FIGURE_COPY_MIB] < 0); i++) {
        const int64_t more = i < TRIES ? 1 : i - TRIES + 2;
        const tti_figures now = tti_machine_measure(more * LONGEST_NS);
        expect_believable(&now);
        samples[i % TTI_FIGURES_SAMPLES] = now;
        all = tti_figures_middle(samples, i < TTI_FIGURES_SAMPLES ? i + 1 : TTI_FIGURES_SAMPLES);
    }
    EXPECT(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
    expect_believable(&all);
    EXPECT(SLOWED || all.value[TTI_FIGURE_COPY_MIB] > 0);
    for (int i = 0; i < TTI_FIGURES; i++)
        fprintf(stderr, "%s %lld\n", tti_figure_describe((enum tti_figure)i)->name, (long long)all.value[i]);
}

/* Beside threads that leave no processor idle. One that is patient gets what takes two processors all the
 * same. */
#define BUSY 4
#define PATIENT_NS 1000000000

static atomic_bool busy_over;

static void *be_busy(void *nothing)
{
    while (!atomic_load(&busy_over))
        ;
    return nothing;
}

static bool is_known(const tti_figures *figures)
{
    return figures->value[TTI_FIGURE_LINE] > 0 && figures->value[TTI_FIGURE_PIECE_MIB] > 0 &&
           figures->value[TTI_FIGURE_SHARED_MIB] > 0;
}

static void test_busy(void)
{
    pthread_t threads[BUSY];
    tti_figures now = tti_figures_unknown();
    cpu_set_t own;
    EXPECT(sched_getaffinity(0, sizeof own, &own) == 0);
    for (int i = 0; i < BUSY; i++)
        EXPECT(pthread_create(&threads[i], NULL, be_busy, NULL) == 0);
    for (int i = 0; i < TRIES && !is_known(&now); i++)
        now = tti_machine_measure(PATIENT_NS);
    EXPECT(CPU_COUNT(&own) < 2 || is_known(&now));
    atomic_store(&busy_over, true);
    for (int i = 0; i < BUSY; i++)
        pthread_join(threads[i], NULL);
}

static cpu_set_t set_of(const char *text)
{
    cpu_set_t set;
    EXPECT(tti_machine_parse_cpus(text, &set));
    return set;
}

static void test_lists(void)
{
    static const char *const wrong[] = {"", "a", "1,", "3-1", "-1", "0-", "99999", "1 2", "0-3;", "1,,2"};
    cpu_set_t set = set_of("0-3,8\n");
    EXPECT(CPU_COUNT(&set) == 5 && CPU_ISSET(3, &set) && CPU_ISSET(8, &set) && !CPU_ISSET(4, &set));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        EXPECT(!tti_machine_parse_cpus(wrong[i], &set));
}

static void expect_cache(const char *level, const char *size, const char *cpus, int depth, int64_t share)
{
    int64_t found = -1;
    EXPECT(tti_machine_parse_cache(level, size, cpus, &found) == depth && found == share);
}

static void test_caches(void)
{
    expect_cache("3\n", "32768K\n", "0-1\n", 3, 16384);
    expect_cache("1", "48K", "7", 1, 48);
    expect_cache("", "", "", 0, -1);
    expect_cache("3", "32768", "0-1", 0, -1);
    expect_cache("3", "0K", "0-1", 0, -1);
    expect_cache("3", "32768K", "none", 0, -1);
    expect_cache("99", "32768K", "0-1", 0, -1);
}

static int choose(int cpu, const char *own, const char *all, const char *core, const char *package)
{
    const cpu_set_t o = set_of(own), a = set_of(all), c = set_of(core), p = set_of(package);
    return tti_machine_choose_cpu(cpu, &o, &a, &c, &p);
}

/* A machine of two packages of four cores of two threads: core k has processors k and k + 8. */
static void test_choice(void)
{
    EXPECT(choose(0, "0-15", "0-15", "0,8", "0-3,8-11") == 1);
    EXPECT(choose(3, "0-15", "0-15", "3,11", "0-3,8-11") == 8);
    EXPECT(choose(9, "9", "0-15", "1,9", "0-3,8-11") == 10);   /* bound to one: the next that it may use */
    EXPECT(choose(1, "1,6", "0-15", "1,9", "0-3,8-11") == 2);  /* rather near than bound to it */
    EXPECT(choose(1, "1,6", "1,6,9", "1,9", "0-3,8-11") == 6); /* rather far than on the same core */
    EXPECT(choose(1, "1,9", "1,9", "1,9", "0-3,8-11") == 9);   /* there is no other */
    EXPECT(choose(5, "5", "5", "5", "4-7") == -1);
}

int main(void)
{
    test_lists();
    test_caches();
    test_choice();
    test_figures();
    if (!SLOWED) test_busy();
    return 0;
}
