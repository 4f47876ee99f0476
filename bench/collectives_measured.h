/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that are measured, in one table: it makes their tests, the calls of each port, and the
 * lists of bench/compare and bench/consistency.
 *
 *   COLLECTIVE(NAME, name, Name of MPI, WHAT is moved, FROM whom, TO whom, WHICH of it, bytes of the bus,
 * help, (arguments of Tutti), (arguments of MPI))
 *
 * WHAT is NOTHING, BYTES or ELEMENTS, which are combined; FROM and TO are EACH rank or the ROOT, or whoever
 * is BESIDE a rank on the grid of the halo exchange (bench_grid; there are four parts then). WHICH is the
 * WHOLE, or the SHARE of each rank: a sender has a part for each, and the size is that of one; or the
 * combination of the ranks UP_TO the receiver, or BELOW it. _BY_TABLE: the same, where the call is given a
 * table of parts (c->parts), all of one size. From this follow buffers and what must be in them
 * at the end: the combination, the root's bytes, or those of each rank in rank order. What moves WHOLE from
 * the root has one buffer, recv. In the arguments `c` is the port_call, and n its count as MPI has it. */

COLLECTIVE(BARRIER, barrier, Barrier, NOTHING, EACH, EACH, WHOLE, NULL,
           "no rank leaves before all have entered", (bench_world), (MPI_COMM_WORLD))
COLLECTIVE(BCAST, bcast, Bcast, BYTES, ROOT, EACH, WHOLE, once, "the bytes of --root at every rank",
           (bench_world, c->recv, c->count, c->root), (c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD))
COLLECTIVE(REDUCE, reduce, Reduce, ELEMENTS, EACH, ROOT, WHOLE, once,
           "all ranks' elements combined at --root",
           (bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root),
           (c->send, c->recv, n, type_of(c->type), op_of(c->op), c->root, MPI_COMM_WORLD))
COLLECTIVE(ALLREDUCE, allreduce, Allreduce, ELEMENTS, EACH, EACH, WHOLE, twice_shared,
           "all ranks' elements combined, the result at every rank",
           (bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
           (c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD))
COLLECTIVE(ALLGATHER, allgather, Allgather, BYTES, EACH, EACH, WHOLE, of_others,
           "every rank's bytes at every rank; the size is that of one rank's part",
           (bench_world, c->send, c->recv, c->count),
           (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, MPI_COMM_WORLD))
COLLECTIVE(GATHER, gather, Gather, BYTES, EACH, ROOT, WHOLE, of_others,
           "every rank's bytes at --root; the size is that of one rank's part",
           (bench_world, c->send, c->recv, c->count, c->root),
           (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD))
COLLECTIVE(SCATTER, scatter, Scatter, BYTES, ROOT, EACH, SHARE, of_others,
           "a part of the bytes of --root at every rank; the size is that of one part",
           (bench_world, c->send, c->recv, c->count, c->root),
           (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD))
COLLECTIVE(ALLTOALL, alltoall, Alltoall, BYTES, EACH, EACH, SHARE, of_others,
           "a part of every rank's bytes at every rank; the size is that of one part",
           (bench_world, c->send, c->recv, c->count),
           (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, MPI_COMM_WORLD))
COLLECTIVE(SCAN, scan, Scan, ELEMENTS, EACH, EACH, UP_TO, once,
           "the elements of ranks up to itself combined at every rank",
           (bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
           (c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD))
COLLECTIVE(EXSCAN, exscan, Exscan, ELEMENTS, EACH, EACH, BELOW, once,
           "the elements of ranks below itself combined at every rank",
           (bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
           (c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD))
COLLECTIVE(REDUCE_SCATTER_BLOCK, reduce_scatter_block, Reduce_scatter_block, ELEMENTS, EACH, EACH, SHARE,
           of_others,
           "all ranks' elements combined, a part of the result at every rank; the size is that of one part",
           (bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
           (c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD))
COLLECTIVE(ALLGATHERV, allgatherv, Allgatherv, BYTES, EACH, EACH, WHOLE_BY_TABLE, of_others,
           "allgather with a table of parts, which are of one size",
           (bench_world, c->send, c->recv, c->parts->counts, c->parts->offsets, TUTTI_UINT8),
           (c->send, n, MPI_BYTE, c->recv, c->parts->counts, c->parts->offsets, MPI_BYTE, MPI_COMM_WORLD))
COLLECTIVE(REDUCE_SCATTER, reduce_scatter, Reduce_scatter, ELEMENTS, EACH, EACH, SHARE_BY_TABLE, of_others,
           "reduce_scatter_block with a table of parts, which are of one size",
           (bench_world, c->send, c->recv, c->parts->counts, types[c->type], op_of(c->op)),
           (c->send, c->recv, c->parts->counts, type_of(c->type), op_of(c->op), MPI_COMM_WORLD))
COLLECTIVE(ALLTOALLV, alltoallv, Alltoallv, BYTES, EACH, EACH, SHARE_BY_TABLE, of_others,
           "alltoall with tables of parts, which are of one size",
           (bench_world, c->send, c->parts->counts, c->parts->offsets, c->recv, c->parts->counts,
            c->parts->offsets, TUTTI_UINT8),
           (c->send, c->parts->counts, c->parts->offsets, MPI_BYTE, c->recv, c->parts->counts,
            c->parts->offsets, MPI_BYTE, MPI_COMM_WORLD))
COLLECTIVE(ALLTOALLW, alltoallw, Alltoallw, BYTES, EACH, EACH, SHARE_BY_TABLE, of_others,
           "alltoall with tables of parts in bytes, which are of one size",
           (bench_world, c->send, c->parts->counts, c->parts->offsets, c->recv, c->parts->counts,
            c->parts->offsets),
           (c->send, c->parts->counts, c->parts->offsets, c->parts->bytes, c->recv, c->parts->counts,
            c->parts->offsets, c->parts->bytes, MPI_COMM_WORLD))
COLLECTIVE(GATHERV, gatherv, Gatherv, BYTES, EACH, ROOT, WHOLE_BY_TABLE, of_others,
           "gather with a table of parts, which are of one size",
           (bench_world, c->send, c->count, c->recv, c->parts->counts, c->parts->offsets, TUTTI_UINT8,
            c->root),
           (c->send, n, MPI_BYTE, c->recv, c->parts->counts, c->parts->offsets, MPI_BYTE, c->root,
            MPI_COMM_WORLD))
COLLECTIVE(SCATTERV, scatterv, Scatterv, BYTES, ROOT, EACH, SHARE_BY_TABLE, of_others,
           "scatter with a table of parts, which are of one size",
           (bench_world, c->send, c->parts->counts, c->parts->offsets, c->recv, c->count, TUTTI_UINT8,
            c->root),
           (c->send, c->parts->counts, c->parts->offsets, MPI_BYTE, c->recv, n, MPI_BYTE, c->root,
            MPI_COMM_WORLD))
COLLECTIVE(NEIGHBOR_ALLGATHER, neighbor_allgather, Neighbor_allgather, BYTES, BESIDE, BESIDE, WHOLE,
           of_neighbours, "every rank's bytes at each of its 4 neighbours, which are those of halo",
           (bench_grid, c->send, c->recv, c->count), (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, bench_grid))
COLLECTIVE(NEIGHBOR_ALLGATHERV, neighbor_allgatherv, Neighbor_allgatherv, BYTES, BESIDE, BESIDE,
           WHOLE_BY_TABLE, of_neighbours, "neighbor_allgather with a table of parts, which are of one size",
           (bench_grid, c->send, c->count, c->recv, c->parts->counts, c->parts->offsets, TUTTI_UINT8),
           (c->send, n, MPI_BYTE, c->recv, c->parts->counts, c->parts->offsets, MPI_BYTE, bench_grid))
COLLECTIVE(NEIGHBOR_ALLTOALL, neighbor_alltoall, Neighbor_alltoall, BYTES, BESIDE, BESIDE, SHARE,
           of_neighbours, "a part for each of 4 neighbours: halo as a collective",
           (bench_grid, c->send, c->recv, c->count), (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, bench_grid))
COLLECTIVE(NEIGHBOR_ALLTOALLV, neighbor_alltoallv, Neighbor_alltoallv, BYTES, BESIDE, BESIDE, SHARE_BY_TABLE,
           of_neighbours, "neighbor_alltoall with tables of parts, which are of one size",
           (bench_grid, c->send, c->parts->counts, c->parts->offsets, c->recv, c->parts->counts,
            c->parts->offsets, TUTTI_UINT8),
           (c->send, c->parts->counts, c->parts->offsets, MPI_BYTE, c->recv, c->parts->counts,
            c->parts->offsets, MPI_BYTE, bench_grid))
COLLECTIVE(NEIGHBOR_ALLTOALLW, neighbor_alltoallw, Neighbor_alltoallw, BYTES, BESIDE, BESIDE, SHARE_BY_TABLE,
           of_neighbours, "neighbor_alltoall with tables of parts in bytes, which are of one size",
           (bench_grid, c->send, c->parts->counts, c->parts->offsets, c->recv, c->parts->counts,
            c->parts->offsets),
           (c->send, c->parts->counts, c->parts->places, c->parts->bytes, c->recv, c->parts->counts,
            c->parts->places, c->parts->bytes, bench_grid))
