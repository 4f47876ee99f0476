/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom the heartbeats of rank 0 watch, over the one provider that the argument names: also rank 2, while the
 * card of rank 1, for which it has asked first, does not come; and rank 1, when it comes at last, later than
 * cards are waited for. Both fall silent without a word, and nothing is ever sent to them. */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define RANKS 3
#define LATE 1

static _Atomic bool lost[RANKS];
static tti_fabric *fabric;

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context, (void)rank, (void)packet, (void)bytes;
}

static void on_failure(void *context, int rank, int code)
{
    (void)context, (void)rank, (void)code;
}

static void on_silence(int rank)
{
    atomic_store(&lost[rank], true);
}

static void poll_once(void)
{
    const struct timespec pause = {0, 1000000};
    tti_fabric_poll(fabric);
    nanosleep(&pause, NULL);
}

static void await_loss(int rank)
{
    while (!atomic_load(&lost[rank]))
        poll_once();
}

static void body(const tti_job *job)
{
    char go;
    size_t bytes = 1;
    let_questions_end();
    if (job->rank == LATE) EXPECT(tti_pmi_get(0, "go", &go, &bytes, PATIENCE_NS) == 0);
    tti_fabric_on_silence(on_silence);
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
    if (job->rank != 0) _exit(0);
    await_loss(LATE + 1);
    while (count_ended_questions() < 2)
        poll_once();
    EXPECT(!atomic_load(&lost[LATE]));
    EXPECT(tti_pmi_put("go", "", 0) == 0);
    await_loss(LATE);
    tti_fabric_close(fabric);
}

int main(int argc, char **argv)
{
    char provider[64];
    const char *set[] = {provider, "TUTTI_HEARTBEAT=200ms", "TUTTI_CONNECT_TIMEOUT=100ms", NULL};
    EXPECT(argc == 2);
    snprintf(provider, sizeof provider, "TUTTI_PROVIDER=%s", argv[1]);
    run_ranks(RANKS, -1, set, body);
    return 0;
}
