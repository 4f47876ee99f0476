/* SPDX-License-Identifier: BSD-3-Clause */
/* The job of one that there is without a launcher, joined twice. */
#include <string.h>

#include "pmi/pmi.h"
#include "tests/unit/expect.h"

static void on_failure(int rank, void *context)
{
    (void)rank, (void)context;
    EXPECT(!"a job of one has no peer to die");
}

static void check_facts(const tti_job *job)
{
    EXPECT(job->rank == 0 && job->size == 1);
    EXPECT(job->node == 0 && job->nodes == 1);
    EXPECT(job->local_index == 0 && job->local_size == 1 && job->local_ranks[0] == 0);
    EXPECT(strcmp(job->name, "") == 0 && strcmp(job->launcher, "none") == 0);
    EXPECT(tti_pmi_node_of(0) == 0);
    EXPECT(tti_pmi_node_of(1) == TUTTI_ERR_RANK && tti_pmi_node_of(-1) == TUTTI_ERR_RANK);
}

static void check_records(void)
{
    char value[8] = "";
    size_t bytes = sizeof value;
    EXPECT(tti_pmi_get(0, "absent", value, &bytes, 1000) == TUTTI_ERR_TIMEOUT);
    EXPECT(tti_pmi_put("key", "first", 6) == 0 && tti_pmi_put("other", "x", 2) == 0);
    EXPECT(tti_pmi_put("key", "second", 7) == 0);
    EXPECT(tti_pmi_fence(true) == 0);
    EXPECT(tti_pmi_get(0, "key", value, &bytes, 1000) == 0);
    EXPECT(bytes == 7 && strcmp(value, "second") == 0);
    bytes = 3;
    EXPECT(tti_pmi_get(0, "key", value, &bytes, 1000) == TUTTI_ERR_LIMIT && bytes == 3);
    EXPECT(tti_pmi_put("empty", "", 0) == 0);
    EXPECT(tti_pmi_get(0, "empty", value, &bytes, 1000) == 0 && bytes == 0);
}

static void check_refusals(void)
{
    const tti_job *again;
    char large[4097] = "";
    size_t bytes = sizeof large;
    EXPECT(tti_pmi_open(on_failure, NULL, &again) == TUTTI_ERR_STATE);
    EXPECT(tti_pmi_put("large", large, sizeof large) == TUTTI_ERR_LIMIT);
    EXPECT(tti_pmi_put("", large, 1) == TUTTI_ERR_ARG && tti_pmi_put("key", NULL, 1) == TUTTI_ERR_ARG);
    EXPECT(tti_pmi_get(1, "key", large, &bytes, 1000) == TUTTI_ERR_RANK);
}

static void join_and_leave(void)
{
    const tti_job *job;
    EXPECT(tti_pmi_open(on_failure, NULL, &job) == 0);
    check_facts(job);
    check_records();
    check_refusals();
    tti_pmi_close();
    EXPECT(tti_pmi_put("key", "value", 6) == TUTTI_ERR_STATE && tti_pmi_fence(false) == TUTTI_ERR_STATE);
}

int main(void)
{
    static const char *const signs[] = {"PMIX_NAMESPACE", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS",
                                        "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        unsetenv(signs[i]);
    tti_pmi_close();
    join_and_leave();
    join_and_leave();
    return 0;
}
