/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ways between the ranks of a node cost, in ns, by the machine's figures. Pure. */
#ifndef TTI_MACHINE_CROSSING_COSTS_H
#define TTI_MACHINE_CROSSING_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/figures.h"
#include "runtime/machine/crossing_kinds.h"

typedef int64_t tti_cost_fn(const tti_figures *f, size_t bytes);

/* A message: fetched by the kernel's copy, or in packets; the same between ranks that share a core. */
tti_cost_fn tti_cost_fetch, tti_cost_packets;
tti_cost_fn tti_cost_shared_fetch, tti_cost_shared_packets;

/* A collective of two ranks: by the kernel's copies, or through shared memory. */
typedef struct {
    tti_cost_fn *single, *blocks;
} tti_cost_pair;
extern const tti_cost_pair tti_cost_collectives[TTI_CROSSING_COLLECTIVES];

/* From how many bytes on it pays that two ranks make half of a copy each; the kernel has to copy. */
size_t tti_cost_help_least(const tti_figures *f);

/* Sizes that programs have. */
size_t tti_cost_power_below(size_t bytes);
size_t tti_cost_nearest_power(size_t bytes);

#endif
