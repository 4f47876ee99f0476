/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processors each rank gets. */
#ifndef TTI_LAUNCHER_BINDINGS_H
#define TTI_LAUNCHER_BINDINGS_H

#include <sched.h>

#include "launcher/command.h"

#define TTI_BINDING_CPUS_MAX 8192

typedef struct {
    cpu_set_t *sets; /* of each place, set_bytes each; NULL: not bound */
    size_t set_bytes;
    int places;
    const char *kind; /* "core" or "numa" */
} tti_bindings;

/* Cores that this process may use, no more than a cgroup's quota gives it time of; asks hwloc. Returns 0 or
 * an exit status. */
int tti_bindings_cores(int *cores);

/* Plans the binding of `ranks` ranks. AUTO is core if there is one, and its time, for each, else none.
 * Returns 0 or an exit status. */
int tti_bindings_plan(enum tti_command_binding wanted, int ranks, tti_bindings *bindings);
void tti_bindings_free(tti_bindings *bindings);

/* The processors of a rank, or NULL if it is not bound. Ranks go round the places. */
const cpu_set_t *tti_bindings_of(const tti_bindings *bindings, int rank);

/* The set as a list like "0-3,8", cut if it does not fit. */
void tti_bindings_text(const tti_bindings *bindings, int rank, char *text, size_t room);

#endif
