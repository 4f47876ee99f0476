/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress and waiting: the one discipline, spin, yield, sleep and be woken. What rounds look after knows
 * nothing of messages; their protocols hand in what is to be done, and show when. */
#ifndef TTI_PROGRESS_H
#define TTI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/node/mailbox.h"
#include "runtime/progress/watched.h"

/* One round over node and, not each time where both are open, fabric; returns how many events it saw. Under
 * the lock. */
int tti_progress(void);
/* A round that leaves out nothing. */
int tti_progress_all(void);
/* A round in one of `every` calls of this; true: in this one. For public calls that find what they are asked
 * for there, or do it at once: a program that spins on those alone must let others have of this rank what
 * they ask for, too. A round costs a test of what is complete much, and an operation that moves data little.
 */
#define TTI_SOMETIMES_BY_TESTS 32
#define TTI_SOMETIMES_BY_DATA 8
bool tti_progress_sometimes(unsigned every);

/* Looks, and returns how many events it saw. */
typedef int tti_look_fn(void);

/* What rounds call of the protocols, each only when there is something for it. Under the lock. */
typedef struct {
    tti_node_packet_fn *packet; /* with each that comes over the node */
    tti_look_fn *flush;         /* packets wait for room at their peers (tti_peers.blocked) */
    tti_look_fn *finish;        /* ends of operations are due */
    /* Ranks are lost, or have left the node, and all that they had sent has been taken in. */
    void (*sweep)(void);
    void (*departed)(void);
    /* Sends that were taken back wait for an answer, which a peer that has left does not give any more, but
     * may have given. So the first one marks those to such peers (false: there are none), then all that has
     * arrived is taken in, then the second one ends those that are marked. */
    bool (*mark_withdrawn)(void);
    tti_look_fn *end_withdrawn;
} tti_protocols;

/* What the next round is to do for them. */
typedef struct {
    tti_link finished; /* not empty: finish() */
    int withdrawals;   /* sends taken back that wait for the answer */
} tti_due;
extern tti_due tti_progress_due;

void tti_progress_open(const tti_protocols *protocols);

/* Who is asked in every round too, in this order, while there is something to look for. */
enum tti_look {
    TTI_LOOK_RUNS,     /* collectives that wait at shared memory */
    TTI_LOOK_LAUNCHER, /* its answer; who makes that come ends sleep by tti_sleep_interrupt() */
    TTI_LOOK_WORK,     /* what this rank has to compute meanwhile: each round does a piece of it */
    TTI_LOOK_DOUBT,    /* operations on windows that the fabric has had for long */
    TTI_LOOKS
};
/* NULL: no more. Under the lock. */
void tti_progress_look(enum tti_look which, tti_look_fn *look);

/* Waits until `ready(argument)` is true, making progress, then yielding the core, then sleeping. Under the
 * lock, which it gives up while it yields and sleeps. `what` and `peer` (job rank, TUTTI_ANY_SOURCE or
 * TTI_NO_PEER) are for the watchdog's report. */
typedef bool tti_ready_fn(const void *argument);
void tti_wait_until(tti_ready_fn *ready, const void *argument, const char *what, int peer);
/* The same where there may be several to wait for: `awaits` says for the report whom (watched.h). NULL: any
 * rank. */
void tti_wait_for_ranks(tti_ready_fn *ready, const void *argument, const char *what, tti_awaits_fn *awaits);
/* The same where memory that others write tells the end alone, and the writer pokes (runtime/node): progress
 * is made too, less often. */
void tti_wait_for_memory(tti_ready_fn *ready, const void *argument, const char *what, tti_awaits_fn *awaits);
/* The same as the first for at most `ns`: TUTTI_ERR_TIMEOUT, with no detail, if it did not become true. */
int tti_wait_for(tti_ready_fn *ready, const void *argument, const char *what, int64_t ns);

/* Whether others want this rank's processor, as its last yields have shown, or else by where ranks may run:
 * then looking for long is at their cost. */
bool tti_wait_shares_now(void);
/* Whether this rank has to share it for longer: the node's ranks cannot all run at once (sharing.h), or a
 * stranger has taken a whole time slice lately. One yield that took long is no sign of either. */
bool tti_wait_shares_lately(void);

/* Offers the processor to others if they need it, for a caller that found nothing and is likely to come
 * again, as a program that tests a request. Gives up the lock meanwhile. */
void tti_wait_offer(void);

/* After the transports are open / before they close. `local_ranks` compete for this machine's cores. */
int tti_wait_open(int local_ranks);
void tti_wait_close(void);

#endif
