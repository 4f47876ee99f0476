/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the launcher under which it runs: facts, node map, records of every rank, without a fence if the
 * launcher can, fence with and without collection. Prints one line a rank; exit status 0 if all is as it must
 * be.
 *
 *   pmi_probe [expect-ranks [expect-nodes]]        */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

typedef struct {
    int rank, node;
    char host[64];
    char filling[200];
} record;

static void on_failure(int rank, void *context)
{
    (void)context;
    fprintf(stderr, "pmi_probe: rank %d died\n", rank);
}

static record make_record(const tti_job *job)
{
    record made = {.rank = job->rank, .node = job->node};
    gethostname(made.host, sizeof made.host - 1);
    memset(made.filling, job->rank & 0x7f, sizeof made.filling);
    return made;
}

static void check_peer(const tti_job *job, int rank, const char *key)
{
    record got;
    size_t bytes = sizeof got;
    EXPECT(tti_pmi_get(rank, key, &got, &bytes, PATIENCE_NS) == 0);
    EXPECT(bytes == sizeof got);
    EXPECT(got.rank == rank);
    EXPECT(got.filling[0] == (rank & 0x7f) && got.filling[199] == (rank & 0x7f));
    EXPECT(got.node >= 0 && got.node < job->nodes);
    EXPECT(got.node == tti_pmi_node_of(rank));
    const record mine = make_record(job);
    EXPECT((got.node == job->node) == (strcmp(got.host, mine.host) == 0));
}

/* Starting at the next rank, so that not all ask the same one at once. Returns the longest time in ns. */
static int64_t check_peers(const tti_job *job, const char *key)
{
    int64_t longest = 0;
    for (int i = 1; i <= job->size; i++) {
        const int64_t start = tti_clock_ns();
        check_peer(job, (job->rank + i) % job->size, key);
        const int64_t took = tti_clock_ns() - start;
        if (took > longest) longest = took;
    }
    return longest;
}

static void check_facts(const tti_job *job)
{
    EXPECT(job->rank >= 0 && job->rank < job->size);
    EXPECT(job->node >= 0 && job->node < job->nodes);
    EXPECT(job->local_index >= 0 && job->local_index < job->local_size);
    EXPECT(job->local_ranks[job->local_index] == job->rank);
    int here = 0;
    for (int rank = 0; rank < job->size; rank++)
        here += tti_pmi_node_of(rank) == job->node;
    EXPECT(here == job->local_size);
    EXPECT(tti_pmi_node_of(job->size) == TUTTI_ERR_RANK);
}

static void check_limits(const tti_job *job)
{
    char small[8], large[5000] = {0};
    size_t bytes = sizeof small;
    EXPECT(tti_pmi_put("large", large, sizeof large) == TUTTI_ERR_LIMIT);
    EXPECT(tti_pmi_get(job->rank, "probe.early", small, &bytes, TTI_NS_PER_SECOND) == TUTTI_ERR_LIMIT);
    EXPECT(tti_pmi_get(job->size, "probe.early", small, &bytes, TTI_NS_PER_SECOND) == TUTTI_ERR_RANK);
    const int next = (job->rank + 1) % job->size;
    EXPECT(tti_pmi_get(next, "probe.never", small, &bytes, TTI_NS_PER_SECOND / 5) == TUTTI_ERR_TIMEOUT);
}

static void publish(const tti_job *job, const char *key)
{
    const record mine = make_record(job);
    EXPECT(tti_pmi_put(key, &mine, sizeof mine) == 0);
}

int main(int argc, char **argv)
{
    const tti_job *job;
    EXPECT(tti_options_load(NULL) == 0);
    const int64_t start = tti_clock_ns();
    EXPECT(tti_pmi_open(on_failure, NULL, &job) == 0);
    const int64_t opened = tti_clock_ns() - start;
    if (argc > 1) EXPECT(job->size == atoi(argv[1]));
    if (argc > 2) EXPECT(job->nodes == atoi(argv[2]));

    check_facts(job);
    publish(job, "probe.early");
    if (job->needs_fence) EXPECT(tti_pmi_fence(true) == 0);
    const int64_t longest = check_peers(job, "probe.early");
    publish(job, "probe.later");
    if (job->needs_fence) EXPECT(tti_pmi_fence(true) == 0);
    check_peers(job, "probe.later");
    check_limits(job);
    EXPECT(tti_pmi_fence(false) == 0);
    publish(job, "probe.last");
    EXPECT(tti_pmi_fence(true) == 0);
    check_peers(job, "probe.last");

    const record mine = make_record(job);
    printf("rank %d of %d, node %d of %d (%s), local %d of %d, %s, job \"%s\", open %.1f ms, slowest get "
           "%.1f ms\n",
           job->rank, job->size, job->node, job->nodes, mine.host, job->local_index, job->local_size,
           job->launcher, job->name, (double)opened / 1e6, (double)longest / 1e6);
    tti_pmi_close();
    tti_options_unload();
    return 0;
}
