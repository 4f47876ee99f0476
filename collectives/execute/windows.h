/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows of a communicator: memory that its ranks share when they are all on one node. Operations that
 * use them are numbered; number n takes window n % TTI_NODE_WINDOWS of every rank, and may begin when every
 * rank has finished number n - TTI_NODE_WINDOWS, so that several may be under way. Under the lock. */
#ifndef TTI_EXECUTE_WINDOWS_H
#define TTI_EXECUTE_WINDOWS_H

#include "collectives/schedule/schedule.h"
#include "runtime/comm/comm.h"
#include "runtime/node/node.h"

typedef struct {
    tti_node *node;
    int set; /* of the node's; -1: there was none left */
    int rank, size;
    uint64_t operations; /* begun so far */
    int peers[];         /* [size] index on the node */
} tti_windows;

/* Makes room for those of a new communicator. TUTTI_ERR_NO_MEMORY. */
int tti_windows_prepare(tutti_comm *comm);
/* Gives it windows, together with all its ranks, once it has a context; none where its ranks are not all on
 * this node, or all sets are in use. An error ends the making of the communicator. */
int tti_windows_agree(tutti_comm *comm, const char *call);
/* Those of the communicator; NULL if it has none. TUTTI_ERR_NO_MEMORY. */
int tti_windows_get(tutti_comm *comm, tti_windows **windows);
/* NULL is nothing. */
void tti_windows_close(tti_windows *windows);

/* A rank's window for operation `number`. */
static inline tti_node_window *tti_windows_at(const tti_windows *windows, int rank, uint64_t number)
{
    return tti_node_window_at(windows->node, windows->set, windows->peers[rank],
                              (int)(number % TTI_NODE_WINDOWS));
}
/* Whether all ranks have finished what its windows were used for before. */
bool tti_windows_free_for(const tti_windows *windows, uint64_t number);
/* Ends the sleep of a rank, or of all others (TTI_ALL), that waits for something shown there. */
void tti_windows_poke(const tti_windows *windows, int rank);
/* This rank has finished the operation. */
void tti_windows_finish(const tti_windows *windows, uint64_t number);

#endif
