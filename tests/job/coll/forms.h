/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective call in any of its three forms. */
#ifndef TESTS_JOB_FORMS_H
#define TESTS_JOB_FORMS_H

#include "tests/job/job.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* Which start of a persistent request this is, and of how many; what the ranks send follows it, so that a
 * start that ran on what an earlier one left behind shows. */
static int start_now, starts = 1;

/* `test`, in which calls are made by IN_FORM; in the persistent form twice, with the same requests. What it
 * gives to the calls has to be in the same place both times. */
#define EACH_START(form, test)                                                                               \
    do {                                                                                                     \
        starts = (form) == PERSISTENT ? 2 : 1;                                                               \
        for (start_now = 0; start_now < starts; start_now++)                                                 \
            test;                                                                                            \
        start_now = 0;                                                                                       \
        starts = 1;                                                                                          \
    } while (0)

static inline void finish_form(enum form form, tutti_request **request)
{
    if (form == BLOCKING) return;
    if (form == PERSISTENT) OK(tutti_start(*request));
    OK(tutti_wait(request, NULL));
    if (form == PERSISTENT && start_now < starts - 1) return;
    if (form == PERSISTENT) OK(tutti_request_free(request));
    EXPECT(*request == NULL);
}

/* tutti_<name>(arguments) in that form, from its beginning to its end. Each place in a program has a request
 * of its own, which lasts until its last start. */
#define IN_FORM(form, name, ...)                                                                             \
    do {                                                                                                     \
        static tutti_request *request;                                                                       \
        EXPECT((request == NULL) == (start_now == 0));                                                       \
        if ((form) == BLOCKING)                                                                              \
            OK(tutti_##name(__VA_ARGS__));                                                                   \
        else if ((form) == NONBLOCKING)                                                                      \
            OK(tutti_i##name(__VA_ARGS__, &request));                                                        \
        else if (start_now == 0)                                                                             \
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
