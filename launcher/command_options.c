/* SPDX-License-Identifier: BSD-3-Clause */
/* One row for each option: its names, what it sets, and its help. */
#include "launcher/command_options.h"

#include <stdlib.h>
#include <string.h>

#include "launcher/foreign_options.h"
#include "launcher/launcher_report.h"
#include "runtime/base/parse.h"

/* How far a mistyped option may be from the one we suggest. */
#define NEAR_ENOUGH 3

typedef int apply_fn(tti_command *command, tti_program *program, const char *value);

typedef struct {
    const char *name, *alias;
    const char *value; /* what its value is called, NULL: takes none; "[=…]": it may be left out */
    apply_fn *apply;
    const char *help;
} option_row;

/* How many of `what`, at least `least`. `option`: as the user writes it, up to the value. */
static int take_number(const char *option, const char *value, int least, const char *what, int *number)
{
    int64_t given;
    if (!tti_parse_int(value, &given) || given < least || given > TTI_COMMAND_RANKS_MAX)
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "%s%s is not a number of %s; give a number from %d to %d", option, value,
                                   what, least, TTI_COMMAND_RANKS_MAX);
    *number = (int)given;
    return 0;
}

static int set_ranks(tti_command *command, tti_program *program, const char *value)
{
    (void)command;
    return take_number("-n ", value, 1, "ranks", &program->ranks);
}

static int set_binding(tti_command *command, tti_program *program, const char *value)
{
    (void)program;
    static const char *const names[] = {
        [TTI_BIND_CORE] = "core", [TTI_BIND_NUMA] = "numa", [TTI_BIND_NONE] = "none"};
    for (int i = TTI_BIND_CORE; i <= TTI_BIND_NONE; i++) {
        if (strcmp(value, names[i]) != 0) continue;
        command->binding = (enum tti_command_binding)i;
        return 0;
    }
    return tti_launcher_refuse(TTI_STATUS_USAGE, "--bind-to %s is unknown; use core, numa or none", value);
}

static int set_keep_going(tti_command *command, tti_program *program, const char *value)
{
    (void)program;
    if (value != NULL && strcmp(value, "strict") != 0)
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "--keep-going=%s is unknown; use --keep-going or "
                                   "--keep-going=strict",
                                   value);
    command->keep_going = value != NULL ? TTI_KEEP_STRICT : TTI_KEEP_GOING;
    return 0;
}

static int set_spares(tti_command *command, tti_program *program, const char *value)
{
    (void)program;
    return take_number("--spares ", value, 0, "processes", &command->spares);
}

static int set_respawn(tti_command *command, tti_program *program, const char *value)
{
    (void)program;
    if (value != NULL) return take_number("--respawn=", value, 1, "processes", &command->respawn);
    command->respawn = TTI_COMMAND_AS_RANKS;
    return 0;
}

static int set_timeout(tti_command *command, tti_program *program, const char *value)
{
    (void)program;
    if (!tti_parse_time(value, &command->timeout_ns) || command->timeout_ns <= 0)
        return tti_launcher_refuse(
            TTI_STATUS_USAGE,
            "--timeout %s is not a time above zero; give seconds, or a unit as in 500ms or 2m", value);
    return 0;
}

static int add_export(tti_command *command, tti_program *program, const char *value)
{
    (void)command;
    if (value[0] == '\0' || value[0] == '=')
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "-x %s names no variable; write -x NAME or -x NAME=value", value);
    const size_t count = (size_t)program->exports_count + 1;
    const char **grown = realloc(program->exports, count * sizeof *grown);
    if (grown == NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the command line");
    program->exports = grown;
    program->exports[program->exports_count++] = value;
    return 0;
}

/* Options that set a member, of the command or of a program, and do no more. */
#define SETTER(function, member, setting)                                                                    \
    static int function(tti_command *command, tti_program *program, const char *value)                       \
    {                                                                                                        \
        (void)command, (void)program, (void)value;                                                           \
        member = setting;                                                                                    \
        return 0;                                                                                            \
    }
SETTER(set_wdir, program->wdir, value)
SETTER(set_hosts, command->hosts, value)
SETTER(set_hostfile, command->hostfile, value)
SETTER(set_report_bindings, command->report_bindings, true)
SETTER(set_tag_output, command->tag_output, true)
SETTER(set_verbose, command->verbose, true)
SETTER(ask_help, command->action, TTI_ACTION_HELP)
SETTER(ask_version, command->action, TTI_ACTION_VERSION)

static const option_row rows[] = {
    {"-n", "-np", "N", set_ranks,
     "start N ranks (default: one per core that may be used, fewer where a container has less processor "
     "time; with\n        --hosts one per slot, and one on a host without slots)"},
    {"--bind-to", NULL, "core|numa|none", set_binding,
     "bind each rank to a core, to a NUMA node, or not (default: core if there is one, and its time, for "
     "each rank,\n        else none)"},
    {"--report-bindings", NULL, NULL, set_report_bindings, "say on stderr which processors each rank got"},
    {"--tag-output", NULL, NULL, set_tag_output,
     "put the rank before each line: [3] for stdout, [3!] for stderr"},
    {"-x", NULL, "VAR[=VALUE]", add_export,
     "set VAR for the ranks, or check that it is set; ranks have the launcher's environment anyway"},
    {"--wdir", "--chdir", "DIR", set_wdir, "start the ranks in DIR"},
    {"--timeout", NULL, "SECONDS", set_timeout, "end the job after this time, with exit status 124"},
    {"--keep-going", NULL, "[=strict]", set_keep_going,
     "when a rank fails, tell the others (PMIx event) and wait for them instead of ending the job; a rank "
     "that was\n        killed makes a status other than 0 only with =strict, or if no other ends well; not "
     "with --hosts"},
    {"--spares", NULL, "K", set_spares,
     "start K more processes, which sleep in tutti_init() until tutti_comm_restore() puts them in the place "
     "of\n        dead ranks; implies --keep-going"},
    {"--respawn", NULL, "[=K]", set_respawn,
     "let tutti_comm_restore() start new processes in the place of dead ranks, at most K (default: as many "
     "as\n        there are ranks); implies --keep-going"},
    {"--hosts", "--host", "A[:SLOTS],B…", set_hosts,
     "run on these hosts: hands over to prterun, mpirun or srun, whichever is installed (srun takes no "
     "--timeout\n        and no several programs)"},
    {"--hostfile", NULL, "FILE", set_hostfile,
     "as --hosts, from a file with lines \"host\", \"host:slots\" or \"host slots=N\", # comments"},
    {"--verbose", "-v", NULL, set_verbose, "say what is started, and how the time is spent"},
    {"--version", "-V", NULL, ask_version, "print the version"},
    {"--help", "-h", NULL, ask_help, "print this"},
};
#define ROWS (sizeof rows / sizeof rows[0])

static bool named(const option_row *row, const char *text, size_t length)
{
    return (strlen(row->name) == length && strncmp(row->name, text, length) == 0) ||
           (row->alias != NULL && strlen(row->alias) == length && strncmp(row->alias, text, length) == 0);
}

/* The option that `text` is nearest to, and nearer than to a word of its own. */
static const char *nearest_option(const char *text)
{
    const char *nearest = NULL;
    int least = NEAR_ENOUGH + 1;
    const size_t letters = strlen(text + strspn(text, "-"));
    for (size_t i = 0; i < 2 * ROWS; i++) {
        const char *name = i < ROWS ? rows[i].name : rows[i - ROWS].alias;
        const int distance = name != NULL ? tti_parse_distance(text, name) : least;
        if (distance >= least || 2 * (size_t)distance >= letters) continue;
        least = distance;
        nearest = name;
    }
    return nearest;
}

static int refuse_unknown(const char *text)
{
    const char *number = text + strcspn(text, "=0123456789");
    const char *hint = tti_foreign_hint(text), *nearest = nearest_option(text);
    if (named(&rows[0], text, (size_t)(number - text)) && *number != '\0')
        return tti_launcher_refuse(TTI_STATUS_USAGE, "unknown option %s; write -n %s", text,
                                   number + strspn(number, "="));
    if (hint != NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "unknown option %s; %s", text, hint);
    if (nearest != NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "unknown option %s; did you mean %s?", text, nearest);
    return tti_launcher_refuse(TTI_STATUS_USAGE, "unknown option %s; tuttirun --help lists them", text);
}

int tti_command_take_option(tti_command *command, tti_program *program, char **argv, int *at)
{
    const char *text = argv[*at];
    const char *equals = text[1] == '-' ? strchr(text, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const option_row *row = rows;
    while (row < rows + ROWS && !named(row, text, length))
        row++;
    if (row == rows + ROWS) return refuse_unknown(text);
    ++*at;
    if (row->value == NULL && equals != NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "%s takes no value", row->name);
    if (row->value == NULL || row->value[0] == '[')
        return row->apply(command, program, equals != NULL ? equals + 1 : NULL);
    const char *value = equals != NULL ? equals + 1 : argv[*at];
    if (value == NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "%s needs a value: %s %s", row->name, row->name,
                                   row->value);
    if (equals == NULL) ++*at;
    return row->apply(command, program, value);
}

void tti_command_print_help(FILE *to)
{
    fputs("usage: tuttirun [options] program [arguments] [: [options] program [arguments]]…\n\n"
          "Starts the ranks of a parallel job on this machine and serves them PMIx.\n\n",
          to);
    for (size_t i = 0; i < ROWS; i++) {
        fprintf(to, "  %s%s%s%s%s\n        %s\n", rows[i].name, rows[i].alias != NULL ? ", " : "",
                rows[i].alias != NULL ? rows[i].alias : "",
                rows[i].value != NULL && rows[i].value[0] != '[' ? " " : "",
                rows[i].value != NULL ? rows[i].value : "", rows[i].help);
    }
    fputs(
        "\n-n, -x and --wdir belong to the program they precede, all other options to the job. Rank 0 reads\n"
        "the launcher's stdin. The first rank that fails ends the job (unless --keep-going); it is reported\n"
        "with the last lines it wrote to stderr, and its status, or 128 + its signal, is that of tuttirun.\n"
        "Other exit statuses: 2 bad input, 74 output was lost, 124 --timeout, 126 program not executable,\n"
        "127 not found. With --hosts they are those of the launcher that starts the ranks there, and so is "
        "the\n"
        "form of --tag-output.\n",
        to);
}
