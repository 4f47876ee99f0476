/* SPDX-License-Identifier: BSD-3-Clause */
/** @file rma.h
 * @brief One-sided access to memory of other ranks.
 *
 * A window is memory that every rank of a communicator opened to the others. `offset` counts bytes
 * from the start of the target's part. An operation with a NULL `request` is complete at the origin
 * when the call returns (its local buffer may be reused); tutti_flush() completes all earlier ones at
 * the target. Given a `request`, its completion means complete at the target; an operation that is
 * complete there when the call returns gives a NULL request, which counts as complete. The target takes no
 * part, but what goes to it by messages (over fabrics without hardware RMA, and atomics on a part that
 * tutti_window_direct() refuses) needs it to make progress now and then (request.h says which calls do).
 *
 * Accumulates, fetch-ops and compare-swaps on one location are atomic with each other from every rank,
 * on the node or off it, element by element (of at most 1024 bytes), if all elements that are used there have
 * one type, or each has 1, 2, 4 or 8 bytes and lies at an address that is a multiple of that. Puts and gets
 * are not atomic with them. A target of TUTTI_PROC_NULL does nothing; tutti_window_direct() refuses it
 * (TUTTI_ERR_ARG).
 *
 * Errors common to all: TUTTI_ERR_ARG (also: offset + bytes beyond the target's part; over a fabric, after a
 * second or two, a get from memory that was unmapped with the window open, whereas one of which the beginning
 * is still mapped, and any put, may end the target by SIGSEGV, as do both on a node), TUTTI_ERR_RANK,
 * TUTTI_ERR_STATE (Tutti is not open; a window is on the memory to free), TUTTI_ERR_TYPE and TUTTI_ERR_OP
 * (accumulates, fetch-ops, compare-swaps), TUTTI_ERR_PEER_FAILED, TUTTI_ERR_REVOKED (after
 * tutti_comm_revoke()), TUTTI_ERR_FABRIC, TUTTI_ERR_NO_MEMORY, and those of a first message (p2p.h). */
#ifndef TUTTI_RMA_H
#define TUTTI_RMA_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Memory that the ranks of a node can map: collectives and RMA on it copy nothing twice. Aligned to 64
 * bytes, zeroed. Not collective. Meant for large pieces: each takes whole pages and a mapping of the
 * kernel's, of which a process has some 65000, and some 0.1 ms, however many there are.
 * @param bytes      0 gives a unique address that must be freed as well.
 * @param[out] base  the caller's until tutti_mem_free().
 * @return TUTTI_ERR_NO_MEMORY with need and have in the detail; TUTTI_ERR_LIMIT more pages than can be
 *         numbered; TUTTI_ERR_SYSTEM the kernel refused. */
TUTTI_API TUTTI_CHECKED int tutti_mem_alloc(tutti_comm *comm, size_t bytes, void **base);

/** Frees memory of tutti_mem_alloc(); NULL is nothing. No window may be on it. */
TUTTI_API int tutti_mem_free(void *base);

/** Opens `bytes` at `base` (any memory; sizes may differ by rank and be 0, and more than PTRDIFF_MAX are
 * refused) to the ranks of `comm`. Collective. The memory stays the caller's and must outlive the window;
 * where nothing is mapped at its first or its last byte the call returns TUTTI_ERR_ARG. If any rank cannot
 * make its part, all get its error, and the detail names it. A rank that has no memory for what all exchange
 * fails, and those that wait for it do; then no collective is possible on the communicator any more. With
 * TUTTI_VERIFY=calls in the environment all get TUTTI_ERR_ARG where they make different calls, and the detail
 * names both; so they do of tutti_window_free(), which then leaves the window as it is.
 * @param[out] window  the caller's until tutti_window_free(). */
TUTTI_API TUTTI_CHECKED int tutti_window_create(tutti_comm *comm, void *base, size_t bytes,
                                                tutti_window **window);

/** Completes everything on the window at every rank, then closes it. Collective. Where a rank has died it
 * returns TUTTI_ERR_PEER_FAILED; what survivors do not answer within a second is given up, as one that
 * was told first may have left. The caller's memory is its own again also then: the call waits until each
 * survivor, in whatever call that makes progress, has ended what it has under way there; what it begins later
 * fails.
 * @return also the error that tutti_flush() of TUTTI_ALL would return; the window is closed all the same. */
TUTTI_API int tutti_window_free(tutti_window **window);

/** The address at which the caller can load and store `rank`'s part, if it can: itself, or a node peer
 * whose part is from tutti_mem_alloc(). C11 atomics there, on aligned elements of 1, 2, 4 or 8 bytes, are
 * atomic with Tutti's on the same element from any rank, as those never happen elsewhere than on the
 * target's node; but a tutti_signal_wait() that sleeps is not woken by them. Local.
 * @return TUTTI_ERR_UNSUPPORTED if it cannot. TUTTI_ERR_LIMIT, TUTTI_ERR_NO_MEMORY: the caller has no
 *         descriptor left to map it by, or no address space; a later call tries that again. */
TUTTI_API TUTTI_CHECKED int tutti_window_direct(tutti_window *window, int rank, void **pointer);

/** Writes `bytes` of `local` into the window of `target` at `offset`. */
TUTTI_API TUTTI_CHECKED int tutti_put(tutti_window *window, const void *local, size_t bytes, int target,
                                      size_t offset, tutti_request **request);

/** Reads `bytes` of the window of `target` at `offset` into `local`, which is filled when the call
 * returns (NULL request) or when the request completes. */
TUTTI_API TUTTI_CHECKED int tutti_get(tutti_window *window, void *local, size_t bytes, int target,
                                      size_t offset, tutti_request **request);

/** As tutti_put(), then adds `add` to the uint64_t at `signal_offset` of the target's window (8-byte
 * aligned); who sees the signal also sees the data. */
TUTTI_API TUTTI_CHECKED int tutti_put_signal(tutti_window *window, const void *local, size_t bytes,
                                             int target, size_t offset, size_t signal_offset, uint64_t add);

/** Blocks until the uint64_t at `signal_offset` of the caller's own part is at least `at_least`;
 * *seen (may be NULL) is its value then. If any rank of the window dies before, it ends with
 * TUTTI_ERR_PEER_FAILED: nobody knows whether the signal was to come from that rank. With TUTTI_THREAD_SINGLE
 * it ends with TUTTI_ERR_STATE when all other ranks of the window have called tutti_finalize() before; while
 * one has not, or with other thread levels, it waits on. */
TUTTI_API TUTTI_CHECKED int tutti_signal_wait(tutti_window *window, size_t signal_offset, uint64_t at_least,
                                              uint64_t *seen);

/** Combines `count` elements into the target: target = target op local, each element atomically.
 * `offset` must be aligned to the element. Built-in operations and TUTTI_REPLACE only. */
TUTTI_API TUTTI_CHECKED int tutti_accumulate(tutti_window *window, const void *local, size_t count,
                                             tutti_type type, tutti_op *op, int target, size_t offset,
                                             tutti_request **request);

/** *result = target; target = target op *value; one element, atomically. Blocks for the result. `offset` must
 * be aligned to the element. `value` may be NULL with TUTTI_NO_OP, which only reads; else it may be
 * `result`. */
TUTTI_API TUTTI_CHECKED int tutti_fetch_op(tutti_window *window, const void *value, void *result,
                                           tutti_type type, tutti_op *op, int target, size_t offset);

/** *result = target; if it equals *compare, target = *desired; one element of an integer type of up to
 * 8 bytes, atomically. Blocks for the result. `offset` must be aligned to the element. */
TUTTI_API TUTTI_CHECKED int tutti_compare_swap(tutti_window *window, const void *compare, const void *desired,
                                               void *result, tutti_type type, int target, size_t offset);

/** Blocks until all earlier operations of the caller on `target` (or TUTTI_ALL) are complete there.
 * @return also the error of the first of them that failed after its call had returned 0 and had no request:
 *         no other call tells it, and this one once. Of TUTTI_ALL that of the lowest rank which has one. */
TUTTI_API TUTTI_CHECKED int tutti_flush(tutti_window *window, int target);

TUTTI_END_DECLS

#endif
