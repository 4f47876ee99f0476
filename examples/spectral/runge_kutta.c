/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/runge_kutta.h"

#include <math.h>
#include <stdlib.h>

#include "examples/common/mishap.h"

/* The method is stable for decay at a rate of up to 2.78 a step. */
#define DECAY_MOST 2.5

void runge_kutta_open(struct runge_kutta *m, tutti_comm *world, const struct slabs *s,
                      const struct settings *settings)
{
    *m = (struct runge_kutta){.world = world, .settings = settings};
    m->count = (size_t)s->columns * (size_t)s->grid;
    equation_open(&m->equation, world, s, settings->viscosity);
    m->vorticity = allocate(m->count, sizeof *m->vorticity);
    m->stage = allocate(m->count, sizeof *m->stage);
    m->rate = allocate(m->count, sizeof *m->rate);
    m->sum = allocate(m->count, sizeof *m->sum);
}

void runge_kutta_close(struct runge_kutta *m)
{
    equation_close(&m->equation);
    free(m->vorticity);
    free(m->stage);
    free(m->rate);
    free(m->sum);
}

/* The largest of numbers is exact, in whatever order they are compared: so is the length of a step. */
static double step_length(const struct runge_kutta *m)
{
    const struct slabs *s = m->equation.slabs;
    const double cell = 2 * M_PI / s->grid, highest_squared = 2.0 * s->highest * s->highest;
    double fastest;
    CHECK(tutti_allreduce(m->world, &m->equation.fastest, &fastest, 1, TUTTI_DOUBLE, TUTTI_MAX));
    double length = m->settings->courant * cell / fmax(fastest, 1e-3);
    if (m->settings->viscosity > 0)
        length = fmin(length, DECAY_MOST / (m->settings->viscosity * highest_squared));
    return length;
}

void runge_kutta_step(struct runge_kutta *m)
{
    static const double weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, next[] = {0.5, 0.5, 1};
    double length = 0;
    for (int i = 0; i < 4; i++) {
        equation_rate(&m->equation, i == 0 ? m->vorticity : m->stage, m->rate);
        if (i == 0) length = step_length(m);
        for (size_t j = 0; j < m->count; j++) {
            m->sum[j] = (i == 0 ? m->vorticity[j] : m->sum[j]) + length * weights[i] * m->rate[j];
            if (i < 3) m->stage[j] = m->vorticity[j] + length * next[i] * m->rate[j];
        }
    }
    double complex *const swap = m->vorticity;
    m->vorticity = m->sum;
    m->sum = swap;
    m->time += length;
}
