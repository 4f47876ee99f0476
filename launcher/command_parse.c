/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs, each with its options before it, and what must hold of them all. */
#include "launcher/command_parse.h"

#include <stdlib.h>
#include <string.h>

#include "launcher/command_options.h"
#include "launcher/launcher_report.h"

static tti_program *add_program(tti_command *command)
{
    const size_t count = (size_t)command->programs_count + 1;
    tti_program *grown = realloc(command->programs, count * sizeof *grown);
    if (grown == NULL) return NULL;
    command->programs = grown;
    tti_program *program = &grown[command->programs_count++];
    *program = (tti_program){0};
    return program;
}

/* One program with the options before it, from argv[*at] to the next ":" or the end. */
static int take_program(tti_command *command, char **argv, int *at)
{
    tti_program *program = add_program(command);
    if (program == NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the command line");
    while (argv[*at] != NULL && argv[*at][0] == '-' && argv[*at][1] != '\0') {
        if (strcmp(argv[*at], "--") == 0) {
            ++*at;
            break;
        }
        const int status = tti_command_take_option(command, program, argv, at);
        if (status != 0 || command->action != TTI_ACTION_RUN) return status;
    }
    if (argv[*at] == NULL || strcmp(argv[*at], ":") == 0)
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "no program given; write tuttirun -n 4 ./program [arguments]");
    program->arguments = argv + *at;
    while (argv[*at] != NULL && strcmp(argv[*at], ":") != 0)
        ++*at;
    return 0;
}

int tti_command_count(const tti_command *command, int64_t ranks, int *processes)
{
    const int64_t respawn = command->respawn != TTI_COMMAND_AS_RANKS ? command->respawn : ranks;
    const int64_t all = ranks + command->spares + respawn;
    if (all > TTI_COMMAND_RANKS_MAX)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "%lld processes in all; at most %d are possible",
                                   (long long)all, TTI_COMMAND_RANKS_MAX);
    *processes = (int)all;
    return 0;
}

static int check_whole(const tti_command *command)
{
    int64_t ranks = 0; /* 0: not given, and counted again when it is known */
    int processes;
    for (int i = 0; i < command->programs_count; i++) {
        if (command->programs_count > 1 && command->programs[i].ranks == 0)
            return tti_launcher_refuse(
                TTI_STATUS_USAGE,
                "%s has no -n; give one for each program separated by :", command->programs[i].arguments[0]);
        ranks += command->programs[i].ranks;
    }
    const int status = tti_command_count(command, ranks, &processes);
    if (status != 0) return status;
    if (command->spares > 0 && command->programs_count > 1)
        return tti_launcher_refuse(
            TTI_STATUS_USAGE,
            "--spares: a spare cannot tell which of the %d programs it is to run; use --respawn",
            command->programs_count);
    if ((command->spares > 0 || command->respawn != 0) &&
        (command->hosts != NULL || command->hostfile != NULL))
        return tti_launcher_refuse(
            TTI_STATUS_USAGE,
            "--spares and --respawn are for one machine, where tuttirun itself starts the ranks: without "
            "them a program can go on with fewer ranks by tutti_comm_shrink()");
    if (command->hosts != NULL && command->hostfile != NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "--hosts and --hostfile exclude each other; give one");
    return 0;
}

int tti_command_parse(int argc, char **argv, tti_command *command)
{
    *command = (tti_command){0};
    int at = argc > 0 ? 1 : 0;
    for (;;) {
        const int status = take_program(command, argv, &at);
        if (status != 0 || command->action != TTI_ACTION_RUN) return status;
        if (argv[at] == NULL) {
            const bool restores = command->spares > 0 || command->respawn != 0;
            if (restores && command->keep_going == TTI_KEEP_NOT) command->keep_going = TTI_KEEP_GOING;
            return check_whole(command);
        }
        argv[at++] = NULL;
    }
}

void tti_command_free(tti_command *command)
{
    for (int i = 0; i < command->programs_count; i++)
        free(command->programs[i].exports);
    free(command->programs);
    *command = (tti_command){0};
}
