/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective call in any of its three forms. */
#ifndef TESTS_JOB_FORMS_H
#define TESTS_JOB_FORMS_H

#include "tests/job/job.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static inline void finish_form(enum form form, tutti_request **request)
{
    if (form == BLOCKING) return;
    if (form == PERSISTENT) OK(tutti_start(*request));
    OK(tutti_wait(request, NULL));
    if (form == PERSISTENT) OK(tutti_request_free(request));
    EXPECT(*request == NULL);
}

/* tutti_<name>(arguments) in that form, from its beginning to its end. */
#define IN_FORM(form, name, ...)                                                                             \
    do {                                                                                                     \
        tutti_request *request = NULL;                                                                       \
        if ((form) == BLOCKING)                                                                              \
            OK(tutti_##name(__VA_ARGS__));                                                                   \
        else if ((form) == NONBLOCKING)                                                                      \
            OK(tutti_i##name(__VA_ARGS__, &request));                                                        \
        else                                                                                                 \
            OK(tutti_##name##_init(__VA_ARGS__, &request));                                                  \
        finish_form(form, &request);                                                                         \
    } while (0)

/* Calls `test` with the world, then with communicators made of it: all ranks backwards, and twice two parts
 * (of 16 ranks 9 and 7, 11 and 5; of 8 also 6 and 2). */
static inline void on_communicators(void (*test)(tutti_comm *comm))
{
    const int colors[] = {0, rank >= 9, rank * 3 >= size * 2};
    test(world);
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        tutti_comm *comm;
        OK(tutti_comm_split(world, colors[i], -rank, &comm));
        test(comm);
        OK(tutti_comm_free(&comm));
    }
}

#endif
