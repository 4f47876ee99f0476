/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/census.h"

#include <stdlib.h>

#include "examples/common/checksum.h"
#include "examples/common/fixed.h"
#include "examples/common/image.h"
#include "examples/common/mishap.h"

#define CELL_PIXELS 4 /* of a cell's side */

/* What a rank adds to the sums over all. All words of 64 bits, and but for the energy they wrap around, as
 * unsigned numbers do: such a sum is right if it is within, in whatever order. */
struct share {
    uint64_t count, numbers, checksum;
    struct fixed_sum energy;
};
#define WORDS (sizeof(struct share) / sizeof(uint64_t))

struct census census_take(tutti_comm *world, const struct motion *m)
{
    struct share mine = {.count = m->swarm.own}, all;
    for (size_t i = 0; i < m->swarm.own; i++) {
        const struct particle *p = &m->swarm.at[i];
        const double moving = (p->speed_x * p->speed_x + p->speed_y * p->speed_y) / 2;
        mine.numbers += (uint64_t)p->number;
        fixed_sum_add(&mine.energy, moving + m->forces.at[i].energy);
        mine.checksum += checksum(p, sizeof *p);
    }
    CHECK(tutti_allreduce(world, &mine, &all, WORDS, TUTTI_UINT64, TUTTI_SUM));
    return (struct census){
        .count = (int64_t)all.count,
        .numbers = (int64_t)all.numbers,
        .energy = all.count > 0 ? fixed_sum_value(all.energy) / (double)all.count : 0,
        .checksum = all.checksum,
    };
}

/* Sum of the speeds to the right in each pixel, in fixed point. */
static int64_t *draw(const struct motion *m, int width)
{
    int64_t *pixels = allocate((size_t)width * (size_t)width, sizeof *pixels);
    for (size_t i = 0; i < m->swarm.own; i++) {
        const struct particle *p = &m->swarm.at[i];
        const size_t x = (size_t)(p->x * CELL_PIXELS), y = (size_t)(p->y * CELL_PIXELS);
        pixels[y * (size_t)width + x] += fixed(p->speed_x);
    }
    return pixels;
}

static bool paint(const struct choices *c, const int64_t *sums, int width)
{
    const size_t count = (size_t)width * (size_t)width;
    const double fast = c->speed > 0 ? 2 * c->speed : 1;
    struct colour *pixels = allocate(count, sizeof *pixels);
    struct shades shades;
    shades_mix(&shades);
    for (size_t i = 0; i < count; i++)
        pixels[i] = shades_colour(&shades, unfixed(sums[i]) / fast);
    const bool written = image_write(c->output, width, width, pixels);
    free(pixels);
    return written;
}

bool census_paint(tutti_comm *world, const struct motion *m)
{
    const int width = m->strips.side * CELL_PIXELS;
    const bool is_root = m->strips.rank == 0;
    int64_t *pixels = draw(m, width);
    CHECK(tutti_reduce(world, is_root ? TUTTI_IN_PLACE : pixels, pixels, (size_t)width * (size_t)width,
                       TUTTI_INT64, TUTTI_SUM, 0));
    const bool good = !is_root || paint(m->choices, pixels, width);
    free(pixels);
    return good;
}
