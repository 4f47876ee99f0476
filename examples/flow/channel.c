/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/channel.h"

#include <stdlib.h>

#include "examples/common/mishap.h"
#include "examples/flow/survive.h"

struct cell *gather_channel(tutti_comm *world, const struct block *b, const struct lattice *l)
{
    const size_t cells = (size_t)b->channel_width * (size_t)b->channel_height;
    const size_t bytes = tutti_comm_rank(world) == 0 ? cells * sizeof(struct cell) : 0;
    void *channel = NULL;
    tutti_window *window = NULL;
    if (bytes > 0) CHECK(tutti_mem_alloc(world, bytes, &channel));
    BEAR(tutti_window_create(world, channel, bytes, &window));

    struct cell *line = allocate((size_t)b->width, sizeof *line);
    for (int y = 0; y < b->height && window != NULL; y++) {
        for (int x = 0; x < b->width; x++)
            line[x] = lattice_cell(l, x, y);
        const size_t place = (size_t)(b->y + y) * (size_t)b->channel_width + (size_t)b->x;
        BEAR(tutti_put(window, line, (size_t)b->width * sizeof *line, 0, place * sizeof *line, NULL));
    }
    free(line);
    if (window != NULL) BEAR(tutti_window_free(&window)); /* completes all puts, of every rank */
    return channel;
}
