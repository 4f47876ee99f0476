/* SPDX-License-Identifier: BSD-3-Clause */
/* A window at a rank, and how it reaches the others' parts. All under the library's lock. */
#ifndef TTI_RMA_WINDOW_STATE_H
#define TTI_RMA_WINDOW_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/fabric/fabric.h"
#include "runtime/p2p/p2p.h"
#include "tutti/rma.h"

/* A rank's part of a window as it tells the others; sent as it is (one version, one byte order). */
typedef struct {
    uint64_t address, bytes;
    uint64_t memory, memory_offset; /* tti_node_mem_map() id and place in it; 0: not mappable */
    tti_fabric_remote remote;
    uint32_t window;  /* its number at that rank */
    uint32_t exposed; /* `remote` holds */
    uint32_t failed;  /* 0, or 1 + a rank that cannot make its part */
    int32_t error;    /* why that rank cannot */
} tti_rma_part;

/* How a part is reached. */
enum tti_rma_way {
    TTI_RMA_UNKNOWN,
    TTI_RMA_DIRECT,  /* own or mapped: load and store */
    TTI_RMA_COPY,    /* tti_node_read() and tti_node_write() */
    TTI_RMA_FABRIC,  /* tti_fabric_read() and tti_fabric_write() */
    TTI_RMA_MESSAGES /* active messages */
};

typedef struct {
    char *direct;     /* start of the part here, if DIRECT */
    tti_link pending; /* operations that are not over, oldest first */
    int error;        /* first of those that no call and no request reported */
    uint8_t way;
    bool mapped;   /* `direct` is from tti_node_mem_map() */
    bool ended;    /* the rank uses its memory for something else */
    bool ending;   /* the rank waits to hear that nothing from before its end is pending on its part */
    bool awaited;  /* its word that nothing of its own is pending on this rank's part */
    uint64_t last; /* if `ending`: number of the last operation from before */
} tti_rma_peer_state;

struct tutti_window {
    tti_link link; /* among all windows */
    tutti_comm *comm;
    char *base;
    size_t bytes;
    uint32_t number;
    uint32_t pending; /* operations on all parts that are not over */
    uint64_t begun;   /* and all that there were */
    bool made;        /* all ranks have made their parts, and told each other */
    tti_fabric_region *region;
    tti_rma_part *parts; /* that of rank r is at (r - rank) mod size, as Bruck's exchange leaves them */
    tti_rma_peer_state *states; /* by rank */
};

static inline const tti_rma_part *tti_rma_part_of(const tutti_window *window, int target)
{
    const int place = target - window->comm->rank;
    return &window->parts[place >= 0 ? place : place + window->comm->size];
}

#endif
