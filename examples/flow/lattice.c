/* SPDX-License-Identifier: BSD-3-Clause */
/* Every number here depends on its cell and its neighbours alone, in a fixed order of operations (compiled
 * without contraction to fused operations), so that the result is the same to the last bit however the
 * channel is divided. */
#include "examples/flow/lattice.h"

#include <stdlib.h>

#include "examples/common/mishap.h"

static const double weight[DIRECTIONS] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                          1. / 36, 1. / 36, 1. / 36, 1. / 36};

/* Opposite directions are neighbours in the tables above. */
static int opposite(int direction)
{
    return direction == 0 ? 0 : ((direction - 1) ^ 1) + 1;
}

/* Distance in a plane from a cell to the one its population `direction` goes to. */
static ptrdiff_t shift(const struct lattice *l, int direction)
{
    return direction_y[direction] * (ptrdiff_t)l->stride + direction_x[direction];
}

/* Equilibrium of a population at rest density, in the inflow. */
static double inflow_population(const struct lattice *l, int direction)
{
    const double along = direction_x[direction] * l->inflow;
    return weight[direction] * (1 + 3 * along + 4.5 * along * along - 1.5 * l->inflow * l->inflow);
}

static void list_places(struct lattice *l, const struct block *b, const unsigned char *solid)
{
    const size_t cells = (size_t)l->width * (size_t)l->height;
    l->solid = allocate(cells, sizeof *l->solid);
    l->held = allocate(cells, sizeof *l->held);
    l->outlet = allocate((size_t)l->height, sizeof *l->outlet);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            const int cx = b->x + x, cy = b->y + y;
            const bool stream = cx == 0 || cy == 0 || cy == b->channel_height - 1;
            const size_t place = lattice_place(l, x, y);
            if (solid[(size_t)cy * (size_t)b->channel_width + (size_t)cx])
                l->solid[l->solids++] = place;
            else if (stream)
                l->held[l->helds++] = place;
            else if (cx == b->channel_width - 1)
                l->outlet[l->outlets++] = place;
        }
}

void lattice_open(struct lattice *l, const struct block *b, const unsigned char *solid,
                  const struct parameters *p)
{
    *l = (struct lattice){.width = b->width, .height = b->height, .inflow = p->velocity};
    l->stride = (size_t)b->width + 2;
    l->plane = l->stride * ((size_t)b->height + 2);
    l->now = allocate(DIRECTIONS * l->plane, sizeof(double));
    l->next = allocate(DIRECTIONS * l->plane, sizeof(double));
    /* The product of the two relaxation times (less a half) is a quarter, which is the stablest choice. */
    const double even_time = 3 * parameters_viscosity(p), odd_time = 0.25 / even_time;
    l->even = 1 / (even_time + 0.5);
    l->odd = 1 / (odd_time + 0.5);
    for (int i = 0; i < DIRECTIONS; i++)
        for (size_t place = 0; place < l->plane; place++)
            l->now[(size_t)i * l->plane + place] = l->next[(size_t)i * l->plane + place] =
                inflow_population(l, i);
    list_places(l, b, solid);
}

void lattice_close(struct lattice *l)
{
    free(l->now);
    free(l->next);
    free(l->solid);
    free(l->held);
    free(l->outlet);
}

/* Moves and relaxes `count` cells of a row from `place` on. Each pulls the populations that arrive. */
static void step_row(const struct lattice *l, const double *restrict from, double *restrict to, size_t place,
                     size_t count)
{
    const size_t plane = l->plane;
    const double even = l->even, odd = l->odd;
    ptrdiff_t source[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++)
        source[i] = (ptrdiff_t)((size_t)i * plane) - shift(l, i);
#pragma omp simd
    for (size_t at = place; at < place + count; at++) {
        double f[DIRECTIONS];
        for (int i = 0; i < DIRECTIONS; i++)
            f[i] = from[(ptrdiff_t)at + source[i]];
        const double density = f[0] + ((f[1] + f[2]) + (f[3] + f[4])) + ((f[5] + f[6]) + (f[7] + f[8]));
        const double x = ((f[1] - f[2]) + (f[5] - f[6]) + (f[7] - f[8])) / density;
        const double y = ((f[3] - f[4]) + (f[5] - f[6]) - (f[7] - f[8])) / density;
        const double rest = 1 - 1.5 * (x * x + y * y);
        to[at] = f[0] - even * (f[0] - weight[0] * density * rest);
        for (int i = 1; i < DIRECTIONS; i += 2) {
            const double along = direction_x[i] * x + direction_y[i] * y, mass = weight[i] * density;
            const double alike = even * (0.5 * (f[i] + f[i + 1]) - mass * (rest + 4.5 * along * along));
            const double unlike = odd * (0.5 * (f[i] - f[i + 1]) - mass * 3 * along);
            to[at + (size_t)i * plane] = f[i] - alike - unlike;
            to[at + (size_t)(i + 1) * plane] = f[i + 1] - alike + unlike;
        }
    }
}

static void step_rectangle(struct lattice *l, int x, int y, int width, int height)
{
    for (int row = y; row < y + height; row++)
        step_row(l, l->now, l->next, lattice_place(l, x, row), (size_t)width);
}

void lattice_step_inside(struct lattice *l)
{
    step_rectangle(l, 1, 1, l->width - 2, l->height - 2);
}

void lattice_step_border(struct lattice *l)
{
    step_rectangle(l, 0, 0, l->width, 1);
    step_rectangle(l, 0, l->height - 1, l->width, 1);
    step_rectangle(l, 0, 1, 1, l->height - 2);
    step_rectangle(l, l->width - 1, 1, 1, l->height - 2);
}

/* Solid cells send back what arrives; the edges hold the inflow; the outlet continues what is before it. */
void lattice_step_edges(struct lattice *l)
{
    for (int i = 0; i < DIRECTIONS; i++) {
        const double *from = l->now + (size_t)opposite(i) * l->plane - shift(l, opposite(i));
        double *to = l->next + (size_t)i * l->plane;
        const double inflow = inflow_population(l, i);
        for (size_t k = 0; k < l->solids; k++)
            to[l->solid[k]] = from[l->solid[k]];
        for (size_t k = 0; k < l->helds; k++)
            to[l->held[k]] = inflow;
        for (size_t k = 0; k < l->outlets; k++)
            to[l->outlet[k]] = to[l->outlet[k] - 1];
    }
    double *const next = l->next;
    l->next = l->now;
    l->now = next;
}

struct cell lattice_cell(const struct lattice *l, int x, int y)
{
    double f[DIRECTIONS], density = 0, momentum_x = 0, momentum_y = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        f[i] = l->now[(size_t)i * l->plane + lattice_place(l, x, y)];
        density += f[i];
        momentum_x += direction_x[i] * f[i];
        momentum_y += direction_y[i] * f[i];
    }
    return (struct cell){density, momentum_x / density, momentum_y / density};
}
