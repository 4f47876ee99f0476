/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_NODE_WINDOW_H
#define TTI_NODE_WINDOW_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomics.h"

/* Windows: memory in which the collectives of a communicator pass data, a set of them for each communicator
 * that has any. Of a set each rank has some of each size, which it alone writes to. */
enum tti_node_window_kind {
    TTI_NODE_WINDOW_TINY, /* all of a rank's in few pages: where ranks take turns on a core, each is cold */
    TTI_NODE_WINDOW_SMALL,
    TTI_NODE_WINDOW_FRONT, /* with which a large one may begin: there are more of them */
    TTI_NODE_WINDOW_LARGE,
    TTI_NODE_WINDOW_PARTS, /* for parts whose sizes two ranks alone know */
    TTI_NODE_WINDOW_KINDS
};
/* How many of each; fewer in a test that is to see them used again. So many operations may a rank be ahead of
 * the others, of those in which it waits for nobody: where ranks share processors as many pass in one turn.
 * But few of the large ones: operation after operation takes the next, and who comes back to one finds it in
 * a cache if the others are still there. */
#if !defined(TTI_NODE_SMALL_WINDOWS)
#define TTI_NODE_TINY_WINDOWS 128
#define TTI_NODE_SMALL_WINDOWS 32
#define TTI_NODE_FRONT_WINDOWS 32
#define TTI_NODE_LARGE_WINDOWS 2
#define TTI_NODE_PARTS_WINDOWS 16
#endif
static inline unsigned tti_node_windows_count(enum tti_node_window_kind kind)
{
    static const uint8_t counts[TTI_NODE_WINDOW_KINDS] = {TTI_NODE_TINY_WINDOWS, TTI_NODE_SMALL_WINDOWS,
                                                          TTI_NODE_FRONT_WINDOWS, TTI_NODE_LARGE_WINDOWS,
                                                          TTI_NODE_PARTS_WINDOWS};
    return counts[kind];
}
typedef struct {
    alignas(16) _Atomic uint64_t posted; /* what its rank has told of the operation it is used for */
    uint64_t mark;                    /* which operation `posted` tells of; written before its first post */
    alignas(16) unsigned char data[]; /* tti_node_window_bytes(): of tiny ones, fronts and those for parts
                                         TTI_NODE_WINDOW_BESIDE of it is in the line of `posted`, of others it
                                         begins with the next line */
} tti_node_window;
#define TTI_NODE_WINDOW_BESIDE 48
static inline size_t tti_node_window_beside(enum tti_node_window_kind kind)
{
    return kind == TTI_NODE_WINDOW_SMALL || kind == TTI_NODE_WINDOW_LARGE ? 0 : TTI_NODE_WINDOW_BESIDE;
}
#define TTI_NODE_WINDOW_CALL 4
/* What one rank tells: how many operations it has finished, of each kind of window, all before which it has
 * finished, too; and at the first rank of a communicator whether anybody waits for such a count to grow. */
typedef struct {
    alignas(64) _Atomic uint64_t finished[TTI_NODE_WINDOW_KINDS];
    alignas(64) _Atomic uint32_t wanted;
    _Atomic uint32_t withdrawn; /* what the rank has shown is its program's again */
    alignas(
        64) _Atomic uint64_t call[TTI_NODE_WINDOW_CALL]; /* which call the rank makes, in words of its own */
} tti_node_window_counts;
/* The word right before a window of whoever comes last, behind all data of the one before, that counts who
 * has come, 0 at first. */
static inline _Atomic uint64_t *tti_node_window_come(void *window)
{
    return (_Atomic uint64_t *)window - 1;
}

#endif
