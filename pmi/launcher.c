/* SPDX-License-Identifier: BSD-3-Clause */
/* Which launcher started this process, as its environment tells. */
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "runtime/base/options.h"
#include "runtime/base/parse.h"
#include "runtime/base/status.h"

/* Variables by which a launcher that started several ranks shows itself without PMIx, and what then helps. */
static const struct {
    const char *variable, *launcher, *remedy;
} signs[] = {
    {"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun",
     "pass the PMIX_* variables on to the program (a wrapper or `env -i` drops them)"},
    {"SLURM_STEP_NUM_TASKS", "Slurm's srun", "use `srun --mpi=pmix` (`srun --mpi=list` shows what it has)"},
    {"SLURM_NTASKS", "Slurm", "start it with `srun --mpi=pmix`, or `unset SLURM_NTASKS` to run it alone"},
    {"PMI_SIZE", "a PMI-1 or PMI-2 launcher (MPICH's mpiexec)",
     "start it with tuttirun, Open MPI's mpirun, prterun or `srun --mpi=pmix`"},
};

#define SIGNS (sizeof signs / sizeof signs[0])

static int64_t number_in(const char *variable)
{
    const char *text = tti_environment(variable);
    int64_t number = 0;
    return text != NULL && tti_parse_int(text, &number) ? number : 0;
}

/* SIGNS: none shows itself. */
static size_t find_sign(void)
{
    size_t i = 0;
    while (i < SIGNS && number_in(signs[i].variable) <= 1)
        i++;
    return i;
}

/* What is to be unset is what tti_pmi_launcher_find() goes by. That this process leaves is no word about the
 * rank: it has no seat, or no longer. */
int tti_pmi_fail_taken(int rank, pid_t by)
{
    const size_t sign = find_sign();
    tti_pmi_self.seated = false;
    return tti_fail(
        TUTTI_ERR_LAUNCH,
        "process %ld has joined the job as rank %d before this one, and a rank is one process: unset "
        "PMIX_NAMESPACE and PMIX_RANK%s%s for other programs that a rank runs",
        (long)by, rank, sign < SIGNS ? " and " : "", sign < SIGNS ? signs[sign].variable : "");
}

int tti_pmi_launcher_find(bool *announced)
{
    *announced = tti_environment("PMIX_NAMESPACE") != NULL && tti_environment("PMIX_RANK") != NULL;
    const size_t sign = *announced ? SIGNS : find_sign();
    if (sign == SIGNS) return 0;
    return tti_fail(TUTTI_ERR_LAUNCH, "%s=%lld: %s started this process, but gave it no PMIx; %s",
                    signs[sign].variable, (long long)number_in(signs[sign].variable), signs[sign].launcher,
                    signs[sign].remedy);
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Also of Open MPI 5's mpirun. */
static bool is_prrte(void)
{
    return starts_with(tti_pmi_self.me.nspace, "prte");
}

bool tti_pmi_launcher_is_tuttirun(void)
{
    char *manager;
    if (!tti_pmi_fact_text(PMIX_RANK_WILDCARD, PMIX_RM_NAME, &manager)) return false;
    const bool own = strcmp(manager, "tuttirun") == 0;
    free(manager);
    return own;
}

const char *tti_pmi_launcher_name(void)
{
    if (tti_pmi_launcher_is_tuttirun()) return "tuttirun";
    if (tti_environment("OMPI_COMM_WORLD_SIZE") != NULL) return "mpirun";
    if (starts_with(tti_pmi_self.me.nspace, "slurm.")) return "srun";
    if (is_prrte()) return "prterun";
    return "pmix";
}

/* Open MPI's daemons up to version 4 (ORTE): seen with 4.1.4 on three nodes with two ranks each, where every
 * rank asks for every other's record at once, the daemon of the record's rank gives no answer in a third of
 * the starts on a busy machine. Asking again does not help: the first request counts as under way. What a
 * fence has collected is not asked for.
 *
 * PRRTE's daemons, which Open MPI 5's mpirun has too, answer all requests, but look for a record that was not
 * published yet when it was asked for again after two seconds only (versions 3.0 to 5.0): ranks that talk to
 * each other at once meet that at every start. */
bool tti_pmi_launcher_needs_fence(void)
{
    return tti_environment("OMPI_MCA_orte_hnp_uri") != NULL || is_prrte();
}

/* PRRTE's daemons, seen with 3.0.11 on PMIx 4.2.9: of 16 ranks on two cores that leave as soon as they have
 * joined one gets no answer to PMIx_Init() in 3 of 13 starts, without Tutti too; what it asks lies
 * unread in the daemon's socket. With a fence between joining and leaving, in none of 80. */
bool tti_pmi_launcher_leaves_together(void)
{
    return is_prrte();
}

const char *tti_pmi_version(void)
{
    return PMIx_Get_version();
}
