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

static tti_interval *interval_of(const tti_access_piece *piece, int index)
{
    return &piece->at[index < piece->gap ? index : index + piece->room - piece->count];
}

static tti_interval *interval_at(const tti_access_map *map, tti_access_spot spot)
{
    return interval_of(&map->pieces[spot.piece], spot.index);
}

/* Behind the last interval is {count, 0}. */
static bool is_end(const tti_access_map *map, tti_access_spot spot)
{
    return spot.piece == map->count;
}

static bool same(tti_access_spot a, tti_access_spot b)
{
    return a.piece == b.piece && a.index == b.index;
}

static tti_access_spot next(const tti_access_map *map, tti_access_spot spot)
{
    if (spot.index + 1 < map->pieces[spot.piece].count) return (tti_access_spot){spot.piece, spot.index + 1};
    return (tti_access_spot){spot.piece + 1, 0};
}

/* So that `before` intervals of the piece stand before its gap. */
static void move_gap(tti_access_map *map, tti_access_piece *piece, int before)
{
    const int width = piece->room - piece->count, moved = before - piece->gap;
    tti_interval *gap = &piece->at[piece->gap];
    if (moved == 0) return;
    if (moved < 0)
        memmove(gap + width + moved, gap + moved, (size_t)-moved * sizeof *gap);
    else
        memmove(gap, gap + width, (size_t)moved * sizeof *gap);
    piece->gap = before;
    map->moved += (size_t)(moved < 0 ? -moved : moved);
}

/* Has room for `room` intervals, of which none is there, and stands before piece number `before`; NULL if
 * memory is out. */
static tti_access_piece *open_piece(tti_access_map *map, int before, int room)
{
    void *pieces = map->pieces;
    if (!grow(&pieces, &map->room, map->count + 1, sizeof *map->pieces)) return NULL;
    map->pieces = pieces;
    tti_interval *at = malloc((size_t)room * sizeof *at);
    if (at == NULL) return NULL;
    tti_access_piece *made = &map->pieces[before];
    memmove(made + 1, made, (size_t)(map->count - before) * sizeof *made);
    map->moved += (size_t)(map->count - before);
    map->count++;
    *made = (tti_access_piece){.at = at, .room = room};
    return made;
}

/* Of pieces begin … end - 1. */
static void drop_pieces(tti_access_map *map, int begin, int end)
{
    if (begin >= end) return;
    for (int i = begin; i < end; i++)
        free(map->pieces[i].at);
    memmove(&map->pieces[begin], &map->pieces[end], (size_t)(map->count - end) * sizeof *map->pieces);
    map->moved += (size_t)(map->count - end);
    map->count -= end - begin;
}

/* The second half of a piece becomes one of its own; false if memory is out. */
static bool halve(tti_access_map *map, int number)
{
    tti_access_piece *made = open_piece(map, number + 1, TTI_ACCESS_PIECE);
    if (made == NULL) return false;
    tti_access_piece *old = made - 1;
    const int kept = old->count / 2, rest = old->count - kept;
    move_gap(map, old, kept);
    memcpy(made->at, &old->at[old->room - rest], (size_t)rest * sizeof *made->at);
    map->moved += (size_t)rest;
    made->count = made->gap = rest;
    made->high = old->high;
    old->count = kept;
    old->high = old->at[kept - 1].high;
    return true;
}

static bool grow_piece(tti_access_piece *piece)
{
    void *at = piece->at;
    const int behind = piece->count - piece->gap, old = piece->room;
    if (!grow(&at, &piece->room, piece->count + 1, sizeof *piece->at)) return false;
    piece->at = at;
    if (piece->room > old)
        memmove(&piece->at[piece->room - behind], &piece->at[old - behind],
                (size_t)behind * sizeof *piece->at);
    return true;
}

/* For one interval more beside that one, which may be in another piece then. */
static bool make_room(tti_access_map *map, tti_access_spot *spot)
{
    if (map->pieces[spot->piece].count < TTI_ACCESS_PIECE) {
        if (!grow_piece(&map->pieces[spot->piece])) map->failed = true;
        return !map->failed;
    }
    if (!halve(map, spot->piece)) map->failed = true;
    const int kept = map->pieces[spot->piece].count;
    if (!map->failed && spot->index >= kept) *spot = (tti_access_spot){spot->piece + 1, spot->index - kept};
    return !map->failed;
}

/* The memory of the first piece stays. */
void tti_access_reset(tti_access_map *map, size_t end, int value)
{
    drop_pieces(map, end > 0 ? 1 : 0, map->count);
    map->last = (tti_access_spot){0, 0};
    map->link_count = 0;
    map->failed = end > 0 && map->count == 0 && open_piece(map, 0, TTI_ACCESS_PIECE / 16) == NULL;
    map->moved = 0;
    if (end == 0 || map->failed) return;
    tti_access_piece *first = map->pieces;
    first->at[0] = (tti_interval){.high = end, .writer = TTI_NOBODY, .readers = TTI_NOBODY, .value = value};
    first->count = first->gap = 1;
    first->high = end;
}

void tti_access_close(tti_access_map *map)
{
    drop_pieces(map, 0, map->count);
    free(map->pieces);
    free(map->links);
    *map = (tti_access_map){0};
}

/* The interval that holds byte `x`, or the end if it is beyond that. */
static tti_access_spot search(const tti_access_map *map, size_t x)
{
    int low = 0, high = map->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (map->pieces[middle].high <= x)
            low = middle + 1;
        else
            high = middle;
    }
    tti_access_spot found = {low, 0};
    high = is_end(map, found) ? 0 : map->pieces[found.piece].count - 1;
    while (found.index < high) {
        const int middle = found.index + (high - found.index) / 2;
        if (interval_of(&map->pieces[found.piece], middle)->high <= x)
            found.index = middle + 1;
        else
            high = middle;
    }
    return found;
}

const tti_interval *tti_access_find(const tti_access_map *map, size_t x)
{
    return interval_at(map, search(map, x));
}

static bool holds(const tti_access_map *map, tti_access_spot spot, size_t x)
{
    if (spot.piece >= map->count || spot.index >= map->pieces[spot.piece].count) return false;
    const tti_interval *here = interval_at(map, spot);
    return here->low <= x && x < here->high;
}

/* As search(), beginning where it was looked last. */
static tti_access_spot find_near(tti_access_map *map, size_t x)
{
    if (holds(map, map->last, x)) return map->last;
    if (map->last.piece < map->count) {
        map->last = next(map, map->last);
        if (holds(map, map->last, x)) return map->last;
    }
    return map->last = search(map, x);
}

/* Makes `x` a boundary; returns where the interval is that begins there. */
static tti_access_spot split(tti_access_map *map, size_t x)
{
    tti_access_spot spot = find_near(map, x);
    if (is_end(map, spot) || interval_at(map, spot)->low == x || !make_room(map, &spot)) return spot;
    tti_access_piece *piece = &map->pieces[spot.piece];
    move_gap(map, piece, spot.index + 1);
    tti_interval *here = interval_of(piece, spot.index);
    here[1] = here[0];
    here[0].high = here[1].low = x;
    piece->gap++;
    piece->count++;
    return (tti_access_spot){spot.piece, spot.index + 1};
}

/* Splits at `low` and `high`, so that [low, high) is exactly the intervals from *first to before *last. */
static void cut(tti_access_map *map, size_t low, size_t high, tti_access_spot *first, tti_access_spot *last)
{
    *first = *last = (tti_access_spot){0, 0};
    if (low >= high || map->failed) return;
    tti_access_spot begin = split(map, low);
    const int pieces = map->count;
    const tti_access_spot end = split(map, high);
    if (map->failed) return;
    if (map->count > pieces) begin = search(map, low); /* its piece may have been halved */
    *first = begin;
    *last = end;
}

/* Intervals begin … end - 1 of a piece go. */
static void take_out(tti_access_map *map, tti_access_piece *piece, int begin, int end)
{
    if (begin >= end) return;
    move_gap(map, piece, begin);
    piece->count -= end - begin;
}

/* Makes the intervals from `first` to before `last` one, up to `high`; NULL if there is none. */
static tti_interval *unite(tti_access_map *map, tti_access_spot first, tti_access_spot last, size_t high)
{
    if (same(first, last)) return NULL;
    tti_access_piece *piece = &map->pieces[first.piece];
    interval_of(piece, first.index)->high = high;
    map->last = first;
    if (first.piece == last.piece) {
        take_out(map, piece, first.index + 1, last.index);
        return interval_of(piece, first.index);
    }
    take_out(map, piece, first.index + 1, piece->count);
    piece->high = high;
    if (!is_end(map, last)) take_out(map, &map->pieces[last.piece], 0, last.index);
    drop_pieces(map, first.piece + 1, last.piece);
    return interval_at(map, first);
}

tti_interval *tti_access_unite(tti_access_map *map, size_t low, size_t high)
{
    tti_access_spot first, last;
    cut(map, low, high, &first, &last);
    return unite(map, first, last, high);
}

static bool alike(const tti_interval *a, const tti_interval *b)
{
    return a->writer == b->writer && a->readers == b->readers && a->value == b->value && a->shift == b->shift;
}

/* The interval there swallows the one after it if they are alike. */
static void swallow(tti_access_map *map, tti_access_spot spot)
{
    const tti_access_spot after = next(map, spot);
    if (is_end(map, after)) return;
    const tti_interval *swallowed = interval_at(map, after);
    if (alike(interval_at(map, spot), swallowed)) unite(map, spot, next(map, after), swallowed->high);
}

void tti_access_join(tti_access_map *map, size_t x)
{
    const tti_access_spot spot = find_near(map, x);
    if (is_end(map, spot)) return;
    swallow(map, spot);
    if (spot.index > 0)
        swallow(map, (tti_access_spot){spot.piece, spot.index - 1});
    else if (spot.piece > 0)
        swallow(map, (tti_access_spot){spot.piece - 1, map->pieces[spot.piece - 1].count - 1});
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
    tti_access_spot first, last;
    cut(map, low, high, &first, &last);
    for (; !same(first, last); first = next(map, first)) {
        tti_interval *here = interval_at(map, first);
        if (here->writer != TTI_NOBODY && here->writer != step) conflict(context, here->writer);
        here->readers = add_reader(map, step, here->readers);
    }
}

void tti_access_write(tti_access_map *map, size_t low, size_t high, int step, tti_conflict_fn *conflict,
                      void *context)
{
    tti_access_spot first, last;
    cut(map, low, high, &first, &last);
    for (tti_access_spot spot = first; !same(spot, last); spot = next(map, spot)) {
        const tti_interval *here = interval_at(map, spot);
        if (here->writer != TTI_NOBODY && here->writer != step) conflict(context, here->writer);
        for (int r = here->readers; r != TTI_NOBODY; r = map->links[r].next)
            if (map->links[r].step != step) conflict(context, map->links[r].step);
    }
    tti_interval *whole = unite(map, first, last, high);
    if (whole == NULL) return;
    whole->writer = step;
    whole->readers = TTI_NOBODY;
}
