/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tutti.h
 * @brief Umbrella header: everything a program needs from Tutti.
 *
 * Tutti moves and combines data between the ranks of a parallel job. Conventions that hold for every
 * function, unless its own documentation says otherwise:
 *
 * - **Result.** 0 (TUTTI_SUCCESS) or a negative TUTTI_ERR_* code; after an error
 *   tutti_error_detail() tells, for the calling thread, who, what, how much and what to do.
 *   TUTTI_CHECK() around a call, or tutti_options.errors = TUTTI_ERRORS_FATAL, ends the job instead.
 * - **Outputs** are set on success alone, but for these:
 *   - *Of an operation that was tried* (any error but one of the arguments: TUTTI_ERR_ARG, TUTTI_ERR_RANK,
 *     TUTTI_ERR_TAG, TUTTI_ERR_STATE, TUTTI_ERR_TYPE, TUTTI_ERR_OP) the status is set: `error` to the code;
 *     after TUTTI_ERR_PEER_FAILED `source` to the rank of the communicator that is lost (of a send its
 *     destination, of RMA its target), also where any source would have done and in collectives, or to
 *     TUTTI_ANY_SOURCE where nobody knows which; after TUTTI_ERR_TRUNCATE source, tag and bytes to those of
 *     the message as sent; after TUTTI_ERR_CANCELLED source and tag to what was asked for, bytes to 0.
 *   - *Of tutti_sendrecv()* the status is the receive's; it is not set if the send could not start.
 *   - *A wait or test* that returns its operation's error has set the request to NULL (a persistent one
 *     inactive) and `done` and `index` as on success.
 *   - *A probe* that fails has set `found` to 0 and its status as above, and `message` not at all; only a
 *     matched probe that found a message and had no memory for its handle (TUTTI_ERR_NO_MEMORY) has set
 *     `found` to 1 and the status as on success; the message can still be received.
 *   - *A nonblocking call* that fails sets no request: nothing was started. tutti_startall() alone may have
 *     started some (request.h).
 * - **Units.** Sizes and offsets are bytes in size_t, counts are elements in size_t, ranks are int
 *   from 0, tags are int from 0 to TUTTI_TAG_MAX.
 * - **Ownership.** A call that makes a handle gives it to the caller; the call that ends it takes its
 *   address and sets it to NULL. Buffers stay the caller's; those of a nonblocking call must not be
 *   touched (sent: not written; received: not read) until the request is complete.
 * - **Threads.** With TUTTI_THREAD_SINGLE only the thread that called tutti_init() may call Tutti;
 *   with TUTTI_THREAD_SERIALIZED any thread, one at a time; with TUTTI_THREAD_MULTIPLE any threads at
 *   once, but no two on the same request, nor two collectives at once on one communicator.
 * - **Failure of a peer.** An operation that needs a rank that has died ends with
 *   TUTTI_ERR_PEER_FAILED; it does not hang. So does, after a death, one that needs a survivor that
 *   has called tutti_finalize(). Without a death what needs a rank that has ends with TUTTI_ERR_STATE.
 *
 * Where nothing is said the semantics are MPI's: matching, ordering, zero-size messages.
 */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H
#include "tutti/collectives.h"
#include "tutti/comm.h"
#include "tutti/error.h"
#include "tutti/fault.h"
#include "tutti/info.h"
#include "tutti/init.h"
#include "tutti/keep.h"
#include "tutti/neighbors.h"
#include "tutti/p2p.h"
#include "tutti/request.h"
#include "tutti/rma.h"
#include "tutti/types.h"

#endif
