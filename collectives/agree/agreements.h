/* SPDX-License-Identifier: BSD-3-Clause */
/* The agreements of communicators: the machines of agree_state.h, their messages, and the deaths that they
 * hear of. One communicator makes one agreement at a time; further calls wait for their turn. Under the lock.
 */
#ifndef TTI_AGREE_AGREEMENTS_H
#define TTI_AGREE_AGREEMENTS_H

#include "collectives/agree/agree_state.h"
#include "runtime/base/list.h"
#include "runtime/comm/comm.h"

/* One call. The caller sets the upper part; its memory is needed until done(). */
typedef struct tti_agree_call tti_agree_call;
struct tti_agree_call {
    uint64_t flags;
    enum tti_agree_kind kind;
    bool later; /* it has its place among the communicator's agreements, and begins with tti_agree_ready() */
    /* The decision, until the communicator's next agreement but one begins. In progress, or inside
     * tti_agree_start(). May start others. */
    void (*done)(tti_agree_call *call, const tti_agree_value *decision);
    tti_link link;
};

/* Of a user's call that ends in agreements: TUTTI_ERR_STATE where Tutti is not open, TUTTI_ERR_ARG for NULL.
 */
int tti_agree_check(const char *name, const tutti_comm *comm, const void *output);
/* Starts it: done() follows; the caller holds the communicator until then. TUTTI_ERR_NO_MEMORY: nothing was
 * started. */
int tti_agree_start(tutti_comm *comm, tti_agree_call *call);
/* Inside done(): the same call once more, before all that was begun behind it on the communicator. Where it
 * stands then must not depend on when a rank hears of the decision. It begins with tti_agree_ready(). */
void tti_agree_again(tutti_comm *comm, tti_agree_call *call);
/* What was to begin later may begin now, with other flags if they have been set. */
void tti_agree_ready(tutti_comm *comm, tti_agree_call *call);
/* What was to begin later does not, at any rank: done() does not follow. */
void tti_agree_withdraw(tutti_comm *comm, tti_agree_call *call);
/* The error, with its detail, of a decision that is none: the ranks' calls differ, or the others hold this
 * rank for dead. Else 0. */
int tti_agree_judge(const char *name, const tutti_comm *comm, enum tti_agree_kind kind,
                    const tti_agree_value *decision);

/* Messages and deaths come here from now on; what freed communicators have left behind goes (agree_open.h).
 */
void tti_agreements_open(void);
void tti_agreements_close(void);

#endif
