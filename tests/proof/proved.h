/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no second proof, as it has been proved. Of one algorithm: a chunk that all the data fit in, or a
 * WINDOW that has more room than they need, makes the schedules of one that was smaller: a third of all. */
#ifndef TESTS_PROOF_PROVED_H
#define TESTS_PROOF_PROVED_H

#include "collectives/contract/contract.h"

/* Digests, of 64 bits; at first all zero. */
typedef struct {
    uint64_t *at;
    size_t count, room;
} proved;

/* Whether the same schedules have been seen for the same goal; from now on they have. */
bool proved_before(proved *set, const tti_contract *contract, const tti_shape *shape,
                   tti_schedule *const *schedules);
void proved_forget(proved *set);
/* The earlier collective whose calls have the same schedules and goals, or NULL: where one takes elements
 * and the other bytes, of which an element of the proof is one. */
const tti_contract *proved_as(const tti_contract *contract);

#endif
