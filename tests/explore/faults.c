/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/faults.h"

#include <stddef.h>
#include <string.h>

#define FAULT(name, kind, model, scenario, function, word)                                                   \
    {name, function, word, FAULT_##kind, scenario, MEMORY_##model},
const fault faults[] = {
#include "tests/explore/faults_table.h"
};
const int faults_count = (int)(sizeof faults / sizeof *faults);

static const fault *in_force;
static unsigned long met;

void faults_set(const fault *f)
{
    in_force = f;
    met = 0;
}

bool faults_hit(enum fault_kind kind, const char *function, const char *word)
{
    if (in_force == NULL || in_force->kind != kind || strcmp(in_force->function, function) != 0 ||
        strcmp(in_force->word, word) != 0)
        return false;
    met++;
    return true;
}

unsigned long faults_met(void)
{
    return met;
}
