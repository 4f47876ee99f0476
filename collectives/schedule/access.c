/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/schedule/access.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **array, int *room, int count, size_t width)
{
    if (count <= *room) return true;
    const int wanted = count + count / 2 + 16;
    void *bigger = realloc(*array, (size_t)wanted * width);
    if (bigger == NULL) return false;
    *array = bigger;
    *room = wanted;
    return true;
}

static bool room_for(tti_access_map *map, int count)
{
    void *at = map->at;
    const int behind = map->count - map->gap, old = map->room;
    if (!grow(&at, &map->room, count, sizeof *map->at)) map->failed = true;
    map->at = at;
    if (map->room > old)
        memmove(&map->at[map->room - behind], &map->at[old - behind], (size_t)behind * sizeof *map->at);
    return !map->failed;
}

/* So that `before` intervals stand before the gap. */
static void move_gap(tti_access_map *map, int before)
{
    const int width = map->room - map->count, moved = before - map->gap;
    tti_interval *gap = &map->at[map->gap];
    if (moved < 0)
        memmove(gap + width + moved, gap + moved, (size_t)-moved * sizeof *gap);
    else
        memmove(gap, gap + width, (size_t)moved * sizeof *gap);
    map->gap = before;
}

void tti_access_reset(tti_access_map *map, size_t end, int value)
{
    map->count = map->gap = 0;
    map->last = 0;
    map->link_count = 0;
    map->failed = false;
    if (end == 0 || !room_for(map, 1)) return;
    map->at[0] = (tti_interval){.high = end, .writer = TTI_NOBODY, .readers = TTI_NOBODY, .value = value};
    map->count = map->gap = 1;
}

void tti_access_close(tti_access_map *map)
{
    free(map->at);
    free(map->links);
    *map = (tti_access_map){0};
}

/* The index of the interval that holds byte `x`, or count if it is beyond the end. */
static int search(const tti_access_map *map, size_t x)
{
    int low = 0, high = map->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (tti_access_at(map, middle)->high <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const tti_interval *tti_access_find(const tti_access_map *map, size_t x)
{
    return tti_access_at(map, search(map, x));
}

static bool holds(const tti_access_map *map, int index, size_t x)
{
    if (index >= map->count) return false;
    const tti_interval *here = tti_access_at(map, index);
    return here->low <= x && x < here->high;
}

/* As search(), beginning where it was looked last. */
static int find_near(tti_access_map *map, size_t x)
{
    if (holds(map, map->last, x)) return map->last;
    if (holds(map, map->last + 1, x)) return ++map->last;
    return map->last = search(map, x);
}

/* Makes `x` a boundary; returns the index of the interval that begins there. */
static int split(tti_access_map *map, size_t x)
{
    const int index = find_near(map, x);
    if (index == map->count || tti_access_at(map, index)->low == x) return index;
    if (!room_for(map, map->count + 1)) return index;
    move_gap(map, index + 1);
    tti_interval *here = tti_access_at(map, index);
    here[1] = here[0];
    here[0].high = here[1].low = x;
    map->gap++;
    map->count++;
    return index + 1;
}

/* Splits at `low` and `high`, so that [low, high) is exactly the intervals *first … *last - 1. */
static void cut(tti_access_map *map, size_t low, size_t high, int *first, int *last)
{
    *first = *last = 0;
    if (low >= high || map->failed) return;
    const int begin = split(map, low);
    const int end = split(map, high);
    if (map->failed) return;
    *first = begin;
    *last = end;
}

/* Makes the intervals first … last - 1 one; NULL if there is none. */
static tti_interval *unite(tti_access_map *map, int first, int last)
{
    if (first == last) return NULL;
    if (last - first > 1) {
        tti_access_at(map, first)->high = tti_access_at(map, last - 1)->high;
        move_gap(map, first + 1);
        map->count -= last - first - 1;
    }
    map->last = first;
    return tti_access_at(map, first);
}

tti_interval *tti_access_unite(tti_access_map *map, size_t low, size_t high)
{
    int first, last;
    cut(map, low, high, &first, &last);
    return unite(map, first, last);
}

static bool alike(const tti_interval *a, const tti_interval *b)
{
    return a->writer == b->writer && a->readers == b->readers && a->value == b->value && a->shift == b->shift;
}

/* Interval `index` swallows the one after it if they are alike. */
static void swallow(tti_access_map *map, int index)
{
    if (index < 0 || index + 1 >= map->count) return;
    tti_interval *here = tti_access_at(map, index);
    const tti_interval *next = tti_access_at(map, index + 1);
    if (!alike(here, next)) return;
    here->high = next->high;
    move_gap(map, index + 1);
    map->count--;
}

void tti_access_join(tti_access_map *map, size_t x)
{
    const int index = find_near(map, x);
    swallow(map, index);
    swallow(map, index - 1);
}

static int add_reader(tti_access_map *map, int step, int next)
{
    void *links = map->links;
    if (!grow(&links, &map->link_room, map->link_count + 1, sizeof *map->links)) map->failed = true;
    map->links = links;
    if (map->failed) return next;
    map->links[map->link_count] = (tti_reader){step, next};
    return map->link_count++;
}

void tti_access_read(tti_access_map *map, size_t low, size_t high, int step, tti_conflict_fn *conflict,
                     void *context)
{
    int first, last;
    cut(map, low, high, &first, &last);
    for (int i = first; i < last; i++) {
        tti_interval *here = tti_access_at(map, i);
        if (here->writer != TTI_NOBODY && here->writer != step) conflict(context, here->writer);
        here->readers = add_reader(map, step, here->readers);
    }
}

void tti_access_write(tti_access_map *map, size_t low, size_t high, int step, tti_conflict_fn *conflict,
                      void *context)
{
    int first, last;
    cut(map, low, high, &first, &last);
    for (int i = first; i < last; i++) {
        const tti_interval *here = tti_access_at(map, i);
        if (here->writer != TTI_NOBODY && here->writer != step) conflict(context, here->writer);
        for (int r = here->readers; r != TTI_NOBODY; r = map->links[r].next)
            if (map->links[r].step != step) conflict(context, map->links[r].step);
    }
    tti_interval *whole = unite(map, first, last);
    if (whole == NULL) return;
    whole->writer = step;
    whole->readers = TTI_NOBODY;
}
