/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers that are lost, and what is said of them. */
#ifndef TTI_PEERS_PEER_FAILURE_H
#define TTI_PEERS_PEER_FAILURE_H

#include "runtime/peers/peers.h"

/* A rank is lost. In progress. */
void tti_peer_lost(void *context, int rank, int code);
/* The connection to a rank broke. In progress. */
void tti_peer_disconnected(void *context, int rank, int code);
/* A packet to or from a rank was lost here, for the reason `code`, which is returned: the two can no longer
 * be in step. All that is under way between them ends, at that rank too, which is told as soon as possible.
 */
int tti_peer_part(int rank, int code);
/* The others hold this rank for dead, as one says that this rank does not hold for dead. In progress. */
void tti_peer_cast_out(void);
/* Tells it if there is room; true once it is told or cannot be told. */
bool tti_peer_tell(tti_peer *peer);
/* From now on news of deaths from other threads may touch the table, and call `wake`, so that who waits
 * looks; NULL: from now on they may not. From after opening to before closing. */
void tti_failure_accept(void (*wake)(void));
/* A rank has left after a death. In progress. */
void tti_peer_left(int rank);
/* To those that watch (tti_lost_watch()). In progress. */
void tti_failure_tell_watchers(int rank);
/* Finds the ranks lost since the last call: their operations are to be ended (failures_swept) once all that
 * they had sent before has been taken in. */
void tti_failure_find(void);
/* Whether that has been done for a lost rank: what it had sent may come until then. */
bool tti_failure_is_swept(int rank);

/* Records that the rank is lost, by `code`, which is returned. */
int tti_peer_explain(int rank, int code);
/* tti_peer_failed() with its detail recorded. */
static inline int tti_peer_check(int rank)
{
    const int code = tti_peer_failed(rank);
    return __builtin_expect(code == 0, 1) ? 0 : tti_peer_explain(rank, code);
}

#endif
