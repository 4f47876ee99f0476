/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that share processors spread evenly over them. The kernel does not see to that: ranks that yield to
 * each other every microsecond count for it as too freshly in a cache to be moved, and it leaves seven of
 * eight on one of two processors for tenths of a second. Nobody is bound: the kernel may move them again, and
 * where it does because strangers compute here it is let be (tti_node_note_loss()). */
#ifndef TTI_PROGRESS_SPREAD_H
#define TTI_PROGRESS_SPREAD_H

#include <stdint.h>

#include "runtime/node/node.h"

typedef struct {
    int64_t next; /* when this rank looks around again, in rough ns; INT64_MAX: never */
} tti_spread;

/* The calling thread is about to yield: now and then it shows on which processor it is, and moves to another
 * one of those that it may use, if that makes the numbers of ranks on them more equal. Under the lock. */
void tti_spread_look(tti_spread *spread, const tti_node *node, int64_t now);

#endif
