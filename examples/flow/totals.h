/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers about the whole channel. Sums of doubles would depend on their order, and so on the number of
 * ranks; these are made of integers (fixed.h), whose sum is exact. */
#ifndef FLOW_TOTALS_H
#define FLOW_TOTALS_H

#include <tutti/tutti.h>

#include "examples/flow/lattice.h"

struct totals {
    double mass;     /* mean density of the channel's cells */
    double residual; /* Σ|change of velocity since the last call| / Σ|velocity| */
    long long lost;  /* cells whose state makes no sense: the simulation has become unstable */
};

/* Collective. `last` holds two doubles for each cell of the block between calls, zero before the first. */
struct totals totals_measure(tutti_comm *world, const struct block *block, const struct lattice *lattice,
                             double *last);

#endif
