/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/cell_list.h"

#include <stdlib.h>
#include <string.h>

#include "examples/common/mishap.h"

static size_t cells(const struct cell_list *l)
{
    return (size_t)(l->strips->rows + 2) * (size_t)l->strips->side;
}

void cell_list_open(struct cell_list *l, const struct strips *strips)
{
    *l = (struct cell_list){.strips = strips};
    l->begin = allocate(cells(l) + 2, sizeof *l->begin);
}

void cell_list_close(struct cell_list *l)
{
    free(l->begin);
    swarm_close(&l->sorted);
}

/* A rank with all rows, or all but one, finds the row above or below among those it has already. */
size_t cell_list_place(const struct cell_list *l, int row, int column)
{
    const struct strips *s = l->strips;
    int line = strips_wrap(s, row - s->row);
    if (line >= s->rows && line != s->rows) line = s->rows + 1;
    return (size_t)line * (size_t)s->side + (size_t)column;
}

static size_t place_of(const struct cell_list *l, const struct particle *p)
{
    return cell_list_place(l, strips_cell(l->strips, p->y), strips_cell(l->strips, p->x));
}

static void sort_by_number(struct particle *at, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct particle p = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1].number > p.number; j--)
            at[j] = at[j - 1];
        at[j] = p;
    }
}

void cell_list_sort(struct cell_list *l, struct swarm *s)
{
    const size_t count = cells(l);
    /* Counted two places further on: once all are put in, a cell's end has become the next one's beginning.
     */
    memset(l->begin, 0, (count + 2) * sizeof *l->begin);
    for (size_t i = 0; i < s->count; i++)
        l->begin[place_of(l, &s->at[i]) + 2]++;
    for (size_t cell = 2; cell < count + 2; cell++)
        l->begin[cell] += l->begin[cell - 1];
    l->sorted.count = 0;
    struct particle *const to = swarm_grow(&l->sorted, s->count);
    for (size_t i = 0; i < s->count; i++)
        to[l->begin[place_of(l, &s->at[i]) + 1]++] = s->at[i];
    for (size_t cell = 0; cell < count; cell++)
        sort_by_number(to + l->begin[cell], l->begin[cell + 1] - l->begin[cell]);
    const struct swarm swap = l->sorted;
    l->sorted = *s;
    *s = (struct swarm){swap.at, l->sorted.count, swap.room, l->sorted.own};
}
