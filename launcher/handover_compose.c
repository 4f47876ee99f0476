/* SPDX-License-Identifier: BSD-3-Clause */
/* The three launchers' flags. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/handover.h"
#include "launcher/launcher_report.h"
#include "launcher/rank_environment.h"
#include "runtime/base/clock.h"

/* The kernel takes no longer argument. */
#define ARGUMENT_BYTES (128U << 10)

/* A growing argument array; `failed` once memory ran out. */
typedef struct {
    char **items;
    size_t used;
    bool failed;
} argument_list;

static void add(argument_list *to, const char *text)
{
    char **grown = realloc(to->items, (to->used + 2) * sizeof *grown);
    char *copy = strdup(text);
    if (grown != NULL) to->items = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        to->failed = true;
        return;
    }
    to->items[to->used++] = copy;
    to->items[to->used] = NULL;
}

static void add_format(argument_list *to, const char *format, ...) TUTTI_PRINTF(2, 3);
static void add_format(argument_list *to, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) text = NULL;
    va_end(args);
    if (text != NULL) {
        add(to, text);
    } else {
        to->failed = true;
    }
    free(text);
}

/* What has been written to a stream in memory (NULL: there was none for it), which is closed. */
static void add_written(argument_list *to, FILE *stream, char **text)
{
    if (stream != NULL && fclose(stream) == 0)
        add(to, *text);
    else
        to->failed = true;
    free(*text);
}

/* "a:2,b:1" with slots, or "a,b". */
static void add_hosts(argument_list *to, const tti_host_list *hosts, bool slots)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    for (int i = 0; stream != NULL && i < hosts->count; i++) {
        fprintf(stream, "%s%s", i > 0 ? "," : "", hosts->hosts[i].name);
        if (slots) fprintf(stream, ":%lld", (long long)hosts->hosts[i].slots);
    }
    add_written(to, stream, &text);
}

/* "a,a,a,b": the host of each rank, first those of the first one's slots. Returns how many hosts have any. */
static int add_host_of_each(argument_list *to, const tti_host_list *hosts, int64_t ranks)
{
    char *text = NULL;
    size_t bytes = 0;
    int used = 0;
    FILE *stream = open_memstream(&text, &bytes);
    for (; stream != NULL && used < hosts->count && ranks > 0; used++) {
        for (int64_t i = 0; i < hosts->hosts[used].slots && ranks > 0; i++, ranks--)
            fprintf(stream, "%s%s", used + i > 0 ? "," : "", hosts->hosts[used].name);
    }
    add_written(to, stream, &text);
    return used;
}

static void add_program(argument_list *to, const tti_program *program)
{
    for (char **at = program->arguments; *at != NULL; at++)
        add(to, *at);
}

static int refuse_option(const char *option, const char *launcher, const char *remedy)
{
    return tti_launcher_refuse(TTI_STATUS_USAGE,
                               "%s is not possible under %s, which starts jobs on other hosts here; %s",
                               option, launcher, remedy);
}

/* -x for what the user asked for and for Tutti's own options: other hosts see no environment else. */
static void add_exports(argument_list *to, const tti_program *program)
{
    for (char **at = environ; *at != NULL; at++) {
        if (strncmp(*at, "TUTTI_", 6) == 0)
            add(to, "-x"), add_format(to, "%.*s", (int)strcspn(*at, "="), *at);
    }
    for (int i = 0; i < program->exports_count; i++)
        add(to, "-x"), add(to, program->exports[i]);
}

/* mpirun 4 and prterun agree in all that is needed here, but for how output is tagged and bindings reported.
 */
static int compose_mpirun(enum tti_handover_kind kind, const tti_command *command, const tti_host_list *hosts,
                          argument_list *to)
{
    static const char *const places[] = {
        [TTI_BIND_CORE] = "core", [TTI_BIND_NUMA] = "numa", [TTI_BIND_NONE] = "none"};
    const bool prte = kind == TTI_HANDOVER_PRTERUN;
    if (command->keep_going)
        return refuse_option("--keep-going", prte ? "prterun" : "mpirun", "leave it out");
    if (command->binding != TTI_BIND_AUTO) add(to, "--bind-to"), add(to, places[command->binding]);
    if (command->tag_output) prte ? (add(to, "--output"), add(to, "tag")) : add(to, "--tag-output");
    if (command->report_bindings)
        prte ? (add(to, "--display"), add(to, "bind")) : add(to, "--report-bindings");
    if (command->timeout_ns > 0) {
        add(to, "--timeout");
        add_format(to, "%lld",
                   (long long)((command->timeout_ns + TTI_NS_PER_SECOND - 1) / TTI_NS_PER_SECOND));
    }
    if (prte) add(to, "--allow-run-as-root");
    for (int i = 0; i < command->programs_count; i++) {
        const tti_program *program = &command->programs[i];
        if (i > 0) add(to, ":");
        add(to, "--host");
        add_hosts(to, hosts, true);
        if (program->ranks > 0) add(to, "-n"), add_format(to, "%d", program->ranks);
        if (program->wdir != NULL) add(to, "--wdir"), add(to, program->wdir);
        add_exports(to, program);
        add_program(to, program);
    }
    return 0;
}

/* By itself srun gives the first hosts as many ranks as they have processors in the allocation, which is
 * right where no slots were given: it would refuse others. */
static int add_places(argument_list *to, const tti_host_list *hosts, int64_t ranks)
{
    int used = hosts->count;
    bool full = true;
    for (int i = 0; i < hosts->count; i++)
        full = full && hosts->hosts[i].slots * hosts->count == ranks;
    add(to, "-w");
    if (full || hosts->shared) {
        add_hosts(to, hosts, false);
        if (!hosts->shared) add_format(to, "--ntasks-per-node=%lld", (long long)hosts->hosts[0].slots);
    } else {
        const bool fits = ranks < ARGUMENT_BYTES / 2; /* a letter and a comma each at least */
        if (fits) used = add_host_of_each(to, hosts, ranks);
        if (!fits || strlen(to->items[to->used - 1]) >= ARGUMENT_BYTES)
            return tti_launcher_refuse(
                TTI_STATUS_USAGE,
                "the list of %lld ranks' hosts is too long for srun; give all hosts the "
                "same slots, and start as many ranks",
                (long long)ranks);
        add(to, "--distribution=arbitrary");
    }
    add(to, "-N"), add_format(to, "%d", used);
    add(to, "-n"), add_format(to, "%lld", (long long)ranks);
    return 0;
}

static int compose_srun(const tti_command *command, const tti_host_list *hosts, int64_t slots,
                        argument_list *to)
{
    static const char *const places[] = {
        [TTI_BIND_CORE] = "cores", [TTI_BIND_NUMA] = "ldoms", [TTI_BIND_NONE] = "none"};
    const tti_program *program = &command->programs[0];
    if (command->programs_count > 1) return refuse_option("several programs", "srun", "use its --multi-prog");
    if (command->timeout_ns > 0) return refuse_option("--timeout", "srun", "use timeout(1)");
    if (command->keep_going)
        return refuse_option("--keep-going", "srun",
                             "leave it out: its PMIx plugin ends all ranks when one has died");
    add(to, "--mpi=pmix");
    const int status = add_places(to, hosts, program->ranks > 0 ? program->ranks : slots);
    if (status != 0) return status;
    add(to, "--kill-on-bad-exit=1");
    add(to, "--input=0"); /* it would give all ranks stdin */
    const bool bind = command->binding != TTI_BIND_AUTO || command->report_bindings;
    if (bind)
        add_format(to, "--cpu-bind=%s%s", command->report_bindings ? "verbose," : "",
                   places[command->binding != TTI_BIND_AUTO ? command->binding : TTI_BIND_CORE]);
    if (command->tag_output) add(to, "--label");
    if (program->wdir != NULL) add(to, "--chdir"), add(to, program->wdir);
    /* Their values are in the environment (handover.c), which a batch job may have told srun to leave out. */
    if (program->exports_count > 0) add(to, "--export=ALL");
    add_program(to, program);
    return 0;
}

int tti_handover_compose(enum tti_handover_kind kind, const char *path, const tti_command *command,
                         const tti_host_list *hosts, char ***arguments)
{
    argument_list list = {0};
    int64_t slots = 0;
    for (int i = 0; i < hosts->count; i++)
        slots += hosts->hosts[i].slots;
    add(&list, path);
    int status = kind == TTI_HANDOVER_SRUN ? compose_srun(command, hosts, slots, &list)
                                           : compose_mpirun(kind, command, hosts, &list);
    if (status == 0 && list.failed)
        status = tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the command line");
    if (status != 0) {
        tti_strings_free(list.items);
        return status;
    }
    *arguments = list.items;
    return 0;
}
