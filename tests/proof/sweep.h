/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of one algorithm among so many ranks that are tried: roots, layouts of nodes, counts, parameters,
 * WINDOWs, operations. */
#ifndef TESTS_PROOF_SWEEP_H
#define TESTS_PROOF_SWEEP_H

#include "collectives/proof/checker.h"
#include "tests/proof/proved.h"

#define SWEEP_RANKS_MOST 4096
/* All sizes up to this are proved; of wide sizes, of each few calls, up to the second. */
#define SWEEP_ALL 34
#define SWEEP_WIDE_ALL 130

enum sweep_effort { SWEEP_WHOLE, SWEEP_FEW_SIZES, SWEEP_WIDE };

typedef struct {
    enum sweep_effort effort;
    tti_checker *checker;
    enum tti_collective collective;
    const tti_algorithm *algorithm;
    proved proved;
    bool uneven; /* WINDOWs differ from node to node */
    bool looks;  /* the algorithm has asked whether the operation commutes */
    long calls, proofs, steps;
} sweep;

/* Proves them; a call that is wrong ends the program. */
void sweep_calls(sweep *s, int size);

#endif
