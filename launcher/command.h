/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line of tuttirun asks for (command_parse.h). */
#ifndef TTI_LAUNCHER_COMMAND_H
#define TTI_LAUNCHER_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

/* No job of one machine has more ranks; keeps a mistyped -n from filling it. */
#define TTI_COMMAND_RANKS_MAX 65536

#define TTI_COMMAND_AS_RANKS (-1)

enum tti_command_action { TTI_ACTION_RUN, TTI_ACTION_HELP, TTI_ACTION_VERSION };
/* When a rank fails: end the job; let the others go on, for whom it is no failure; or for whom it is one. */
enum tti_command_keep { TTI_KEEP_NOT, TTI_KEEP_GOING, TTI_KEEP_STRICT };
enum tti_command_binding { TTI_BIND_AUTO, TTI_BIND_CORE, TTI_BIND_NUMA, TTI_BIND_NONE };

/* One program of the job and the options that are its own. */
typedef struct {
    int ranks;            /* -n, or 0: not given */
    const char *wdir;     /* --wdir, or NULL */
    char **arguments;     /* its argv, NULL-ended; [0] as the user wrote it */
    const char **exports; /* -x, as given: "NAME" or "NAME=value" */
    int exports_count;
} tti_program;

/* Strings point into the argv that was parsed. */
typedef struct {
    enum tti_command_action action;
    tti_program *programs;
    int programs_count;
    enum tti_command_binding binding;
    enum tti_command_keep keep_going;
    bool report_bindings, tag_output, verbose;
    int spares;  /* processes that wait to take the place of a dead rank */
    int respawn; /* how many may be started for that; TTI_COMMAND_AS_RANKS: as many as there are ranks */
    int64_t timeout_ns; /* 0: none */
    const char *hosts, *hostfile;
} tti_command;

#endif
