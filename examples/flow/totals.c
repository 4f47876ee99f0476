/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/totals.h"

#include <math.h>

#include "examples/common/fixed.h"
#include "examples/flow/survive.h"

enum { MASS, CHANGE, MOTION, LOST, SUMS };

static void add_cell(int64_t sums[SUMS], struct cell cell, double last[2])
{
    const bool sound = fabs(cell.density - 1) < 1 && fabs(cell.velocity_x) < 1 && fabs(cell.velocity_y) < 1;
    if (!sound) {
        sums[LOST]++;
        return;
    }
    sums[MASS] += fixed(cell.density);
    sums[CHANGE] += fixed(fabs(cell.velocity_x - last[0]) + fabs(cell.velocity_y - last[1]));
    sums[MOTION] += fixed(fabs(cell.velocity_x) + fabs(cell.velocity_y));
    last[0] = cell.velocity_x;
    last[1] = cell.velocity_y;
}

struct totals totals_measure(tutti_comm *world, const struct block *b, const struct lattice *l, double *last)
{
    int64_t mine[SUMS] = {0}, all[SUMS] = {0};
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++, last += 2)
            add_cell(mine, lattice_cell(l, x, y), last);
    BEAR(tutti_allreduce(world, mine, all, SUMS, TUTTI_INT64, TUTTI_SUM));
    const double cells = (double)b->channel_width * b->channel_height;
    return (struct totals){
        .mass = unfixed(all[MASS]) / cells,
        .residual = all[MOTION] > 0 ? (double)all[CHANGE] / (double)all[MOTION] : 0,
        .lost = all[LOST],
    };
}
