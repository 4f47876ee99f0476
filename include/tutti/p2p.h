/* SPDX-License-Identifier: BSD-3-Clause */
/** @file p2p.h
 * @brief Messages between two ranks of a communicator.
 *
 * A receive takes the earliest message whose source and tag it admits; messages between one pair on
 * one communicator never overtake each other. `bytes` is what is sent, or the room there is; a longer
 * message fills the room, is lost beyond it, and ends the receive with TUTTI_ERR_TRUNCATE; the job
 * stays usable. A buffer may be NULL if bytes is 0; more than PTRDIFF_MAX bytes, which no memory has, are
 * refused (TUTTI_ERR_ARG). TUTTI_PROC_NULL is a valid peer: a probe of it finds an empty message at once, and
 * the *message of a matched one must be received as any other. Wherever a call takes a `status` it may be
 * NULL.
 *
 * Errors common to all: TUTTI_ERR_ARG, TUTTI_ERR_RANK, TUTTI_ERR_TAG, TUTTI_ERR_STATE, TUTTI_ERR_TRUNCATE (of
 * what receives), TUTTI_ERR_NO_MEMORY, TUTTI_ERR_LIMIT (too many long or synchronous messages under way, or
 * no open file left for a connection: ulimit -n), TUTTI_ERR_PEER_FAILED, TUTTI_ERR_REVOKED (after
 * tutti_comm_revoke()), TUTTI_ERR_FABRIC. Of the first message to a rank also TUTTI_ERR_TIMEOUT (it has not
 * started within TUTTI_CONNECT_TIMEOUT), TUTTI_ERR_OPTION and TUTTI_ERR_VERSION (it has with other options,
 * or another Tutti), TUTTI_ERR_LAUNCH (the launcher, which is asked for its address, is gone). A send that
 * waits for its receiver (long or synchronous) ends with TUTTI_ERR_STATE if that frees the communicator or
 * finalizes without receiving.
 *
 * A receive or probe from a rank that has called tutti_finalize() takes what that had sent; if nothing of it
 * is left it ends with TUTTI_ERR_STATE, as on a node does that of a long message which was still under way,
 * whose sender's tutti_finalize() has failed. So does one from TUTTI_ANY_SOURCE, if its caller waits for it
 * alone (also in tutti_waitall()), when all other ranks of the communicator have; but not with
 * TUTTI_THREAD_MULTIPLE, where another thread may send to this rank. Over the fabric a rank hears of it from
 * those only that it has exchanged a message with, in either direction, or that are of its node; for others
 * it waits on (TUTTI_WATCHDOG says for whom). */
#ifndef TUTTI_P2P_H
#define TUTTI_P2P_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Sends and returns when `buf` may be reused (the message may not have arrived yet). */
TUTTI_API TUTTI_CHECKED int tutti_send(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag);

/** Sends and returns when the receiver has begun to receive. */
TUTTI_API TUTTI_CHECKED int tutti_ssend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag);

/** Receives one message; blocks until it is there. */
TUTTI_API TUTTI_CHECKED int tutti_recv(tutti_comm *comm, void *buf, size_t bytes, int source, int tag,
                                       tutti_status *status);

/** Sends one message and receives another at the same time; never deadlocks against its like. */
TUTTI_API TUTTI_CHECKED int tutti_sendrecv(tutti_comm *comm, const void *send, size_t send_bytes, int dest,
                                           int send_tag, void *recv, size_t recv_bytes, int source,
                                           int recv_tag, tutti_status *status);

/** Nonblocking tutti_send(). The request is the caller's. */
TUTTI_API TUTTI_CHECKED int tutti_isend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                                        tutti_request **request);

/** Nonblocking tutti_ssend(). */
TUTTI_API TUTTI_CHECKED int tutti_issend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                                         tutti_request **request);

/** Nonblocking tutti_recv(). */
TUTTI_API TUTTI_CHECKED int tutti_irecv(tutti_comm *comm, void *buf, size_t bytes, int source, int tag,
                                        tutti_request **request);

/** Persistent tutti_send(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_send_init(tutti_comm *comm, const void *buf, size_t bytes, int dest,
                                            int tag, tutti_request **request);

/** Persistent tutti_recv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_recv_init(tutti_comm *comm, void *buf, size_t bytes, int source, int tag,
                                            tutti_request **request);

/** Blocks until a message that source and tag admit could be received; leaves it in the queue. */
TUTTI_API TUTTI_CHECKED int tutti_probe(tutti_comm *comm, int source, int tag, tutti_status *status);

/** As tutti_probe() without blocking: *found is 1 and *status is set, or *found is 0. */
TUTTI_API TUTTI_CHECKED int tutti_iprobe(tutti_comm *comm, int source, int tag, int *found,
                                         tutti_status *status);

/** As tutti_probe(), and takes the message out of the queue: only *message can receive it.
 * @param[out] message  the caller's until tutti_mrecv() or tutti_imrecv(). */
TUTTI_API TUTTI_CHECKED int tutti_mprobe(tutti_comm *comm, int source, int tag, tutti_message **message,
                                         tutti_status *status);

/** As tutti_mprobe() without blocking. */
TUTTI_API TUTTI_CHECKED int tutti_improbe(tutti_comm *comm, int source, int tag, int *found,
                                          tutti_message **message, tutti_status *status);

/** Receives a message taken by a matched probe; ends *message, also where its communicator has been revoked.
 */
TUTTI_API TUTTI_CHECKED int tutti_mrecv(tutti_message **message, void *buf, size_t bytes,
                                        tutti_status *status);

/** Nonblocking tutti_mrecv(). */
TUTTI_API TUTTI_CHECKED int tutti_imrecv(tutti_message **message, void *buf, size_t bytes,
                                         tutti_request **request);

TUTTI_END_DECLS

#endif
