/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_COMMAND_OPTIONS_H
#define TTI_LAUNCHER_COMMAND_OPTIONS_H

#include <stdio.h>

#include "launcher/command.h"

/* Takes the option at argv[*at], and its value, which may follow "=" or be the next argument; *at is behind
 * both then. Returns 0 or an exit status. */
int tti_command_take_option(tti_command *command, tti_program *program, char **argv, int *at);

void tti_command_print_help(FILE *to);

#endif
