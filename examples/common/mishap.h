/* SPDX-License-Identifier: BSD-3-Clause */
/* What the larger examples do when something goes wrong: a mistake of the user's is one line on stderr,
 * written by rank 0; a call of Tutti that fails ends the job. */
#ifndef EXAMPLES_MISHAP_H
#define EXAMPLES_MISHAP_H

#include <stdbool.h>

/* Of the program, which defines it. */
extern const char program[];

/* Writes "PROGRAM: …" and returns false, so that a function can end with `return complain(…)`. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the whole job: `call` returned `code`. */
void stop(const char *call, int code) __attribute__((noreturn));

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const int check_code = (call);                                                                       \
        if (check_code != 0) stop(#call, check_code);                                                        \
    } while (0)

/* calloc that ends the job where there is no memory. */
void *allocate(unsigned long count, unsigned long bytes);

#endif
