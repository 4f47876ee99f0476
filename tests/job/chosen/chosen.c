/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into a program of the job suite with --wrap=tti_select: a rule such as TUTTI_ALLREDUCE=0-:swing is
 * passed over where its algorithm may not be taken, and the program would pass by another one. So at the
 * program's end each algorithm that a rule names must have been chosen for some call of as many ranks as the
 * job has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include "collectives/select/select.h"

static const struct {
    const char *variable;
} rules[TTI_COLLECTIVES] = {
#define COLLECTIVE(NAME, ...) [TTI_##NAME] = {"TUTTI_" #NAME},
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
};

static bool chosen[TTI_COLLECTIVES];

static const char *wanted(enum tti_collective collective)
{
    const char *rule = getenv(rules[collective].variable);
    return rule == NULL ? NULL : strchr(rule, ':') + 1;
}

/* The names are the linker's. */
tti_choice __real_tti_select(enum tti_collective collective, const tti_question *question);
tti_choice __wrap_tti_select(enum tti_collective collective, const tti_question *question);
tti_choice __wrap_tti_select(enum tti_collective collective, const tti_question *question)
{
    static int most;
    const tti_choice choice = __real_tti_select(collective, question);
    const char *name = wanted(collective);
    if (question->size < most || name == NULL) return choice;
    most = question->size; /* the job's, of which the first call is */
    if (strcmp(choice.algorithm->name, name) == 0) chosen[collective] = true;
    return choice;
}

static __attribute__((destructor)) void expect_chosen(void)
{
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const char *name = wanted((enum tti_collective)c);
        if (name == NULL || chosen[c]) continue;
        fprintf(stderr, "%s=%s: no call of all ranks took it\n", rules[c].variable, name);
        _exit(1);
    }
}
