/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of memory that ranks share. What ranks of a node tell each other through shared memory goes through
 * C11's atomics, and those come from here: a test build puts another header in this place, whose loads,
 * stores and fences are steps of a scheduler that tries how ranks may meet (tests/explore). In a file that
 * includes this, <stdatomic.h> is not included beside it, and no atomic word is read or written without a
 * call. */
#ifndef TTI_BASE_ATOMICS_H
#define TTI_BASE_ATOMICS_H

#include <stdatomic.h>

#endif
