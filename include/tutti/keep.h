/* SPDX-License-Identifier: BSD-3-Clause */
/** @file keep.h
 * @brief Checkpoints in memory, which survive the death of ranks.
 *
 * Each rank's copy lies twice: with the rank itself and with its buddy, a rank on another node where there
 * is one. On one node the two share memory, and it is copied once. Of the versions of a name the last one is
 * held that was kept at all ranks, however many die while a new one is made: all survivors recall that.
 *
 * With TUTTI_KEEP=xor the second copies are replaced by the exclusive or of those of TUTTI_KEEP_GROUP ranks,
 * which takes less memory and survives one death in each such group; "buddy" is the next rank of the group
 * then.
 *
 * A program keeps its state now and then. When ranks have died it makes a communicator of those that live
 * (or waits for what the launcher starts), recalls on that what was kept, hands out the pieces of the dead
 * as it likes, keeps what it has made of that on the new communicator, and goes on. With it docs/faults.md.
 *
 * A name stands at each rank for what that rank has kept last under it, on whatever communicator: ranks that
 * share a name keep under it together, or some of them find that they hold another version than the others.
 *
 * Errors common to all: TUTTI_ERR_STATE (Tutti is not open), TUTTI_ERR_ARG (NULL; with TUTTI_VERIFY=calls in
 * the environment also where ranks make different calls, at all of them: nothing is kept or recalled then.
 * With it these calls have their place among the collectives of `comm`: all ranks make them in one order).
 */
#ifndef TUTTI_KEEP_H
#define TUTTI_KEEP_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** What one rank has kept. */
typedef struct {
    int rank;         /**< Whose it is: the rank in the communicator that kept it. */
    int of;           /**< How many ranks that had. */
    size_t bytes;     /**< Size of the piece. */
    const void *data; /**< The piece, in memory of Tutti's: until something is kept under the name
                       *   again (when that is done), tutti_forget(), or the next tutti_recall() with
                       *   newcomers. */
} tutti_kept;

/** Keeps a copy of `buffer` under a name, in the place of what was kept before. Collective; all ranks give
 * the same name, each its own buffer and size. Blocking; the buffer may be changed as soon as it returns.
 * Takes twice the memory of the piece at the rank and as much at its buddy, for the version that counts and
 * the next; in groups of g ranks 1 / (g - 1) of that in the place of the buddy's. Where pieces become smaller
 * it may be up to four times as much, or half a MiB. Every rank of `comm` that lives calls it, also after
 * deaths, and in the same order with other calls on `comm` that agree (tutti/fault.h).
 * @param name   1 to 63 characters.
 * @param bytes  more than PTRDIFF_MAX are refused (TUTTI_ERR_ARG).
 * @return 0: the version is kept, at every rank. After any other error than TUTTI_ERR_ARG and TUTTI_ERR_STATE
 *         either all survivors hold this version or all the one before. TUTTI_ERR_PEER_FAILED: a rank of
 *         `comm` has died, whether the program has acknowledged that or not: what is to be kept from then on
 *         is kept on a communicator of those that live (tutti_comm_shrink(), tutti_comm_restore()).
 *         TUTTI_ERR_REVOKED: so is `comm`. TUTTI_ERR_NO_MEMORY, at all ranks: one of them had none for its
 *         copies, or could open no file for them (on a node each rank holds two for a name); at one rank: it
 *         had none to begin, and the others wait until it calls this again, or ends. TUTTI_ERR_SYSTEM, or
 *         another error at a rank that knows more: one of them could not make or map copies for another
 *         reason. TUTTI_ERR_ARG: also where ranks give different names. TUTTI_ERR_STATE: also while
 *         tutti_ikeep() makes a version of the name. */
TUTTI_API TUTTI_CHECKED int tutti_keep(tutti_comm *comm, const char *name, const void *buffer, size_t bytes);

/** Begins tutti_keep(): the copies are made, sent and agreed on in whatever call of the library this rank and
 * the others are, piece by piece; until then the name stands for the version before, whoever dies. Versions
 * of other names may be made at the same time, and other calls made on `comm`, also such that agree: those
 * have their turn when this is decided.
 * @param buffer        not to be changed until the request ends.
 * @param[out] request  ends as tutti_keep() does; cannot be cancelled. Under this name nothing else is kept
 * or forgotten until then; tutti_recall() waits for it. */
TUTTI_API TUTTI_CHECKED int tutti_ikeep(tutti_comm *comm, const char *name, const void *buffer, size_t bytes,
                                        tutti_request **request);

/** Tells what was kept last under a name. Collective over `comm`: the communicator that kept it, one of its
 * survivors, or one that was restored from it. The first piece is the caller's own; then come, by rank, those
 * of dead ranks that the caller now holds: a rank that was the buddy of a dead one. So each piece is at one
 * rank, and it is always the same. Nothing is copied but what the program copies.
 *
 * Where newcomers have all places of the dead (tutti_comm_restore()) they get their pieces, by messages, and
 * everybody has one: that which was kept at its rank. Unless some are lost, all pieces are then kept anew on
 * `comm`, as by tutti_keep(), so that each lies twice again when this returns. On a communicator of another
 * size newcomers have none, but for such as one was given before and whose buddy is not there any more, and
 * the buddies have those of the dead: these lie at one place alone until the program keeps again what it has
 * made of them.
 * @param[out] pieces  may be NULL if room is 0.
 * @param room         how many `pieces` has room for; of more the first ones are given.
 * @param[out] count   how many there are; 0 after other errors than TUTTI_ERR_LOST and those of arguments.
 * @return TUTTI_ERR_LOST, at every rank: the pieces of some dead ranks are lost, since their buddies are
 * dead as well; the detail names them, and the outputs are set all the same. So it is, without names, where
 * newcomers alone are left: those who kept have died, and there are only such pieces as a newcomer was given
 * by an earlier call, if any; begin anew. TUTTI_ERR_STATE, at every rank: they do not all hold the same
 * version, which each holds that it kept last under the name: some have kept none, have forgotten it, or have
 * kept another one since, on another communicator. What is kept anew on one can be recalled there.
 * TUTTI_ERR_PEER_FAILED, at every rank: one of `comm` is dead, whether the program has acknowledged that or
 * not. TUTTI_ERR_REVOKED, at every rank: `comm` was revoked before all newcomers had their pieces.
 * TUTTI_ERR_NO_MEMORY: they could not be given these for another reason, want of memory most likely; a rank
 * at which something else failed returns that. */
TUTTI_API TUTTI_CHECKED int tutti_recall(tutti_comm *comm, const char *name, tutti_kept *pieces, int room,
                                         int *count);

/** Frees what this rank holds under a name, its own piece and its buddy's. Nothing is kept any more once all
 * ranks have called it: until then the piece of one that has forgotten and died is at its buddy;
 * tutti_finalize() does the same. Local. A name that nothing is kept under is no error. */
TUTTI_API int tutti_forget(const char *name);

TUTTI_END_DECLS

#endif
