/* SPDX-License-Identifier: BSD-3-Clause */
/* Who touched which bytes: a map from byte intervals of one space to the step that wrote them last, the steps
 * that read them since, and (for the checker) what is in them. Covers [0, end) without gaps. */
#ifndef TTI_SCHEDULE_ACCESS_H
#define TTI_SCHEDULE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#define TTI_NOBODY (-1)

typedef struct {
    size_t low, high;
    int writer;   /* step, or TTI_NOBODY */
    int readers;  /* head of a list in the map's links, or TTI_NOBODY */
    int value;    /* the checker's: what is here; 0 is nothing */
    size_t shift; /* the checker's: byte x of the space holds byte x + shift (mod 2^64) of the value */
} tti_interval;

typedef struct {
    int step, next;
} tti_reader;

/* A stretch of the space. What is done to a map is mostly near what was done before. So the intervals stand
 * in an array with a gap at the place of the last change: the first `gap` of them before it, the others at
 * the array's end. */
typedef struct {
    tti_interval *at;
    size_t high; /* where the last of them ends */
    int count, room, gap;
} tti_access_piece;

/* Intervals of one piece; of more it becomes two. So a change moves few intervals, wherever it is: exchanges
 * that pass in blocks go on at as many places by turns as there are ranks. */
#define TTI_ACCESS_PIECE 256

/* Where an interval is, until the map changes. */
typedef struct {
    int piece, index;
} tti_access_spot;

typedef struct {
    tti_access_piece *pieces;
    int count, room;      /* of pieces */
    tti_access_spot last; /* what was looked for last: the next one is mostly that or the one after it */
    tti_reader *links;    /* immutable lists, shared by the parts of a split interval */
    int link_count, link_room;
    size_t moved; /* intervals and pieces, by all changes since the reset */
    bool failed;  /* memory ran out; sticky, the map is useless from then on */
} tti_access_map;

/* One interval [0, end), written by nobody, with `value`. Reuses the memory of an earlier use (or all zero).
 */
void tti_access_reset(tti_access_map *map, size_t end, int value);
void tti_access_close(tti_access_map *map);

/* Makes [low, high) one interval and returns it (NULL if empty or failed), for the caller to fill in. */
tti_interval *tti_access_unite(tti_access_map *map, size_t low, size_t high);

/* Where its space ends. */
static inline size_t tti_access_end(const tti_access_map *map)
{
    return map->count > 0 ? map->pieces[map->count - 1].high : 0;
}
/* The interval that holds byte `x`, which is not beyond the end. */
const tti_interval *tti_access_find(const tti_access_map *map, size_t x);
/* Joins the interval that holds byte `x` with its neighbours where they are alike in everything. */
void tti_access_join(tti_access_map *map, size_t x);

/* Calls `conflict` for each earlier step that must be ordered before `step` reads (or writes) [low, high):
 * the last writer; for a write also the readers since. Then records the access. */
typedef void tti_conflict_fn(void *context, int earlier);
void tti_access_read(tti_access_map *map, size_t low, size_t high, int step, tti_conflict_fn *conflict,
                     void *context);
void tti_access_write(tti_access_map *map, size_t low, size_t high, int step, tti_conflict_fn *conflict,
                      void *context);

#endif
