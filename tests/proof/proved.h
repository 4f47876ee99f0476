/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no second proof, as it has been proved: of other chunks, WINDOWs, layouts, roots or algorithms
 * that make the same schedules of a call, or of an operation that commutes after one that does not. */
#ifndef TESTS_PROOF_PROVED_H
#define TESTS_PROOF_PROVED_H

#include "tests/proof/digest.h"

/* Digests; at first all zero. */
typedef struct {
    digest *at;
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
