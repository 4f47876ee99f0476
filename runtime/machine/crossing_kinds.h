/* SPDX-License-Identifier: BSD-3-Clause */
/* What there are several ways for between the ranks of a node (crossings.h). */
#ifndef TTI_MACHINE_CROSSING_KINDS_H
#define TTI_MACHINE_CROSSING_KINDS_H

/* No message is longer that goes in one packet, and no collective that passes through shared memory wherever
 * it is. */
#define TTI_CROSSING_EAGER_MOST 16384
#define TTI_CROSSING_SMALL_MOST 8192
/* The same of what one of two ranks reads or combines of the other, where the kernel is quick. */
#define TTI_CROSSING_QUICK_MOST 7168

enum tti_crossing_collective {
    TTI_CROSSING_BCAST,
    TTI_CROSSING_REDUCE,
    TTI_CROSSING_ALLREDUCE,
    TTI_CROSSING_ALLGATHER,
    TTI_CROSSING_EDGES,   /* along two edges of a graph: a rank takes what the other shows twice */
    TTI_CROSSING_ONE_WAY, /* from one rank to the other alone */
    TTI_CROSSING_COLLECTIVES
};

#endif
