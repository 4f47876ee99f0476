/* SPDX-License-Identifier: BSD-3-Clause */
/* From which size on which way between the ranks of a node is the shorter one, on a machine of given figures.
 * Pure: what a machine does not have at hand is tested by its figures. Sizes in bytes. */
#ifndef TTI_MACHINE_CROSSINGS_H
#define TTI_MACHINE_CROSSINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/figures.h"
#include "runtime/machine/crossing_kinds.h"

/* In place of a size: the other way is the shorter one at every size. */
#define TTI_CROSSING_NEVER SIZE_MAX

typedef struct {
    /* Messages. Up to eager_sure they always go at once, up to eager_most if the receiver lags behind or
     * shares cores. A longer one is fetched by the kernel's copy from `fetch` on (`fetch_shared` where ranks
     * share cores), else it goes in packets. From `help` on the sender does a part of that copy. */
    size_t eager_sure, eager_most;
    size_t fetch, fetch_shared, help;
    /* Collectives of two ranks: the kernel's copies from single[collective] on, else through shared memory.
     * Never for what goes one way, where a message is as quick at every size, and both copy a long one. Of
     * more ranks: where a rank's part is longer than single_part. */
    size_t single[TTI_CROSSING_COLLECTIVES];
    size_t single_part;
    bool quick; /* the kernel's copy is the shorter way for ranks that share processors, too, but for a few
                   KiB */
    tti_figures figures; /* of which all this follows, unless some is forced */
    bool forced;
} tti_crossings;

/* All figures must be known (tti_figures_completed()). */
tti_crossings tti_crossings_of(const tti_figures *figures);
/* The figures of a moment in which a line is read in `load_ns` (TTI_FIGURE_LOAD): virtual processors wander,
 * and from one second to the next share a core, a cache or neither, which makes a line ten times as long. */
tti_figures tti_figures_at(const tti_figures *figures, int64_t load_ns);
/* From how many bytes on a rank that copies in for another does so past the caches. */
size_t tti_crossing_past_least(const tti_figures *figures);
/* The same of what any of the node's ranks may read, where it takes `fill_ns` a MiB to write it through them.
 */
size_t tti_crossing_past_filled(const tti_figures *figures, int64_t fill_ns);
/* How many bytes a call may touch at a rank with what all touch staying in the caches of their `processors`,
 * of which other data take a quarter; SIZE_MAX where it is not known. */
size_t tti_crossing_kept(const tti_figures *figures, int ranks, int processors);
/* The kernel copies whatever has at least so many bytes, or needs more than a cell or packet; nothing
 * shorter. */
void tti_crossings_force(tti_crossings *crossings, size_t single_least);

#endif
