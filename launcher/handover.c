/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/handover.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/launcher_report.h"
#include "launcher/program_path.h"
#include "launcher/rank_environment.h"
#include "runtime/base/options.h"

/* So many hosts without an address are named: they tend to have one cause. */
#define HOSTS_TOLD 3

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

/* Debian's mpirun may be MPICH's, which has no PMIx. Intel MPI's is a script beside its mpiexec.hydra; what
 * is only linked to by that name, as Open MPI's orterun, may lie beside MPICH's. */
static bool is_hydra(const char *path)
{
    char real[PATH_MAX], beside[PATH_MAX];
    if (realpath(path, real) == NULL) return false;
    if (strstr(real, "hydra") != NULL || strstr(real, "mpich") != NULL) return true;
    const char *slash = strrchr(real, '/');
    if (strcmp(slash, "/mpirun") != 0) return false;
    const int n = snprintf(beside, sizeof beside, "%.*s/mpiexec.hydra", (int)(slash - real), real);
    return n < (int)sizeof beside && access(beside, X_OK) == 0;
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

/* Who set one of these starts processes on hosts by other means than ssh, which may know other names. */
static const char *const agents[] = {"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_rsh_agent",
                                     "PRTE_MCA_plm_ssh_agent"};

static bool uses_ssh(const candidate *chosen)
{
    bool ssh = chosen->kind != TTI_HANDOVER_SRUN;
    for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++)
        ssh = ssh && tti_environment(agents[i]) == NULL;
    return ssh;
}

/* The launcher will say at length that it cannot reach a host, not what is wrong with it. Not refused: ssh
 * may know the name as an alias. */
static void tell_unknown_hosts(const candidate *chosen, const tti_host_list *hosts)
{
    int error = 0;
    for (int i = 0, told = 0; i < hosts->count && told < HOSTS_TOLD && error != EAI_AGAIN; i++) {
        const char *name = hosts->hosts[i].name;
        struct addrinfo *addresses;
        error = getaddrinfo(name, NULL, NULL, &addresses);
        if (error == 0) {
            freeaddrinfo(addresses);
            continue;
        }
        told++;
        tti_launcher_say(
            "%s starts the ranks on host %s by ssh, but the name has no address here (%s); check its "
            "spelling, /etc/hosts and DNS, and that `ssh %s true` works without a password",
            chosen->name, name, gai_strerror(error), name);
    }
}

/* What our own ranks would be refused for is refused here too: a -x without a value that is not set. */
static int check_exports(const tti_command *command)
{
    for (int i = 0; i < command->programs_count; i++) {
        char **environment = NULL;
        const int status = tti_environment_make(&command->programs[i], &environment);
        if (status != 0) return status;
        tti_strings_free(environment);
    }
    return 0;
}

/* srun passes its environment on, with values that its --export=NAME=value would part at their commas. */
static int set_exports(const tti_program *program)
{
    for (int i = 0; i < program->exports_count; i++) {
        const char *given = program->exports[i];
        if (strchr(given, '=') == NULL) continue;
        char *entry = strdup(given); /* the environment keeps it */
        if (entry == NULL || putenv(entry) != 0)
            return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for -x %s", given);
    }
    return 0;
}

/* mpirun and prterun take the folder above their own, by the path that they are called by, for the place
 * where other hosts have them too: what is in /bin where that is /usr/bin is not installed in the root
 * directory. Their name tells them what to be. */
static void call_by(const candidate *chosen, const char *path, char called[PATH_MAX])
{
    char real[PATH_MAX];
    const char *slash = realpath(path, real) != NULL ? strrchr(real, '/') : NULL;
    const int folder = slash != NULL ? (int)(slash + 1 - real) : 0;
    if (snprintf(called, PATH_MAX, "%.*s%s", folder, real, chosen->name) >= PATH_MAX)
        snprintf(called, PATH_MAX, "%s", chosen->name);
}

static int become(const candidate *chosen, const char *path, const tti_command *command,
                  const tti_host_list *hosts)
{
    char **arguments = NULL, called[PATH_MAX];
    call_by(chosen, path, called);
    int status = tti_handover_compose(chosen->kind, called, command, hosts, &arguments);
    if (status == 0 && chosen->kind == TTI_HANDOVER_SRUN) status = set_exports(&command->programs[0]);
    if (status != 0) return status;
    if (chosen->kind == TTI_HANDOVER_MPIRUN) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    if (command->verbose) show(arguments);
    if (uses_ssh(chosen)) tell_unknown_hosts(chosen, hosts);
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
    int status = check_exports(command);
    if (status == 0)
        status = command->hosts != NULL ? tti_hosts_parse(command->hosts, &hosts)
                                        : tti_hosts_read_file(command->hostfile, &hosts);
    if (status != 0) return status;
    for (int i = 0; i < command->programs_count; i++)
        ranks += command->programs[i].ranks;
    const int64_t slots = tti_hosts_share(&hosts, ranks);
    const candidate *chosen = choose(path);
    if (ranks > slots) {
        status = tti_launcher_refuse(TTI_STATUS_USAGE,
                                     "%d ranks, but the hosts have %lld slots; give them more, as in host:%d",
                                     ranks, (long long)slots, ranks);
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
