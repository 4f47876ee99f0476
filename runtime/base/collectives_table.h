/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives, in one list. Each row makes a number (TTI_<NAME>), an option (TUTTI_<NAME>), and the
 * folder collectives/<name> a part of the library, whose file <name>.c says what the collective is
 * (collectives/contract/contract.h). It stands down here because the options do.
 *
 *   COLLECTIVE(NAME, name, an example of rules, for the option's help) */

COLLECTIVE(BARRIER, barrier, "0-:dissemination:k=4")
COLLECTIVE(BCAST, bcast, "0-16k:knomial:k=4;16k-:chain:chunk=64k")
COLLECTIVE(REDUCE, reduce, "0-:knomial:k=2")
COLLECTIVE(ALLREDUCE, allreduce, "0-2k:recmul:k=4;2k-:rabenseifner")
COLLECTIVE(ALLGATHER, allgather, "0-2k:bruck:k=2;2k-:ring")
COLLECTIVE(GATHER, gather, "0-4k:knomial:k=2;4k-:linear")
COLLECTIVE(SCATTER, scatter, "0-4k:knomial:k=2;4k-:linear")
COLLECTIVE(ALLTOALL, alltoall, "0-256:bruck:k=2;256-:pairwise")
COLLECTIVE(SCAN, scan, "0-32k:doubling:k=2;32k-:chain:chunk=32k")
COLLECTIVE(EXSCAN, exscan, "0-32k:doubling:k=2;32k-:chain:chunk=32k")
COLLECTIVE(REDUCE_SCATTER_BLOCK, reduce_scatter_block, "0-16k:halving:k=2;16k-:pairwise")
COLLECTIVE(ALLGATHERV, allgatherv, "0-2k:bruck:k=2;2k-:ring")
COLLECTIVE(REDUCE_SCATTER, reduce_scatter, "0-:pairwise")
COLLECTIVE(ALLTOALLV, alltoallv, "0-:pairwise")
COLLECTIVE(ALLTOALLW, alltoallw, "0-:pairwise")
COLLECTIVE(GATHERV, gatherv, "0-:linear")
COLLECTIVE(SCATTERV, scatterv, "0-:linear")
COLLECTIVE(NEIGHBOR_ALLGATHER, neighbor_allgather, "0-:direct")
COLLECTIVE(NEIGHBOR_ALLGATHERV, neighbor_allgatherv, "0-:direct")
COLLECTIVE(NEIGHBOR_ALLTOALL, neighbor_alltoall, "0-:direct")
COLLECTIVE(NEIGHBOR_ALLTOALLV, neighbor_alltoallv, "0-:direct")
COLLECTIVE(NEIGHBOR_ALLTOALLW, neighbor_alltoallw, "0-:direct")
