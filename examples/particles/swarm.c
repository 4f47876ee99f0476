/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/swarm.h"

#include <math.h>
#include <stdlib.h>

#include "examples/common/dice.h"
#include "examples/common/mishap.h"

#define CELL_MOST 64 /* particles that a cell begins with; densities are lower */

struct particle *swarm_grow(struct swarm *s, size_t more)
{
    if (s->room - s->count < more) {
        const size_t room = 2 * s->room + more;
        struct particle *const at = realloc(s->at, room * sizeof *at);
        if (at == NULL) stop("realloc", TUTTI_ERR_NO_MEMORY);
        s->at = at;
        s->room = room;
    }
    return s->at + s->count;
}

void swarm_add(struct swarm *s, struct particle particle)
{
    *swarm_grow(s, 1) = particle;
    s->count++;
}

void swarm_close(struct swarm *s)
{
    free(s->at);
}

/* Random number `which` of the cell, from 0 to below 1. */
static double cell_dice(const struct choices *c, int row, int column, int which)
{
    const uint64_t cell = (uint64_t)row * (uint64_t)c->side + (uint64_t)column;
    return dice(((uint64_t)c->seed << 48) + cell * (3 * CELL_MOST) + (uint64_t)which);
}

static void fill_cell(struct swarm *s, const struct choices *c, int row, int column)
{
    const int count = (int)(2 * c->density * cell_dice(c, row, column, 0) + 0.5);
    for (int i = 0; i < count; i++) {
        struct particle p = {.x = column + cell_dice(c, row, column, 3 * i + 1),
                             .y = row + cell_dice(c, row, column, 3 * i + 2)};
        p.speed_x = c->speed * sin(2 * M_PI * p.y / c->side);
        p.speed_y = c->speed * (cell_dice(c, row, column, 3 * i + 3) - 0.5);
        swarm_add(s, p);
    }
}

void swarm_begin(struct swarm *s, tutti_comm *world, const struct strips *strips, const struct choices *c)
{
    *s = (struct swarm){0};
    for (int row = strips->row; row < strips->row + strips->rows; row++)
        for (int column = 0; column < strips->side; column++)
            fill_cell(s, c, row, column);
    s->own = s->count;
    const int64_t mine = (int64_t)s->count;
    int64_t first = 0; /* rank 0's stays as it is */
    CHECK(tutti_exscan(world, &mine, &first, 1, TUTTI_INT64, TUTTI_SUM));
    for (size_t i = 0; i < s->count; i++)
        s->at[i].number = first + (int64_t)i;
}
