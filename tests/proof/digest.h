/* SPDX-License-Identifier: BSD-3-Clause */
/* A number for all that a proof depends on: two calls that have the same are proved by one proof. */
#ifndef TESTS_PROOF_DIGEST_H
#define TESTS_PROOF_DIGEST_H

#include "collectives/contract/contract.h"

/* Of 128 bits, so that two different calls do not have the same by chance: among a million calls, once in
 * 10^26 sweeps. */
typedef struct {
    uint64_t low, high;
} digest;

static inline bool digests_equal(digest a, digest b)
{
    return a.low == b.low && a.high == b.high;
}

/* Of the schedules and of the goal: what each rank has before and is to have after, in buffers of which size,
 * who shares memory with whom, and whether the operation commutes. What the proof does not look at does not
 * count: which algorithm it was, how large WINDOWs are beyond what is used, nodes where no memory is shared.
 *
 * Of a rooted call nor do the numbers of ranks, unless they are the order in which it combines: a tree from
 * rank 3 is the same as one from rank 0, and so is its proof. */
digest digest_of(const tti_contract *contract, const tti_shape *shape, tti_schedule *const *schedules);
/* Of the goal alone. */
digest digest_goal(const tti_contract *contract, const tti_shape *shape);

#endif
