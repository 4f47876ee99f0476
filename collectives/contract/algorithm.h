/* SPDX-License-Identifier: BSD-3-Clause */
/* An algorithm is a pure function from the shape of a call to the steps of one rank. To add one: a file with
 * the function, a row in the table of its collective, a paragraph in docs/algorithms.md; proof, selection and
 * tools find it from the table. */
#ifndef TTI_CONTRACT_ALGORITHM_H
#define TTI_CONTRACT_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include "collectives/contract/table.h"
#include "collectives/patterns/node_map.h"
#include "collectives/patterns/parts.h"
#include "collectives/schedule/builder.h"
#include "runtime/comm/neighbourhood.h"

enum tti_collective {
#define COLLECTIVE(NAME, ...) TTI_##NAME,
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
    TTI_COLLECTIVES
};

#define TTI_RADIX_MAX 64
#define TTI_LEADERS_MAX 64

/* Everything that the steps may depend on. Ranks of one call have the same shape, but for rank, in_place,
 * own, tables and neighbours; and, where there are several nodes, for window: each has its node's, or none,
 * and does not know the other nodes'. */
typedef struct {
    int rank, size;
    int root;                  /* of collectives that have one, else 0 */
    size_t count;              /* elements per rank; bytes where the collective moves bytes; where parts
                                  differ their mean, if all ranks know them, else 0 */
    size_t element;            /* bytes of one; 1 where the collective moves bytes */
    bool commutes;             /* the operation does */
    bool in_place;             /* the contribution is in OUTPUT, there is no INPUT */
    int radix;                 /* 2 … TTI_RADIX_MAX */
    size_t chunk;              /* bytes of one message of a pipeline, > 0 */
    int leaders;               /* of a node at most, 0 … TTI_LEADERS_MAX; 0: as many as there may be */
    const tti_node_map *nodes; /* who shares a node; NULL: nobody knows, or nobody does */
    size_t window;             /* bytes of WINDOW that each shares with the ranks of its node (with all, where
                                  `nodes` is NULL); 0: there is none */
    const tti_node_map *groups; /* of ranks that are all on one node, who is near whom, as ranks on nodes;
                                   NULL: all are alike, or nobody knows */
    uint16_t beside; /* so many bytes of WINDOW come with the post, the rest begins on another line */
    uint16_t front;  /* a rank that writes no more than so many bytes of WINDOW may be further ahead of the
                        others than one that does; what lies there ends there; 0: it makes no difference */
    bool parted;     /* parts differ */
    size_t own;      /* where parts differ: elements of the one that the caller alone has, or gets */
    tti_table send, recv; /* where parts differ: those for each that are sent, those of each that come; as far
                             as the caller knows them */
    const tti_neighbours *neighbours; /* the caller's, where they are whom it exchanges with: parts are
                                         theirs then, and not the ranks' */
} tti_shape;

enum { /* what an algorithm wants */
       TTI_NEEDS_COMMUTING = 1,
       TTI_TAKES_RADIX = 2,
       TTI_TAKES_CHUNK = 4,
       TTI_NEEDS_NODES = 8,
       TTI_TAKES_LEADERS = 16,
       TTI_NEEDS_WINDOW = 32,  /* of all ranks */
       TTI_SHARES_WINDOW = 64, /* what it puts there at once grows with the number of ranks */
       TTI_TAKES_WINDOW = 128, /* that of each node's ranks, where they have one, and else messages */
       TTI_NEEDS_EVEN = 256,   /* an even number of ranks */
       TTI_COUNTS = 512, /* the last to come does something for all (schedule.h): it is asked for the steps of
                           rank `size`, too. By default for ranks that share processors */
       TTI_NEEDS_REACH = 1024,    /* buffers that others can read in; where they turn out not to be, each read
                                     passes by messages */
       TTI_NEEDS_STENCIL = 2048,  /* neighbours by offsets, of which several can share messages. By default
                                     where there are several nodes */
       TTI_BOTH_COPY = 4096,      /* of two ranks both copy. By default where that pays */
       TTI_NEEDS_GROUPS = 8192,   /* several groups of ranks that are near each other */
       TTI_NEEDS_OFFSETS = 16384, /* neighbours of a grid or stencil: each rank can tell those of all */
       TTI_PASSES_BLOCKS = 32768  /* parts that are longer than their share of a WINDOW pass block by block */
};

/* Builds the steps of shape->rank. */
typedef void tti_build_fn(const tti_shape *shape, tti_builder *builder);

typedef struct {
    const char *name; /* as users write it in rules */
    tti_build_fn *build;
    unsigned wants;
    const char *about; /* one line */
} tti_algorithm;

/* By name (`length` characters), or NULL. */
const tti_algorithm *tti_algorithm_find(enum tti_collective collective, const char *name, size_t length);

/* The schedule of shape->rank, and with it that of the last to come, if it has one; freed by
 * tti_schedule_free(). */
int tti_algorithm_build(const tti_algorithm *algorithm, const tti_shape *shape, tti_schedule **schedule);

static inline size_t tti_shape_bytes(const tti_shape *shape)
{
    return shape->count * shape->element;
}
/* Whether the two ranks share memory. */
static inline bool tti_shape_shares(const tti_shape *shape, int a, int b)
{
    return a != b && shape->window > 0 &&
           (shape->nodes == NULL || shape->nodes->node_of[a] == shape->nodes->node_of[b]);
}
/* How many share it with the caller, itself among them, and a rank's place among them. */
static inline int tti_shape_sharers(const tti_shape *shape)
{
    const tti_node_map *map = shape->nodes;
    if (map == NULL) return shape->size;
    return tti_node_ranks(map, map->node_of[shape->rank]);
}
static inline int tti_shape_place(const tti_shape *shape, int rank)
{
    return shape->nodes != NULL ? shape->nodes->place_of[rank] : rank;
}
/* Of the part that the caller alone has, or gets. */
static inline size_t tti_shape_own_bytes(const tti_shape *shape)
{
    return shape->parted ? shape->own * shape->element : tti_shape_bytes(shape);
}
/* How many parts are sent, and come, where each rank or neighbour has one. */
static inline int tti_shape_parts_sent(const tti_shape *shape)
{
    return shape->neighbours != NULL ? shape->neighbours->targets.count : shape->size;
}
static inline int tti_shape_parts_received(const tti_shape *shape)
{
    return shape->neighbours != NULL ? shape->neighbours->sources.count : shape->size;
}
/* The part of `rank` where each has one: in a contribution, or in what comes. */
static inline tti_extent tti_shape_part(const tti_shape *shape, const tti_table *table, int rank)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (!shape->parted) return (tti_extent){(size_t)rank * bytes, bytes};
    return tti_table_part(table, shape->element, rank);
}
static inline tti_extent tti_shape_sent(const tti_shape *shape, int rank)
{
    return tti_shape_part(shape, &shape->send, rank);
}
static inline tti_extent tti_shape_received(const tti_shape *shape, int rank)
{
    return tti_shape_part(shape, &shape->recv, rank);
}
/* The largest of the parts of all, for algorithms that give each as much room. */
static inline size_t tti_shape_largest(const tti_shape *shape, const tti_table *table)
{
    size_t most = 0;
    for (int r = 0; r < (shape->parted ? shape->size : 1); r++) {
        const size_t bytes = tti_shape_part(shape, table, r).bytes;
        if (bytes > most) most = bytes;
    }
    return most;
}
/* Where the data, shape->count elements, are cut into so many parts, one of them; the first is one of the
 * largest. */
static inline tti_extent tti_shape_cut(const tti_shape *shape, int parts, int index)
{
    return (tti_extent){tti_part_start(shape->count, parts, index) * shape->element,
                        tti_part_size(shape->count, parts, index) * shape->element};
}
/* The parts of `count` ranks in a row, where those lie one after the other. */
static inline tti_extent tti_shape_row(const tti_shape *shape, const tti_table *table, int first, int count)
{
    if (count == 0) return (tti_extent){0, 0};
    const tti_extent begin = tti_shape_part(shape, table, first),
                     end = tti_shape_part(shape, table, first + count - 1);
    return (tti_extent){begin.at, end.at + end.bytes - begin.at};
}
/* Where the caller's contribution is, of collectives that have one. */
static inline tti_place tti_shape_own(const tti_shape *shape)
{
    return tti_place_at(shape->in_place ? TTI_OUTPUT : TTI_INPUT, 0);
}
/* The same of collectives that bring together parts: in place it is where it belongs among all. */
static inline tti_place tti_shape_own_part(const tti_shape *shape)
{
    return tti_place_plus(tti_shape_own(shape),
                          shape->in_place ? tti_shape_received(shape, shape->rank).at : 0);
}

#endif
