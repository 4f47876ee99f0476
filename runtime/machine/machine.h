/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of this node, and the choices that rest on them. */
#ifndef TTI_MACHINE_H
#define TTI_MACHINE_H

#include "runtime/base/figures.h"
#include "runtime/machine/crossings.h"

typedef struct {
    tti_figures figures; /* typical where nothing else is known */
    char origin[600];    /* for people */
} tti_machine;

/* TUTTI_MACHINE's, else those that were kept, which one more measurement joins in the first jobs after a boot
 * and once a minute: some milliseconds then. Options must be loaded. */
void tti_machine_learn(tti_machine *machine);
/* The choices by these figures, and the options that overrule them. */
tti_crossings tti_machine_crossings(const tti_figures *figures);

#endif
