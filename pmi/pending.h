/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation handed to PMIx whose callback may come late or never. It belongs to two owners, the waiter and
 * the callback, and goes with the second that lets go: a waiter can give up at its deadline without the
 * callback writing to memory that is gone. PMIx keeps pointers into it (process, key, directive) meanwhile.
 */
#ifndef TTI_PMI_PENDING_H
#define TTI_PMI_PENDING_H

#include <pmix.h>

#include "runtime/base/list.h"

typedef struct {
    tti_link link; /* among all that still have a callback to come */
    int owners;
    bool finished;
    pmix_status_t status;
    pmix_value_t *value; /* owned; NULL but for a successful get */
    pmix_proc_t process;
    pmix_key_t key;
    pmix_info_t directive;
} tti_pmi_pending;

/* NULL if memory ran out. Both owners hold it. */
tti_pmi_pending *tti_pmi_pending_new(void);
/* The callback's side: takes over `value`, wakes the waiter, lets go. */
void tti_pmi_pending_finish(tti_pmi_pending *pending, pmix_status_t status, pmix_value_t *value);
/* The same as PMIx's callback for a record; `context` is the pending one. */
void tti_pmi_pending_on_value(pmix_status_t status, pmix_value_t *value, void *context);
/* The waiter's side: until finished (0), `deadline` on tti_clock_ns() (TUTTI_ERR_TIMEOUT), death of `rank`,
 * of any rank if negative (TUTTI_ERR_PEER_FAILED), or of the launcher (TUTTI_ERR_LAUNCH). Sets no detail. */
int tti_pmi_pending_wait(tti_pmi_pending *pending, int rank, int64_t deadline);
/* The waiter lets go. */
void tti_pmi_pending_release(tti_pmi_pending *pending);
/* For an operation that PMIx refused, so that no callback comes: both let go. */
void tti_pmi_pending_discard(tti_pmi_pending *pending);

/* Runs `body` with `pending` on a thread of its own, which ends by tti_pmi_pending_finish(): for calls of
 * PMIx that have no time limit, where a launcher that accepts and never answers would hold us for ever. All
 * signals are blocked in it, hence in the threads that PMIx starts from it: the program's handlers run on the
 * program's threads. 0 or an errno value; then no callback comes. */
int tti_pmi_pending_start(tti_pmi_pending *pending, void *(*body)(void *));

/* When PMIx is down: no callback comes any more; what they held is freed. After our PMIx_Finalize() it may
 * still be up for the program, or for an MPI in it: then what callbacks hold goes with them. */
void tti_pmi_pending_close(void);

#endif
