/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that sees a launcher of several ranks without its PMIx says so, with the remedy; it does not run
 * as one of N jobs of one. */
#include <string.h>

#include "pmi/pmi.h"
#include "tests/unit/expect.h"

static const struct {
    const char *variable, *value, *remedy; /* no remedy: all is well */
} cases[] = {
    {"SLURM_NTASKS", "4", "srun --mpi=pmix"},
    {"SLURM_STEP_NUM_TASKS", "2", "srun --mpi=pmix"},
    {"OMPI_COMM_WORLD_SIZE", "2", "PMIX_*"},
    {"PMI_SIZE", "3", "tuttirun"},
    {"SLURM_NTASKS", "1", NULL},
    {"OMPI_COMM_WORLD_SIZE", "1", NULL},
    {"PMI_SIZE", "", NULL},
    {"PMI_SIZE", "many", NULL},
    {"PMIX_NAMESPACE", "half-of-it", NULL},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void on_failure(int rank, void *context)
{
    (void)rank, (void)context;
}

static void check(const char *value, const char *remedy)
{
    const tti_job *job = NULL;
    const int code = tti_pmi_open(on_failure, NULL, &job);
    if (remedy == NULL) {
        EXPECT(code == 0 && job->size == 1);
    } else {
        EXPECT(code == TUTTI_ERR_LAUNCH && job == NULL);
        EXPECT(strstr(tutti_error_detail(), value) != NULL && strstr(tutti_error_detail(), remedy) != NULL);
    }
    tti_pmi_close();
}

int main(void)
{
    for (int i = 0; i < CASES; i++)
        unsetenv(cases[i].variable);
    unsetenv("PMIX_RANK");
    for (int i = 0; i < CASES; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        check(cases[i].value, cases[i].remedy);
        unsetenv(cases[i].variable);
    }
    return 0;
}
