/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tutti.h
 *  @brief Umbrella header: everything a program needs from Tutti.
 *
 *  Tutti moves and combines data between the ranks of a parallel job. Conventions that hold for every
 *  function, unless its own documentation says otherwise:
 *
 *  - **Result.** 0 (TUTTI_SUCCESS) or a negative TUTTI_ERR_* code; outputs are set only on success.
 *    tutti_error_detail() then tells, for the calling thread, who, what, how much and what to do.
 *  - **Units.** Sizes and offsets are bytes in size_t, counts are elements in size_t, ranks are int
 *    from 0, tags are int from 0 to TUTTI_TAG_MAX.
 *  - **Ownership.** A call that makes a handle gives it to the caller; the call that ends it takes its
 *    address and sets it to NULL. Buffers stay the caller's; those of a nonblocking call must not be
 *    touched (sent: not written; received: not read) until the request is complete.
 *  - **Threads.** With TUTTI_THREAD_SINGLE only the thread that called tutti_init() may call Tutti;
 *    with TUTTI_THREAD_SERIALIZED any thread, one at a time; with TUTTI_THREAD_MULTIPLE any threads at
 *    once, but no two on the same request, nor two collectives at once on one communicator.
 *  - **Failure of a peer.** An operation that needs a rank that has died ends with
 *    TUTTI_ERR_PEER_FAILED; it does not hang. So does, after a death, one that needs a survivor that
 *    has called tutti_finalize().
 *
 *  Where nothing is said the semantics are MPI's: matching, ordering, zero-size messages.
 */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H
#include "tutti/collectives.h"
#include "tutti/comm.h"
#include "tutti/error.h"
#include "tutti/init.h"
#include "tutti/p2p.h"
#include "tutti/request.h"
#include "tutti/rma.h"
#include "tutti/types.h"

#endif
