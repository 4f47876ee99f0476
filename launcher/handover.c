/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/handover.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/launcher_report.h"
#include "launcher/program_path.h"
#include "launcher/rank_environment.h"
#include "runtime/base/options.h"

typedef struct {
    const char *name;
    enum tti_handover_kind kind;
} candidate;

/* Inside a Slurm allocation srun knows the hosts best, else it comes last: it would ask for an allocation. */
static const candidate candidates[] = {{"prterun", TTI_HANDOVER_PRTERUN},
                                       {"mpirun.openmpi", TTI_HANDOVER_MPIRUN},
                                       {"mpirun", TTI_HANDOVER_MPIRUN},
                                       {"srun", TTI_HANDOVER_SRUN}};
#define CANDIDATES (sizeof candidates / sizeof candidates[0])

/* Debian's mpirun may be MPICH's, which has no PMIx. */
static bool is_hydra(const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) != NULL && (strstr(real, "hydra") != NULL || strstr(real, "mpich") != NULL);
}

static const candidate *choose(char path[PATH_MAX])
{
    const char *search = tti_environment("PATH");
    const bool in_slurm = tti_environment("SLURM_JOB_ID") != NULL;
    for (size_t i = 0; i < CANDIDATES; i++) {
        const candidate *at = &candidates[in_slurm ? CANDIDATES - 1 - i : i];
        if (tti_program_search(at->name, search, path) && !is_hydra(path)) return at;
    }
    return NULL;
}

static void show(char *const *arguments)
{
    char line[1200] = "";
    size_t used = 0;
    for (; *arguments != NULL && used < sizeof line; arguments++)
        used += (size_t)snprintf(line + used, sizeof line - used, " %s", *arguments);
    tti_launcher_say("hands over to:%s", line);
}

static int become(const candidate *chosen, const char *path, const tti_command *command,
                  const tti_host_list *hosts)
{
    char **arguments = NULL;
    const int status = tti_handover_compose(chosen->kind, path, command, hosts, &arguments);
    if (status != 0) return status;
    if (chosen->kind == TTI_HANDOVER_MPIRUN) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    if (command->verbose) show(arguments);
    execv(path, arguments);
    tti_strings_free(arguments);
    return tti_launcher_refuse(TTI_STATUS_NOT_EXECUTABLE, "cannot run %s: %s; reinstall it", path,
                               strerror(errno));
}

int tti_handover_run(const tti_command *command)
{
    char path[PATH_MAX];
    tti_host_list hosts;
    int ranks = 0;
    int status = command->hosts != NULL ? tti_hosts_parse(command->hosts, &hosts)
                                        : tti_hosts_read_file(command->hostfile, &hosts);
    if (status != 0) return status;
    for (int i = 0; i < command->programs_count; i++)
        ranks += command->programs[i].ranks;
    const int slots = tti_hosts_share(&hosts, ranks);
    const candidate *chosen = choose(path);
    if (ranks > slots) {
        status = tti_launcher_refuse(TTI_STATUS_USAGE,
                                     "%d ranks, but the hosts have %d slots; give them more, as in host:%d",
                                     ranks, slots, ranks);
    } else if (chosen == NULL) {
        status = tti_launcher_refuse(
            TTI_STATUS_NOT_FOUND,
            "no launcher for other hosts is installed; install openmpi-bin, prrte or slurm");
    } else {
        status = become(chosen, path, command, &hosts);
    }
    tti_hosts_free(&hosts);
    return status;
}
