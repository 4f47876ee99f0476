/* SPDX-License-Identifier: BSD-3-Clause */
/** @file fault.h
 * @brief Going on without the dead.
 *
 * A death ends what needs the dead rank with TUTTI_ERR_PEER_FAILED and leaves the rest alone; what that is
 * says the page docs/faults.md, with programs that go on. "Failed" is here a rank that has died, that has
 * called tutti_finalize() after a death, or that this rank cannot reach any more. Ranks hear of a death one
 * after the other, within milliseconds as a rule.
 *
 * Errors common to all: TUTTI_ERR_STATE (Tutti is not open), TUTTI_ERR_ARG (NULL handle or output). */
#ifndef TUTTI_FAULT_H
#define TUTTI_FAULT_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** The ranks of `comm` that this rank knows to have failed. Local; makes progress, so that a program which
 * polls hears of deaths.
 * @param[out] ranks  ranks in `comm`, in the order in which this rank heard of them; may be NULL if room is
 * 0.
 * @param room        how many `ranks` has room for, ≥ 0; of more the first ones are given.
 * @param[out] count  how many there are. */
TUTTI_API TUTTI_CHECKED int tutti_comm_failed(tutti_comm *comm, int *ranks, int room, int *count);

/** Takes note of all deaths that tutti_comm_failed() would tell now: from then on receives and probes from
 * TUTTI_ANY_SOURCE on `comm` wait for the living. The next death ends them again with
 * TUTTI_ERR_PEER_FAILED, until it is acknowledged, too; so they do, once and for all, when no other rank of
 * `comm` is left. Nothing else changes: collectives on `comm` go on failing. Ask tutti_comm_failed()
 * afterwards: then nothing was acknowledged that it does not tell. Local. */
TUTTI_API TUTTI_CHECKED int tutti_comm_acknowledge(tutti_comm *comm);

/** Agrees on flags: each rank gives some, and all that live get the same: the bitwise and of all that is
 * given. Every rank of `comm` that lives calls it, and the same number of times, in the same order with
 * tutti_comm_shrink() and tutti_comm_restore(); whoever is dead, or dies meanwhile, is not waited for. What a
 * rank gave that died meanwhile may be in it or not, for all ranks alike. Works on any communicator, also on
 * one with dead ranks.
 * @param[in,out] flags  what this rank gives; what all have agreed on. Unchanged after other errors than
 *                       TUTTI_ERR_PEER_FAILED for dead ranks.
 * @return TUTTI_ERR_PEER_FAILED, at all ranks or at none, if some have failed of which not all ranks have
 *         taken note (tutti_comm_acknowledge()) before they called this: the flags are agreed on all the
 *         same, and tutti_comm_failed() tells these at every rank. Also where the others hold this rank for
 *         dead. TUTTI_ERR_ARG: a rank calls tutti_comm_shrink() instead, or has freed `comm` (which
 *         it says once it is not making another communicator).
 *         TUTTI_ERR_NO_MEMORY: this rank takes no part; the others wait until it does, or ends. */
TUTTI_API TUTTI_CHECKED int tutti_comm_agree(tutti_comm *comm, uint64_t *flags);

/** Begins tutti_comm_agree(). Agreements that are begun one after the other are made one after the other.
 * @param[in,out] flags    read now, and written when the request ends.
 * @param[out]    request  ends as tutti_comm_agree() does; cannot be cancelled. */
TUTTI_API TUTTI_CHECKED int tutti_comm_iagree(tutti_comm *comm, uint64_t *flags, tutti_request **request);

/** Makes a communicator of those that are left: the same members at all of them, in their order, whoever dies
 * meanwhile. Every rank of `comm` that lives calls it, as tutti_comm_agree(); it works on communicators with
 * dead ranks and on revoked ones, and leaves `comm` as it is. Who dies when all but the last words are said
 * is still a member: the new communicator tells it like any other, and can be shrunk again.
 * @param[out] survivors  the new communicator, the caller's to free; without neighbours or grid.
 * @return TUTTI_ERR_PEER_FAILED: the others hold this rank for dead. TUTTI_ERR_ARG: a rank makes another
 * call on `comm`, or has freed it. TUTTI_ERR_NO_MEMORY, at all ranks, if one has no memory for it.
 *         TUTTI_ERR_LIMIT: a rank has made more communicators than there are numbers. */
TUTTI_API TUTTI_CHECKED int tutti_comm_shrink(tutti_comm *comm, tutti_comm **survivors);

/** Begins tutti_comm_shrink().
 * @param[out] survivors  written when the request ends.
 * @param[out] request    ends as tutti_comm_shrink() does; cannot be cancelled. */
TUTTI_API TUTTI_CHECKED int tutti_comm_ishrink(tutti_comm *comm, tutti_comm **survivors,
                                               tutti_request **request);

/** Makes a communicator of the old size again: other processes take the places of the dead ranks, all others
 * keep theirs. The processes come from tuttirun, which has them in reserve (`--spares N`: they sleep in
 * tutti_init()) or starts them (`--respawn`). Every rank of `comm` that lives calls it, as
 * tutti_comm_shrink(), whoever dies meanwhile, also of the new ones; it leaves `comm` as it is. In a new
 * process tutti_init() returns, the world communicator that it gives is `whole`, and tutti_is_newcomer()
 * says 1; it is no member of any other communicator. Who dies when all but the last words are said is still
 * a member: restore `whole` again then.
 * @param[out] whole  the new communicator, the caller's to free; without neighbours or grid.
 * @return TUTTI_ERR_LIMIT, at all ranks: fewer processes are left than ranks have died. Shrink then.
 *         TUTTI_ERR_UNSUPPORTED, at all ranks: there never were any, as under other launchers than tuttirun.
 *         TUTTI_ERR_LAUNCH, at all ranks: the launcher is gone, or gives one of them no answer. Else as
 *         tutti_comm_shrink(). With any of these no process is taken: it stays in reserve. */
TUTTI_API TUTTI_CHECKED int tutti_comm_restore(tutti_comm *comm, tutti_comm **whole);

/** Begins tutti_comm_restore().
 * @param[out] whole    written when the request ends.
 * @param[out] request  ends as tutti_comm_restore() does; cannot be cancelled. */
TUTTI_API TUTTI_CHECKED int tutti_comm_irestore(tutti_comm *comm, tutti_comm **whole,
                                                tutti_request **request);

/** 1 if this process was put in the place of a dead rank by tutti_comm_restore(), else 0. Such a one has its
 * data from the others, by tutti_recall() for instance. Local. Threads: any, at any time. */
TUTTI_API int tutti_is_newcomer(void);

/** Ends all that is under way on `comm`, at every rank, with TUTTI_ERR_REVOKED: messages, probes,
 * collectives, what is under way on its windows, waiting for their signals; from then on everything returns
 * that at once, but for tutti_comm_agree(), tutti_comm_shrink(), tutti_comm_restore(),
 * tutti_comm_failed(), tutti_comm_acknowledge(), tutti_comm_free(), what is to do nothing (with
 * TUTTI_PROC_NULL), and tutti_recall() where no newcomer wants its piece. tutti_window_free() returns it,
 * too, and the window is gone; of tutti_ikeep() it is the request that ends so. So a rank that has seen a
 * death makes the others come to a place where they agree. One rank calls it, or several, once or more often;
 * who hears of it tells the others, whoever dies meanwhile. Messages that were sent and not received are
 * gone. Other communicators are not concerned, nor those made from this one. Local. */
TUTTI_API TUTTI_CHECKED int tutti_comm_revoke(tutti_comm *comm);

TUTTI_END_DECLS

#endif
