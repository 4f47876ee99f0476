/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the fluid, kept in the memory of two ranks each (tutti/keep.h), and given to the blocks of
 * those that are left. */
#ifndef FLOW_RESCUE_H
#define FLOW_RESCUE_H

#include <tutti/tutti.h>

#include "examples/flow/lattice.h"

/* Both collective; what goes wrong for a death is_broken() tells (survive.h). `last` is as totals.h has it.
 */
void rescue_keep(tutti_comm *comm, const struct block *block, const struct lattice *lattice,
                 const double *last, int step);
/* Fills a fresh lattice and `last` with what was kept, by whatever blocks; the step of that. 0: nothing was.
 */
int rescue_recall(tutti_comm *comm, const struct block *block, struct lattice *lattice, double *last);

#endif
