/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/foreign_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    const char *names; /* without dashes, separated by spaces: the launchers differ in how many they take */
    const char *hint;
} foreign_row;

static const foreign_row rows[] = {
    {"mca gmca prtemca pmixmca tune am", "Open MPI's parameters mean nothing to tuttirun; Tutti's own are "
                                         "variables named TUTTI_*, which tutti-info "
                                         "--options lists"},
    {"oversubscribe nooversubscribe overcommit O",
     "leave it out: tuttirun starts as many ranks as -n says, on as few cores as there are"},
    {"map-by rank-by bynode bycore byslot bysocket distribution m",
     "which processors ranks get is said by --bind-to core, numa or none, how many a host gets by --hosts "
     "a:4,b:2"},
    {"npernode N ppn perhost ntasks-per-node tasks-per-node npersocket",
     "say for each host how many ranks it gets: --hosts a:4,b:4"},
    {"use-hwthread-cpus cpus-per-proc cpus-per-rank cpus-per-task",
     "a rank gets a core, a NUMA node or all: for ranks with threads use --bind-to numa or --bind-to none"},
    {"bind-to-core bind-to-socket bind-to-none cpu-bind binding cpu-set",
     "write --bind-to core, --bind-to numa or --bind-to none"},
    {"allow-run-as-root", "leave it out: tuttirun works as root"},
    {"mpi", "leave it out: tuttirun serves PMIx and nothing else"},
    {"H nodelist w", "write --hosts A,B"},
    {"machinefile f", "write --hostfile FILE"},
    {"c ntasks", "write -n N for N ranks"},
    {"env genv envall genvall envlist genvlist export",
     "write -x NAME=value; the launcher's environment reaches the ranks in any case"},
    {"label l prepend-rank output timestamp-output", "write --tag-output to see which rank wrote a line"},
    {"output-filename outfile-pattern o", "write --tag-output and redirect: tuttirun --tag-output … >FILE"},
    {"display-map display-allocation display display-devel-map", "write --report-bindings or --verbose"},
    {"wd cwd D", "write --wdir DIR"},
    {"time t maxtime", "write --timeout SECONDS"},
    {"quiet q", "leave it out: tuttirun says nothing unless something fails"},
    {"debug debugger gdb tv xterm",
     "start the debugger as the program: tuttirun -n 2 xterm -e gdb --args ./program"},
};

/* True if the `length` bytes of `name` are one of the words. */
static bool is_word(const char *words, const char *name, size_t length)
{
    for (const char *at = words; *at != '\0';) {
        const size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, name, n) == 0) return true;
        at += n + strspn(at + n, " ");
    }
    return false;
}

const char *tti_foreign_hint(const char *text)
{
    const char *name = text + strspn(text, "-");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_word(rows[i].names, name, strcspn(name, "="))) return rows[i].hint;
    }
    return NULL;
}
