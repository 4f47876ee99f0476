/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/totals.h"

#include <math.h>

#include "examples/common/fixed.h"
#include "examples/flow/survive.h"

/* All words of 64 bits, which one reduction adds up. */
struct sums {
    struct fixed_sum mass, change, motion;
    int64_t lost;
};
#define WORDS (sizeof(struct sums) / sizeof(int64_t))

static void add_cell(struct sums *sums, struct cell cell, double last[2])
{
    const bool sound = fabs(cell.density - 1) < 1 && fabs(cell.velocity_x) < 1 && fabs(cell.velocity_y) < 1;
    if (!sound) {
        sums->lost++;
        return;
    }
    fixed_sum_add(&sums->mass, cell.density);
    fixed_sum_add(&sums->change, fabs(cell.velocity_x - last[0]) + fabs(cell.velocity_y - last[1]));
    fixed_sum_add(&sums->motion, fabs(cell.velocity_x) + fabs(cell.velocity_y));
    last[0] = cell.velocity_x;
    last[1] = cell.velocity_y;
}

struct totals totals_measure(tutti_comm *world, const struct block *b, const struct lattice *l, double *last)
{
    struct sums mine = {.lost = 0}, all = {.lost = 0};
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++, last += 2)
            add_cell(&mine, lattice_cell(l, x, y), last);
    BEAR(tutti_allreduce(world, &mine, &all, WORDS, TUTTI_INT64, TUTTI_SUM));
    const double cells = (double)b->channel_width * b->channel_height;
    const double motion = fixed_sum_value(all.motion);
    return (struct totals){
        .mass = fixed_sum_value(all.mass) / cells,
        .residual = motion > 0 ? fixed_sum_value(all.change) / motion : 0,
        .lost = all.lost,
    };
}
