/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank dies by signal 9 while the others wait for it: each must hear of it once, and no wait for it
 * may last, nor end well, also where another rank has left meanwhile. For a launcher that lets survivors run
 * on (tuttirun --keep-going); launchers differ in the job's status then, so the survivors say in words that
 * all is well. */
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/options.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

static _Atomic int deaths, last_dead = -1;

static void on_failure(int rank, void *context)
{
    EXPECT(context == &deaths);
    atomic_store(&last_dead, rank);
    atomic_fetch_add(&deaths, 1);
}

static void check_record(int rank, const char *key, int wanted)
{
    char value[16];
    size_t bytes = sizeof value;
    EXPECT(tti_pmi_get(rank, key, value, &bytes, PATIENCE_NS) == wanted);
}

static void survive(const tti_job *job, int victim)
{
    check_record(victim, "survivors.never", TUTTI_ERR_PEER_FAILED);
    EXPECT(atomic_load(&deaths) == 1 && atomic_load(&last_dead) == victim);
    check_record(victim, "survivors.always", TUTTI_ERR_PEER_FAILED);
    if (job->rank == 0 && victim > 1) return;
    usleep(300000); /* rank 0 has left by now */
    EXPECT(tti_pmi_fence(false) == TUTTI_ERR_PEER_FAILED);
    for (int rank = 0; rank < victim; rank++)
        check_record(rank, "survivors.always", 0);
    EXPECT(atomic_load(&deaths) == 1);
}

int main(void)
{
    const tti_job *job;
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_pmi_open(on_failure, &deaths, &job) == 0);
    EXPECT(job->size > 1);
    const int victim = job->size - 1;
    EXPECT(tti_pmi_put("survivors.always", "here", 4) == 0);
    EXPECT(tti_pmi_fence(false) == 0);
    if (job->rank == victim) {
        usleep(200000);
        raise(SIGKILL);
    }
    survive(job, victim);
    printf("rank %d of %d survived\n", job->rank, job->size);
    tti_pmi_close();
    tti_options_unload();
    return 0;
}
