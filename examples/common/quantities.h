/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that a user gives by name, and what is sound: a table beside the struct that they go to. */
#ifndef EXAMPLES_QUANTITIES_H
#define EXAMPLES_QUANTITIES_H

#include <stdbool.h>
#include <stddef.h>

struct number {
    const char *name;
    size_t offset; /* in the struct, of an int if whole, else of a double */
    bool whole;
    double least, most;
    const char *what; /* with its unit, for complaints and --help */
};

/* NULL: no number has that name. */
const struct number *number_find(const struct number *numbers, size_t count, const char *name);

/* Sets it in `values`; `where` (a file's line, or an option) begins a complaint, after which it is false. */
bool number_set(const struct number *number, void *values, const char *where, const char *text);

/* A command line of numbers, each as `--name VALUE`, and `--output FILE.png`. */
struct command {
    const char *summary; /* the first lines of --help */
    const struct number *numbers;
    size_t count;
    char *output; /* path of the picture */
    size_t room;  /* for it */
};

enum verdict {
    SOUND,
    HELPED,
    REFUSED
}; /* HELPED: --help was asked for and printed; REFUSED: after a complaint */

/* Reads the command line into `values`, which hold the defaults before. */
enum verdict command_read(const struct command *command, int argc, char **argv, void *values);

#endif
