/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole channel's state at rank 0, fetched by nobody: every rank puts its block where it belongs. */
#ifndef FLOW_CHANNEL_H
#define FLOW_CHANNEL_H

#include <tutti/tutti.h>

#include "examples/flow/lattice.h"

/* Collective. At rank 0 the channel's cells in rows from the top, to be freed by tutti_mem_free(); NULL
 * elsewhere. */
struct cell *gather_channel(tutti_comm *world, const struct block *block, const struct lattice *lattice);

#endif
