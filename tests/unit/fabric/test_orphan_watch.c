/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is held by a dead process's lock, and who is only slow: a rank that spins inside one call after a death
 * ends the job; one that sleeps, that gets no core, that makes many calls, or that knows of no death does
 * not. */
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/orphan_watch.h"
#include "tests/unit/expect.h"

/* More processor time than the watch allows. */
#define LONG_NS (4 * TTI_NS_PER_SECOND / 5)
#define ABORTED 77

static int dead = -1;
static int reasons; /* pipe: the word of who aborts */

int tti_pmi_dead_rank(void)
{
    return dead;
}

void tti_pmi_abort(int code, const char *why)
{
    EXPECT(code == 1 && write(reasons, why, strlen(why)) > 0);
    _exit(ABORTED);
}

static void tell_death(void)
{
    dead = 2;
    tti_fabric_death_told();
}

/* Of this thread. */
static int64_t user_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (int64_t)usage.ru_utime.tv_sec * TTI_NS_PER_SECOND + (int64_t)usage.ru_utime.tv_usec * 1000;
}

static void spin(tti_fabric_watch *watch)
{
    tell_death();
    tti_fabric_enter(watch);
    for (;;)
        ;
}

/* The death comes while it spins. */
static void *tell_later(void *argument)
{
    usleep(100000);
    tell_death();
    return argument;
}

static void spin_before(tti_fabric_watch *watch)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, tell_later, NULL) == 0);
    tti_fabric_enter(watch);
    for (;;)
        ;
}

static void sleep_inside(tti_fabric_watch *watch)
{
    tell_death();
    tti_fabric_enter(watch);
    usleep(LONG_NS / 1000);
    tti_fabric_leave(watch);
}

/* Uses its core until `until`; now and then only asks the kernel for the time, whose own does not count. */
static void work(int64_t until, void (*step)(tti_fabric_watch *), tti_fabric_watch *watch)
{
    while (user_ns() < until) {
        for (int i = 0; i < 1000000; i++)
            step(watch);
    }
}

static void nothing(tti_fabric_watch *watch)
{
    __asm__ volatile("" ::"r"(watch));
}

static void call(tti_fabric_watch *watch)
{
    tti_fabric_enter(watch);
    tti_fabric_leave(watch);
}

static void call_often(tti_fabric_watch *watch)
{
    tell_death();
    work(user_ns() + LONG_NS, call, watch);
}

static void compute(tti_fabric_watch *watch)
{
    tell_death();
    call(watch);
    work(user_ns() + LONG_NS, nothing, watch);
}

static void spin_without_death(tti_fabric_watch *watch)
{
    tti_fabric_enter(watch);
    work(user_ns() + LONG_NS, nothing, watch);
    tti_fabric_leave(watch);
}

static bool ends_job(void (*behave)(tti_fabric_watch *))
{
    int ends[2], status;
    char why[512] = "";
    EXPECT(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        tti_fabric_watch *watch;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        reasons = ends[1];
        EXPECT(tti_fabric_watch_open("glue", 1, &watch) == 0);
        behave(watch);
        tti_fabric_watch_close(watch);
        _exit(0);
    }
    EXPECT(child > 0 && waitpid(child, &status, 0) == child);
    close(ends[1]);
    const bool told = read(ends[0], why, sizeof why - 1) > 0;
    close(ends[0]);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == (told ? ABORTED : 0));
    EXPECT(!told || (strstr(why, "rank 2 died with a lock of provider glue") != NULL &&
                     strstr(why, "rank 1") != NULL && strstr(why, "node transport") != NULL));
    return told;
}

int main(void)
{
    EXPECT(ends_job(spin));
    EXPECT(ends_job(spin_before));
    EXPECT(!ends_job(sleep_inside));
    EXPECT(!ends_job(call_often));
    EXPECT(!ends_job(compute));
    EXPECT(!ends_job(spin_without_death));
    return 0;
}
