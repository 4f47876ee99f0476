/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/forces.h"

#include <math.h>
#include <stdlib.h>

#include "examples/common/mishap.h"

void forces_open(struct forces *f, const struct cell_list *list, const struct choices *choices)
{
    *f = (struct forces){.choices = choices, .list = list};
}

void forces_close(struct forces *f)
{
    free(f->at);
}

/* The potential -depth · cos x · cos y, with one well in the corner of the box and one in the middle. */
static struct force in_well(const struct choices *c, const struct particle *p)
{
    const double k = 2 * M_PI / c->side, x = k * p->x, y = k * p->y;
    return (struct force){-c->well * k * sin(x) * cos(y), -c->well * k * cos(x) * sin(y),
                          -c->well * cos(x) * cos(y)};
}

/* The shorter way round the box. */
static double apart(double a, double b, int side)
{
    const double d = a - b;
    return d > 0.5 * side ? d - side : d < -0.5 * side ? d + side : d;
}

/* Energy stiffness · (1 - r)² / 2, force stiffness · (1 - r). */
static void add_repulsion(struct force *f, const struct choices *c, const struct particle *p,
                          const struct particle *other)
{
    const double dx = apart(p->x, other->x, c->side), dy = apart(p->y, other->y, c->side);
    const double square = dx * dx + dy * dy;
    if (square >= 1 || square == 0) return;
    const double distance = sqrt(square), push = c->stiffness * (1 - distance);
    f->x += push * dx / distance;
    f->y += push * dy / distance;
    f->energy += push * (1 - distance) / 4;
}

static struct force force_on(const struct forces *f, const struct swarm *s, const struct particle *p)
{
    const struct strips *strips = f->list->strips;
    const int row = strips_cell(strips, p->y), column = strips_cell(strips, p->x);
    struct force sum = in_well(f->choices, p);
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            const int near_row = strips_wrap(strips, row + i), near_column = strips_wrap(strips, column + j);
            const size_t *begin = f->list->begin + cell_list_place(f->list, near_row, near_column);
            for (size_t k = begin[0]; k < begin[1]; k++)
                if (s->at[k].number != p->number) add_repulsion(&sum, f->choices, p, &s->at[k]);
        }
    return sum;
}

void forces_take(struct forces *f, const struct swarm *s)
{
    if (f->room < s->own) {
        f->room = 2 * s->own;
        free(f->at);
        f->at = allocate(f->room, sizeof *f->at);
    }
    for (size_t i = 0; i < s->own; i++)
        f->at[i] = force_on(f, s, &s->at[i]);
}
