/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of tuttirun. Parsing is pure: it reads no environment, opens no file, starts nothing. */
#ifndef TTI_LAUNCHER_COMMAND_PARSE_H
#define TTI_LAUNCHER_COMMAND_PARSE_H

#include "launcher/command.h"

/* Parses argv (argv[argc] is NULL), in which it overwrites each ":" by NULL. Returns 0 or an exit status.
 * tti_command_free() in either case. */
int tti_command_parse(int argc, char **argv, tti_command *command);
/* How many processes a job of so many ranks may have, with those that take others' places. Returns 0 or an
 * exit status: too many. */
int tti_command_count(const tti_command *command, int64_t ranks, int *processes);
void tti_command_free(tti_command *command);

#endif
