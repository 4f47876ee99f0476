/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the figures of this node (runtime/base/figures.h): about a millisecond, on a busy machine longer.
 */
#ifndef TTI_MACHINE_MEASURE_H
#define TTI_MACHINE_MEASURE_H

#include "runtime/base/figures.h"

/* What this and the caller's other threads are bound to stays as it is. Unknown is what took too long, what
 * nobody would believe, and where there is but one processor what takes two. Ends after
 * twice `longest_ns`. */
tti_figures tti_machine_measure(int64_t longest_ns);

#endif
