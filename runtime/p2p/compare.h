/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls, for calls of all ranks that are not collectives themselves: those that make
 * communicators, windows and checkpoints. How ranks compare their calls only the collectives know, and
 * windows stand below them: they tell it here. Under the lock. */
#ifndef TTI_P2P_COMPARE_H
#define TTI_P2P_COMPARE_H

#include <stdbool.h>

#include "runtime/comm/comm.h"

/* A comparison that goes on in progress. Its memory is the caller's until `over`. */
typedef struct tti_comparison tti_comparison;
struct tti_comparison {
    void (*over)(tti_comparison *comparison, int code); /* as tti_compare() returns */
};

/* Whether calls on the communicator are compared: then each takes numbers of its collectives. */
bool tti_compares(const tutti_comm *comm);
/* Returns when all ranks have come: 0 or, at all of them and with the same detail, TUTTI_ERR_ARG where they
 * make different calls; the caller then does nothing of what it was called for. What else goes wrong, such as
 * a death, is no matter here and 0: the call itself will hear of it (where a rank dies meanwhile, some may
 * have 0 of calls that differ). `call` is the public function. */
int tti_compare(tutti_comm *comm, const char *call);
/* Begins to; `over` follows, perhaps before this returns. */
void tti_compare_begin(tutti_comm *comm, const char *call, tti_comparison *comparison);

typedef struct {
    bool (*compares)(int size);
    int (*compare)(tutti_comm *comm, const char *call);
    void (*begin)(tutti_comm *comm, const char *call, tti_comparison *comparison);
} tti_comparing;
/* At init. */
void tti_compare_by(const tti_comparing *comparing);

#endif
