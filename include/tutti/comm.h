/* SPDX-License-Identifier: BSD-3-Clause */
/** @file comm.h
 * @brief Communicators: groups of ranks that talk without overhearing others.
 *
 * Making one is collective over the communicator it comes from: every rank of it calls, in the same order as
 * its other collectives; freeing is local. Errors common to all: TUTTI_ERR_ARG (NULL handle or output; with
 * TUTTI_VERIFY=calls in the environment also where ranks make different calls, at all of them),
 * TUTTI_ERR_PEER_FAILED, TUTTI_ERR_REVOKED (after tutti_comm_revoke(); freeing still works),
 * TUTTI_ERR_NO_MEMORY, TUTTI_ERR_LIMIT (a rank has numbered as many as there are numbers: the limit is in
 * tutti-info), TUTTI_ERR_STATE (Tutti is not open), TUTTI_ERR_FABRIC, and those of a first message (p2p.h).
 */
#ifndef TUTTI_COMM_H
#define TUTTI_COMM_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Rank of the caller in `comm`. Local. Threads: any, at any time.
 * @return the rank (0 …), or TUTTI_ERR_ARG for NULL. */
TUTTI_API int tutti_comm_rank(const tutti_comm *comm);

/** Number of ranks in `comm`. Local. Threads: any, at any time.
 * @return the number (1 …), or TUTTI_ERR_ARG for NULL. */
TUTTI_API int tutti_comm_size(const tutti_comm *comm);

/** A communicator of the same ranks in the same order, with a matching space of its own.
 * @param[out] dup  the new one; the caller frees it with tutti_comm_free(). */
TUTTI_API TUTTI_CHECKED int tutti_comm_dup(tutti_comm *comm, tutti_comm **dup);

/** Splits `comm` into one communicator per `color`.
 * @param color  ≥ 0, or TUTTI_UNDEFINED for none (then *part is NULL).
 * @param key    ranks of one color are ordered by key, ties by their rank in `comm`.
 * @param[out] part  the caller's part; the caller frees it with tutti_comm_free(). */
TUTTI_API TUTTI_CHECKED int tutti_comm_split(tutti_comm *comm, int color, int key, tutti_comm **part);

/** Splits `comm` by node: the ranks that share memory with the caller, in the order of `comm`.
 * @param[out] part  the caller's part; the caller frees it with tutti_comm_free(). */
TUTTI_API TUTTI_CHECKED int tutti_comm_split_node(tutti_comm *comm, tutti_comm **part);

/** A communicator of the `count` ranks of `comm` listed in `members`, in that order.
 * Every rank of `comm` calls; a rank gives the list of the group it will be in, disjoint from all
 * other groups, or an empty one. A rank that is not in its own list gets NULL.
 * @param[out] part  the caller's group; the caller frees it with tutti_comm_free().
 * @return TUTTI_ERR_RANK a member is out of range or named twice; TUTTI_ERR_ARG also where `count` is below 0
 *         or above the size of `comm`, or ranks of one group give different lists. */
TUTTI_API TUTTI_CHECKED int tutti_comm_create(tutti_comm *comm, const int *members, int count,
                                              tutti_comm **part);

/** Frees a communicator, however it was made; the world's cannot be freed (TUTTI_ERR_ARG), but by a newcomer
 * (tutti_is_newcomer()): to the other ranks it is the one that tutti_comm_restore() made, which they free as
 * well. Local: returns at once; pending operations on it complete first, in the background. */
TUTTI_API int tutti_comm_free(tutti_comm **comm);

TUTTI_END_DECLS

#endif
