/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/rank_environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/launcher_report.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_launchers(const char *entry)
{
    return (begins(entry, "PMIX_") && !begins(entry, "PMIX_MCA_")) || begins(entry, "PMI_");
}

void tti_environment_forget_launcher(void)
{
    char **kept = environ;
    for (char **at = environ; *at != NULL; at++) {
        if (!is_launchers(*at)) *kept++ = *at;
    }
    *kept = NULL;
}

/* Sets "NAME=value" in an array that has room for one more. */
static bool set(char **environment, const char *entry)
{
    const size_t name = strcspn(entry, "=") + 1;
    char *copy = strdup(entry);
    if (copy == NULL) return false;
    while (*environment != NULL && strncmp(*environment, entry, name) != 0)
        environment++;
    if (*environment == NULL) environment[1] = NULL;
    free(*environment);
    *environment = copy;
    return true;
}

/* Open MPI 4 takes a process for a job of one unless it sees the address of its own daemon; the PMIx of this
 * launcher is enough for it to work, so it is shown one that it never needs to reach. */
static const char open_mpi_sign[] = "OMPI_MCA_orte_local_daemon_uri=1.0;tcp://127.0.0.1:9";

static int apply_export(char **environment, const char *entry)
{
    if (strchr(entry, '=') != NULL)
        return set(environment, entry) ? 0
                                       : tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for -x %s", entry);
    const size_t length = strlen(entry);
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, entry, length) == 0 && (*environment)[length] == '=') return 0;
    }
    return tti_launcher_refuse(TTI_STATUS_USAGE, "-x %s: it is not set here; write -x %s=value", entry,
                               entry);
}

int tti_environment_make(const tti_program *program, char ***environment)
{
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    char **made = calloc(count + (size_t)program->exports_count + 2, sizeof *made);
    if (made == NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the environment");
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        made[i] = strdup(environ[i]);
        if (made[i] == NULL) status = tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the environment");
    }
    if (status == 0) status = apply_export(made, open_mpi_sign);
    for (int i = 0; i < program->exports_count && status == 0; i++)
        status = apply_export(made, program->exports[i]);
    if (status != 0) {
        tti_strings_free(made);
        return status;
    }
    *environment = made;
    return 0;
}

void tti_strings_free(char **strings)
{
    for (char **at = strings; at != NULL && *at != NULL; at++)
        free(*at);
    free(strings);
}
