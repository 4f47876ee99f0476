/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/orphan_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/base/process_room.h"
#include "runtime/base/status.h"
#include "runtime/base/thread.h"

/* Between two looks. */
#define LOOK_NS (TTI_NS_PER_SECOND / 20)
/* One call has taken so much processor time in user mode since a death was known: it spins for what does not
 * come. Time on the clock would not do: on a crowded machine a thread may not get a core for that long. Nor
 * would time in the kernel, which copies messages of any length in one call; a holder of the lock that lives
 * gets a core after some milliseconds of spinning, whoever spins beside it. */
#define ORPHAN_NS (TTI_NS_PER_SECOND / 2)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool told;

pid_t tti_fabric_thread_number(void)
{
    static _Thread_local pid_t number;
    if (number == 0) number = (pid_t)syscall(SYS_gettid);
    return number;
}

/* Processor time of a thread of this process in user mode: field 14 of its stat (proc(5)), in clock ticks.
 * Where there is no /proc, time on the clock has to do. */
static int64_t user_time_ns(pid_t thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *file = fopen(path, "re");
    if (file == NULL) return tti_clock_ns();
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    /* The second field, the thread's name, may hold anything and ends at the last parenthesis. */
    const char *after_name = strrchr(text, ')');
    unsigned long ticks;
    if (after_name == NULL ||
        sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        return tti_clock_ns();
    return (int64_t)ticks * (TTI_NS_PER_SECOND / sysconf(_SC_CLK_TCK));
}

static void abort_job(const tti_fabric_watch *watch, int dead)
{
    char why[400];
    snprintf(
        why, sizeof why,
        "rank %d died with a lock of provider %s that a call of rank %d into libfabric seems to wait for: it "
        "has "
        "spun for %.1f s of processor time and does not return; to survive deaths use the node transport "
        "(without TUTTI_TRANSPORT=fabric) or another provider",
        dead, watch->provider, watch->rank, (double)ORPHAN_NS / 1e9);
    tti_pmi_abort(1, why);
    _exit(1);
}

/* A death was told. */
static void look(tti_fabric_watch *watch)
{
    const uint64_t steps = atomic_load_explicit(&watch->steps, memory_order_acquire);
    if (steps % 2 == 0) return;
    const int64_t spent = user_time_ns(atomic_load_explicit(&watch->inside, memory_order_relaxed));
    if (steps != watch->seen) {
        watch->seen = steps;
        watch->spent_ns = spent;
    } else if (spent - watch->spent_ns >= ORPHAN_NS) {
        const int dead = tti_pmi_dead_rank();
        if (dead >= 0) abort_job(watch, dead);
    }
}

static void *keep_watch(void *argument)
{
    tti_fabric_watch *watch = argument;
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    pthread_mutex_lock(&lock);
    while (!watch->closing) {
        if (!told) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        look(watch);
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int tti_fabric_watch_open(const char *provider, int rank, tti_fabric_watch **opened)
{
    tti_fabric_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to watch provider %s", provider);
    watch->provider = provider;
    watch->rank = rank;
    const int error = tti_thread_start(&watch->thread, keep_watch, watch);
    if (error != 0) {
        free(watch);
        return tti_fail_thread(error, "watch the provider with");
    }
    *opened = watch;
    return 0;
}

void tti_fabric_watch_close(tti_fabric_watch *watch)
{
    if (watch == NULL) return;
    pthread_mutex_lock(&lock);
    watch->closing = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(watch->thread, NULL);
    free(watch);
}

void tti_fabric_death_told(void)
{
    pthread_mutex_lock(&lock);
    told = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
