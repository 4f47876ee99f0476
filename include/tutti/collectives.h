/* SPDX-License-Identifier: BSD-3-Clause */
/** @file collectives.h
 * @brief Operations in which every rank of a communicator takes part.
 *
 * Every rank of the communicator calls, in the same order and form, with the same root, count, type and
 * operation. Three forms, of which one does not match another (which is told only by TUTTI_VERIFY=calls):
 * blocking; `i`, which returns a request at once; `_init`, which returns a persistent request whose schedule
 * is built once (collective, as tutti_start() on it is). Counts are elements per rank. Where ranks have parts
 * of different sizes, an array has the count of each rank's part, by rank, and another, in elements too,
 * where it begins in the buffer that holds all; NULL for that: one after the other. Arrays are read before
 * the call returns. What lies between parts is not touched. A rank that may have finished says nothing about
 * others, except after a barrier.
 *
 * A floating-point result is the same on every rank of an allreduce, and the same in every call of a form on
 * one communicator, also in other runs with the same ranks on the same processors. There is one exception:
 * until the communicator's first blocking collective (making a communicator from it is one) the ranks of a
 * node do not know which of them are near each other, and nonblocking calls and persistent requests made
 * before it may combine in another order than those after it. Which ranks share a node, or are near each
 * other on it, may change the order in which an operation that commutes is applied, hence the rounding.
 * Operations that do not commute are applied in rank order.
 *
 * Errors common to all: TUTTI_ERR_ARG, TUTTI_ERR_RANK (root), TUTTI_ERR_TYPE, TUTTI_ERR_OP,
 * TUTTI_ERR_NO_MEMORY, TUTTI_ERR_ARG also where ranks make different calls (another root, size, type,
 * operation or collective) and the caller could see it; with TUTTI_VERIFY=calls in the environment all ranks
 * see it always, and the detail names two ranks and both calls. TUTTI_ERR_PEER_FAILED (some rank of the
 * communicator has died), TUTTI_ERR_REVOKED (after tutti_comm_revoke()), TUTTI_ERR_FABRIC, TUTTI_ERR_STATE
 * where a rank has called tutti_finalize() instead (over the fabric as p2p.h says), those of a first message
 * (p2p.h), TUTTI_ERR_LIMIT (the algorithm needs too many messages between two ranks, too many long ones are
 * under way, or a collective that was started 32768 collectives ago on the communicator, 8192 with
 * TUTTI_VERIFY=calls, is not complete; the detail says what to do).
 *
 * Where one rank has no memory to take part, the call ends with TUTTI_ERR_NO_MEMORY at those that wait for
 * it, and so does every later collective on that communicator. So it does, with their codes, after
 * TUTTI_ERR_STATE, for a collective that is so old, and where ranks of one node make calls that cannot be
 * told apart from there on. */
#ifndef TUTTI_COLLECTIVES_H
#define TUTTI_COLLECTIVES_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** No rank leaves before every rank has entered. */
TUTTI_API TUTTI_CHECKED int tutti_barrier(tutti_comm *comm);

/** Nonblocking tutti_barrier(). */
TUTTI_API TUTTI_CHECKED int tutti_ibarrier(tutti_comm *comm, tutti_request **request);

/** Persistent tutti_barrier(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_barrier_init(tutti_comm *comm, tutti_request **request);

/** `bytes` of `buf` at `root` arrive in `buf` of every rank. */
TUTTI_API TUTTI_CHECKED int tutti_bcast(tutti_comm *comm, void *buf, size_t bytes, int root);

/** Nonblocking tutti_bcast(). */
TUTTI_API TUTTI_CHECKED int tutti_ibcast(tutti_comm *comm, void *buf, size_t bytes, int root,
                                         tutti_request **request);

/** Persistent tutti_bcast(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_bcast_init(tutti_comm *comm, void *buf, size_t bytes, int root,
                                             tutti_request **request);

/** recv at `root` = send of rank 0 op send of rank 1 op …, element by element. `recv` is used at the
 * root alone; `send` may be TUTTI_IN_PLACE there (the root's input is in recv). The buffers must not
 * overlap otherwise. */
TUTTI_API TUTTI_CHECKED int tutti_reduce(tutti_comm *comm, const void *send, void *recv, size_t count,
                                         tutti_type type, tutti_op *op, int root);

/** Nonblocking tutti_reduce(). */
TUTTI_API TUTTI_CHECKED int tutti_ireduce(tutti_comm *comm, const void *send, void *recv, size_t count,
                                          tutti_type type, tutti_op *op, int root, tutti_request **request);

/** Persistent tutti_reduce(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_reduce_init(tutti_comm *comm, const void *send, void *recv, size_t count,
                                              tutti_type type, tutti_op *op, int root,
                                              tutti_request **request);

/** As tutti_reduce(), with the result at every rank. `send` may be TUTTI_IN_PLACE (at every rank). */
TUTTI_API TUTTI_CHECKED int tutti_allreduce(tutti_comm *comm, const void *send, void *recv, size_t count,
                                            tutti_type type, tutti_op *op);

/** Nonblocking tutti_allreduce(). */
TUTTI_API TUTTI_CHECKED int tutti_iallreduce(tutti_comm *comm, const void *send, void *recv, size_t count,
                                             tutti_type type, tutti_op *op, tutti_request **request);

/** Persistent tutti_allreduce(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_allreduce_init(tutti_comm *comm, const void *send, void *recv, size_t count,
                                                 tutti_type type, tutti_op *op, tutti_request **request);

/** `bytes` of `send` of every rank arrive in `recv` of every rank, in rank order (size × bytes).
 * `send` may be TUTTI_IN_PLACE: the caller's part is in its place of recv. */
TUTTI_API TUTTI_CHECKED int tutti_allgather(tutti_comm *comm, const void *send, void *recv, size_t bytes);

/** Nonblocking tutti_allgather(). */
TUTTI_API TUTTI_CHECKED int tutti_iallgather(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                             tutti_request **request);

/** Persistent tutti_allgather(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_allgather_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                                 tutti_request **request);

/** `bytes` of `send` of every rank arrive in `recv` of `root`, in rank order (size × bytes). `recv` is used
 * at the root alone; `send` may be TUTTI_IN_PLACE there: the root's part is in its place of recv. */
TUTTI_API TUTTI_CHECKED int tutti_gather(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                         int root);

/** Nonblocking tutti_gather(). */
TUTTI_API TUTTI_CHECKED int tutti_igather(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                          int root, tutti_request **request);

/** Persistent tutti_gather(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_gather_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                              int root, tutti_request **request);

/** Of `send` of `root` (size × bytes, in rank order) a part of `bytes` arrives in `recv` of each rank. `send`
 * is used at the root alone; `recv` may be TUTTI_IN_PLACE there: the root's part stays in its place of
 * send. */
TUTTI_API TUTTI_CHECKED int tutti_scatter(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                          int root);

/** Nonblocking tutti_scatter(). */
TUTTI_API TUTTI_CHECKED int tutti_iscatter(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                           int root, tutti_request **request);

/** Persistent tutti_scatter(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_scatter_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                               int root, tutti_request **request);

/** Of `send` of every rank (size × bytes, in rank order) a part of `bytes` arrives at each rank: part q of
 * `recv` is the caller's part of rank q's `send`. `send` may be TUTTI_IN_PLACE (at every rank): the parts are
 * in recv, and are replaced. */
TUTTI_API TUTTI_CHECKED int tutti_alltoall(tutti_comm *comm, const void *send, void *recv, size_t bytes);

/** Nonblocking tutti_alltoall(). */
TUTTI_API TUTTI_CHECKED int tutti_ialltoall(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                            tutti_request **request);

/** Persistent tutti_alltoall(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_alltoall_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                                                tutti_request **request);

/** recv = send of rank 0 op … op send of the caller, element by element. `send` may be TUTTI_IN_PLACE (at
 * every rank). */
TUTTI_API TUTTI_CHECKED int tutti_scan(tutti_comm *comm, const void *send, void *recv, size_t count,
                                       tutti_type type, tutti_op *op);

/** Nonblocking tutti_scan(). */
TUTTI_API TUTTI_CHECKED int tutti_iscan(tutti_comm *comm, const void *send, void *recv, size_t count,
                                        tutti_type type, tutti_op *op, tutti_request **request);

/** Persistent tutti_scan(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_scan_init(tutti_comm *comm, const void *send, void *recv, size_t count,
                                            tutti_type type, tutti_op *op, tutti_request **request);

/** As tutti_scan(), without the caller's own: recv = send of rank 0 op … op send of the rank before it. Rank
 * 0's recv is not used, nor changed in place. */
TUTTI_API TUTTI_CHECKED int tutti_exscan(tutti_comm *comm, const void *send, void *recv, size_t count,
                                         tutti_type type, tutti_op *op);

/** Nonblocking tutti_exscan(). */
TUTTI_API TUTTI_CHECKED int tutti_iexscan(tutti_comm *comm, const void *send, void *recv, size_t count,
                                          tutti_type type, tutti_op *op, tutti_request **request);

/** Persistent tutti_exscan(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_exscan_init(tutti_comm *comm, const void *send, void *recv, size_t count,
                                              tutti_type type, tutti_op *op, tutti_request **request);

/** As tutti_reduce() of size × count elements, with a block of `count` elements of the result at each rank,
 * in rank order. `send` may be TUTTI_IN_PLACE (at every rank): all the caller's elements are in recv, which
 * begins with its block of the result at the end; what the rest holds then is not said. */
TUTTI_API TUTTI_CHECKED int tutti_reduce_scatter_block(tutti_comm *comm, const void *send, void *recv,
                                                       size_t count, tutti_type type, tutti_op *op);

/** Nonblocking tutti_reduce_scatter_block(). */
TUTTI_API TUTTI_CHECKED int tutti_ireduce_scatter_block(tutti_comm *comm, const void *send, void *recv,
                                                        size_t count, tutti_type type, tutti_op *op,
                                                        tutti_request **request);

/** Persistent tutti_reduce_scatter_block(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_reduce_scatter_block_init(tutti_comm *comm, const void *send, void *recv,
                                                            size_t count, tutti_type type, tutti_op *op,
                                                            tutti_request **request);

/** As tutti_allgather(), with a part of counts[r] elements of `type` of rank r, which is at offsets[r] of
 * `recv` at the end. All ranks give the same counts; each has offsets of its own. `send` may be
 * TUTTI_IN_PLACE: the caller's part is in its place of recv. Parts of recv must not overlap
 * (TUTTI_ERR_ARG). The offset of a part of no elements is not looked at, here and in all tables of parts. */
TUTTI_API TUTTI_CHECKED int tutti_allgatherv(tutti_comm *comm, const void *send, void *recv,
                                             const size_t *counts, const size_t *offsets, tutti_type type);

/** Nonblocking tutti_allgatherv(). */
TUTTI_API TUTTI_CHECKED int tutti_iallgatherv(tutti_comm *comm, const void *send, void *recv,
                                              const size_t *counts, const size_t *offsets, tutti_type type,
                                              tutti_request **request);

/** Persistent tutti_allgatherv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_allgatherv_init(tutti_comm *comm, const void *send, void *recv,
                                                  const size_t *counts, const size_t *offsets,
                                                  tutti_type type, tutti_request **request);

/** As tutti_reduce_scatter_block(), with a part of counts[r] elements of the result at rank r; all ranks give
 * the same counts. `send` has the elements for all, one part after the other. `send` may be TUTTI_IN_PLACE
 * (at every rank): all the caller's elements are in recv, which begins with its part of the result at the
 * end; what the rest holds then is not said. */
TUTTI_API TUTTI_CHECKED int tutti_reduce_scatter(tutti_comm *comm, const void *send, void *recv,
                                                 const size_t *counts, tutti_type type, tutti_op *op);

/** Nonblocking tutti_reduce_scatter(). */
TUTTI_API TUTTI_CHECKED int tutti_ireduce_scatter(tutti_comm *comm, const void *send, void *recv,
                                                  const size_t *counts, tutti_type type, tutti_op *op,
                                                  tutti_request **request);

/** Persistent tutti_reduce_scatter(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_reduce_scatter_init(tutti_comm *comm, const void *send, void *recv,
                                                      const size_t *counts, tutti_type type, tutti_op *op,
                                                      tutti_request **request);

/** As tutti_alltoall(), with parts of different sizes: the send_counts[q] elements of `type` at
 * send_offsets[q] of `send` go to rank q; of rank q recv_counts[q] elements come to recv_offsets[q] of
 * `recv`. Each rank gives tables of its own, and what one sends another has to expect: TUTTI_ERR_ARG where it
 * comes and is of another size; where parts pass through shared memory, or share a message, as short ones do
 * between nodes of several ranks, no collective is possible on the communicator then. Where parts are
 * messages of their own, and one sends nothing where the other expects something, it is waited for;
 * TUTTI_VERIFY=calls tells that, too. Parts of send may overlap, parts of recv must not (TUTTI_ERR_ARG), and
 * none of both must overlap; parts of the one may lie between those of the other where both have offsets.
 * `send` may be TUTTI_IN_PLACE (at every rank): the parts are in recv, as recv_counts and recv_offsets say,
 * and are replaced; each two ranks have parts of one size for each other then. */
TUTTI_API TUTTI_CHECKED int tutti_alltoallv(tutti_comm *comm, const void *send, const size_t *send_counts,
                                            const size_t *send_offsets, void *recv, const size_t *recv_counts,
                                            const size_t *recv_offsets, tutti_type type);

/** Nonblocking tutti_alltoallv(). */
TUTTI_API TUTTI_CHECKED int tutti_ialltoallv(tutti_comm *comm, const void *send, const size_t *send_counts,
                                             const size_t *send_offsets, void *recv,
                                             const size_t *recv_counts, const size_t *recv_offsets,
                                             tutti_type type, tutti_request **request);

/** Persistent tutti_alltoallv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_alltoallv_init(tutti_comm *comm, const void *send,
                                                 const size_t *send_counts, const size_t *send_offsets,
                                                 void *recv, const size_t *recv_counts,
                                                 const size_t *recv_offsets, tutti_type type,
                                                 tutti_request **request);

/** As tutti_alltoallv(), with sizes and places in bytes: parts of different types. */
TUTTI_API TUTTI_CHECKED int tutti_alltoallw(tutti_comm *comm, const void *send, const size_t *send_bytes,
                                            const size_t *send_offsets, void *recv, const size_t *recv_bytes,
                                            const size_t *recv_offsets);

/** Nonblocking tutti_alltoallw(). */
TUTTI_API TUTTI_CHECKED int tutti_ialltoallw(tutti_comm *comm, const void *send, const size_t *send_bytes,
                                             const size_t *send_offsets, void *recv, const size_t *recv_bytes,
                                             const size_t *recv_offsets, tutti_request **request);

/** Persistent tutti_alltoallw(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_alltoallw_init(tutti_comm *comm, const void *send, const size_t *send_bytes,
                                                 const size_t *send_offsets, void *recv,
                                                 const size_t *recv_bytes, const size_t *recv_offsets,
                                                 tutti_request **request);

/** As tutti_gather(), with parts of different sizes: `count` elements of `type` of the caller's, which come
 * to offsets[r] of the root's `recv`, where counts[r] of them are expected of rank r. `recv`, `counts` and
 * `offsets` are used at the root alone. At the root `send` may be TUTTI_IN_PLACE (`count` is not looked at
 * then), and parts of recv must not overlap. TUTTI_ERR_ARG at the root where a part comes and is of another
 * size, as with tutti_alltoallv(). */
TUTTI_API TUTTI_CHECKED int tutti_gatherv(tutti_comm *comm, const void *send, size_t count, void *recv,
                                          const size_t *counts, const size_t *offsets, tutti_type type,
                                          int root);

/** Nonblocking tutti_gatherv(). */
TUTTI_API TUTTI_CHECKED int tutti_igatherv(tutti_comm *comm, const void *send, size_t count, void *recv,
                                           const size_t *counts, const size_t *offsets, tutti_type type,
                                           int root, tutti_request **request);

/** Persistent tutti_gatherv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_gatherv_init(tutti_comm *comm, const void *send, size_t count, void *recv,
                                               const size_t *counts, const size_t *offsets, tutti_type type,
                                               int root, tutti_request **request);

/** As tutti_scatter(), with parts of different sizes: the counts[r] elements of `type` at offsets[r] of the
 * root's `send` go to rank r, which expects `count` of them. `send`, `counts` and `offsets` are used at the
 * root alone. At the root `recv` may be TUTTI_IN_PLACE (`count` is not looked at then). Parts of send may
 * overlap. TUTTI_ERR_ARG at a rank where its part comes and is of another size, as with
 * tutti_alltoallv(). */
TUTTI_API TUTTI_CHECKED int tutti_scatterv(tutti_comm *comm, const void *send, const size_t *counts,
                                           const size_t *offsets, void *recv, size_t count, tutti_type type,
                                           int root);

/** Nonblocking tutti_scatterv(). */
TUTTI_API TUTTI_CHECKED int tutti_iscatterv(tutti_comm *comm, const void *send, const size_t *counts,
                                            const size_t *offsets, void *recv, size_t count, tutti_type type,
                                            int root, tutti_request **request);

/** Persistent tutti_scatterv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_scatterv_init(tutti_comm *comm, const void *send, const size_t *counts,
                                                const size_t *offsets, void *recv, size_t count,
                                                tutti_type type, int root, tutti_request **request);

/** `bytes` of `send` of every rank arrive at each of its targets, in the place of the edge in the target's
 * list of sources: `recv` has `bytes` for each source, in their order. `comm` carries neighbours
 * (tutti/neighbors.h), in this and in all that follow, else TUTTI_ERR_ARG. The place of a neighbour that is
 * TUTTI_PROC_NULL is not touched. `bytes` is the same at every rank, and `send` is wanted of one without
 * targets, too. Buffers must not overlap; there is no TUTTI_IN_PLACE. */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_allgather(tutti_comm *comm, const void *send, void *recv,
                                                     size_t bytes);

/** Nonblocking tutti_neighbor_allgather(). */
TUTTI_API TUTTI_CHECKED int tutti_ineighbor_allgather(tutti_comm *comm, const void *send, void *recv,
                                                      size_t bytes, tutti_request **request);

/** Persistent tutti_neighbor_allgather(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_allgather_init(tutti_comm *comm, const void *send, void *recv,
                                                          size_t bytes, tutti_request **request);

/** As tutti_neighbor_allgather(), with parts of different sizes: `count` elements of `type` of the caller's
 * go to each of its targets; of source i counts[i] elements come to offsets[i] of `recv`. Each rank gives
 * counts of its own, and what one sends another has to expect: TUTTI_ERR_ARG where it comes and is of another
 * size; where both are on one node, or parts share a message, as short ones of a grid or a stencil do between
 * nodes of several ranks, no collective is possible on the communicator then. Where parts are messages of
 * their own, and one sends nothing where the other expects something, it is waited for; TUTTI_VERIFY=calls
 * tells that, too. Parts of recv must not overlap (TUTTI_ERR_ARG). Where there are no sources, counts may be
 * NULL. */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_allgatherv(tutti_comm *comm, const void *send, size_t count,
                                                      void *recv, const size_t *counts, const size_t *offsets,
                                                      tutti_type type);

/** Nonblocking tutti_neighbor_allgatherv(). */
TUTTI_API TUTTI_CHECKED int tutti_ineighbor_allgatherv(tutti_comm *comm, const void *send, size_t count,
                                                       void *recv, const size_t *counts,
                                                       const size_t *offsets, tutti_type type,
                                                       tutti_request **request);

/** Persistent tutti_neighbor_allgatherv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_allgatherv_init(tutti_comm *comm, const void *send, size_t count,
                                                           void *recv, const size_t *counts,
                                                           const size_t *offsets, tutti_type type,
                                                           tutti_request **request);

/** As tutti_neighbor_allgather(), with a block of `bytes` in `send` for each target, in their order. Where
 * several edges lead from one rank to another, the blocks keep their order; on a grid what is sent down
 * arrives from above, also where both are the same rank. */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_alltoall(tutti_comm *comm, const void *send, void *recv,
                                                    size_t bytes);

/** Nonblocking tutti_neighbor_alltoall(). */
TUTTI_API TUTTI_CHECKED int tutti_ineighbor_alltoall(tutti_comm *comm, const void *send, void *recv,
                                                     size_t bytes, tutti_request **request);

/** Persistent tutti_neighbor_alltoall(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_alltoall_init(tutti_comm *comm, const void *send, void *recv,
                                                         size_t bytes, tutti_request **request);

/** As tutti_neighbor_alltoall(), with parts of different sizes: the send_counts[i] elements of `type` at
 * send_offsets[i] of `send` go to target i; of source i recv_counts[i] elements come to recv_offsets[i] of
 * `recv`. For what ranks expect of each other, and for overlapping parts, see tutti_neighbor_allgatherv()
 * and tutti_alltoallv(). */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_alltoallv(tutti_comm *comm, const void *send,
                                                     const size_t *send_counts, const size_t *send_offsets,
                                                     void *recv, const size_t *recv_counts,
                                                     const size_t *recv_offsets, tutti_type type);

/** Nonblocking tutti_neighbor_alltoallv(). */
TUTTI_API TUTTI_CHECKED int tutti_ineighbor_alltoallv(tutti_comm *comm, const void *send,
                                                      const size_t *send_counts, const size_t *send_offsets,
                                                      void *recv, const size_t *recv_counts,
                                                      const size_t *recv_offsets, tutti_type type,
                                                      tutti_request **request);

/** Persistent tutti_neighbor_alltoallv(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int
tutti_neighbor_alltoallv_init(tutti_comm *comm, const void *send, const size_t *send_counts,
                              const size_t *send_offsets, void *recv, const size_t *recv_counts,
                              const size_t *recv_offsets, tutti_type type, tutti_request **request);

/** As tutti_neighbor_alltoallv(), with sizes and places in bytes: parts of different types. */
TUTTI_API TUTTI_CHECKED int tutti_neighbor_alltoallw(tutti_comm *comm, const void *send,
                                                     const size_t *send_bytes, const size_t *send_offsets,
                                                     void *recv, const size_t *recv_bytes,
                                                     const size_t *recv_offsets);

/** Nonblocking tutti_neighbor_alltoallw(). */
TUTTI_API TUTTI_CHECKED int tutti_ineighbor_alltoallw(tutti_comm *comm, const void *send,
                                                      const size_t *send_bytes, const size_t *send_offsets,
                                                      void *recv, const size_t *recv_bytes,
                                                      const size_t *recv_offsets, tutti_request **request);

/** Persistent tutti_neighbor_alltoallw(): inactive until tutti_start(). */
TUTTI_API TUTTI_CHECKED int
tutti_neighbor_alltoallw_init(tutti_comm *comm, const void *send, const size_t *send_bytes,
                              const size_t *send_offsets, void *recv, const size_t *recv_bytes,
                              const size_t *recv_offsets, tutti_request **request);

/** Combines `count` elements: inout[i] = in[i] ∘ inout[i], in from the lower ranks. Must not call Tutti.
 * A collective calls it any number of times, for some of its elements each. The thread that calls it is in
 * the collective or, where that is nonblocking or persistent, in any call that makes progress (request.h), be
 * it about something else. In a process one call of it ends before the next begins, whichever threads make
 * them. `in` and `inout` never overlap. Each may be in a buffer of a rank or in memory of Tutti's: elements
 * are aligned, to up to 16 bytes, where the buffers of all ranks are. */
typedef void tutti_op_fn(const void *in, void *inout, size_t count, void *context);

/** Makes an operation of the user's, for elements of any type of the size the collective is given. Local.
 * Threads: any.
 * @param commutes  nonzero if a ∘ b = b ∘ a, which allows faster algorithms.
 * @param context   handed to every call of `fn`; stays the caller's.
 * @param[out] op   the caller's until tutti_op_free().
 * @return TUTTI_ERR_ARG `fn` or `op` is NULL; TUTTI_ERR_NO_MEMORY. */
TUTTI_API TUTTI_CHECKED int tutti_op_create(tutti_op_fn *fn, int commutes, void *context, tutti_op **op);

/** Ends a user operation; it may still be in use by active requests, which keep it. A built-in
 * operation is refused (TUTTI_ERR_OP). Local. */
TUTTI_API int tutti_op_free(tutti_op **op);

/** Combines `count` elements here as a reduction does: inout[i] = in[i] ∘ inout[i], `in` from the lower
 * ranks. With it a program builds reductions in an order of its own. Local, also where Tutti is not
 * initialised. The buffers need no alignment, must not overlap, and are the caller's again on return.
 * Threads: any; calls of a user operation take their turns with those of collectives.
 * @param count  elements; 0 touches nothing.
 * @param op     built-in or the user's.
 * @return TUTTI_ERR_TYPE `type` is none, or one that `op` is not defined for; TUTTI_ERR_OP `op` is none, or
 * TUTTI_REPLACE or TUTTI_NO_OP, which are for one-sided access alone; TUTTI_ERR_ARG a buffer is NULL or
 * TUTTI_IN_PLACE though count > 0, they overlap, or so many elements are more than memory can hold. After an
 * error `inout` is as it was. */
TUTTI_API TUTTI_CHECKED int tutti_reduce_local(const void *in, void *inout, size_t count, tutti_type type,
                                               tutti_op *op);

TUTTI_END_DECLS

#endif
