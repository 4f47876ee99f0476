/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/halo.h"

#include <stdlib.h>

#include "examples/common/mishap.h"
#include "examples/flow/survive.h"

/* True if a population that moves in `direction` enters the block that lies `dx`, `dy` away. */
static bool enters(int direction, int dx, int dy)
{
    return (dx == 0 || direction_x[direction] == dx) && (dy == 0 || direction_y[direction] == dy);
}

/* Where along one axis the cells begin that face the neighbour `d` away: those of the border (`rim` 0) or
 * those of the rim beyond it (1). */
static int first(int d, int side, int rim)
{
    return d > 0 ? side - 1 + rim : d < 0 ? -rim : 0;
}

/* Lists what goes to the neighbour (rim 0) or comes from it (rim 1), in the same order on both sides. */
static void message_open(struct message *m, const struct lattice *l, int dx, int dy, int rim)
{
    const int width = dx == 0 ? l->width : 1, height = dy == 0 ? l->height : 1;
    const int x0 = first(dx, l->width, rim), y0 = first(dy, l->height, rim);
    const size_t most = 3 * (size_t)width * (size_t)height;
    m->places = allocate(most, sizeof *m->places);
    m->doubles = allocate(most, sizeof *m->doubles);
    for (int i = 1; i < DIRECTIONS; i++)
        for (int y = y0; enters(i, rim ? -dx : dx, rim ? -dy : dy) && y < y0 + height; y++)
            for (int x = x0; x < x0 + width; x++)
                m->places[m->count++] = (size_t)i * l->plane + lattice_place(l, x, y);
}

static void message_close(struct message *m)
{
    free(m->places);
    free(m->doubles);
}

void halo_open(struct halo *h, tutti_comm *world, const struct block *b, const struct lattice *l)
{
    *h = (struct halo){0};
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int dx = direction_x[k + 1], dy = direction_y[k + 1], opposite = k ^ 1;
        const int peer = block_neighbour(b, dx, dy);
        struct message *out = &h->out[k], *in = &h->in[k];
        if (peer != TUTTI_PROC_NULL) {
            message_open(out, l, dx, dy, 0);
            message_open(in, l, dx, dy, 1);
        }
        CHECK(
            tutti_recv_init(world, in->doubles, in->count * sizeof(double), peer, opposite, &h->requests[k]));
        CHECK(tutti_send_init(world, out->doubles, out->count * sizeof(double), peer, k,
                              &h->requests[NEIGHBOURS + k]));
    }
}

void halo_close(struct halo *h)
{
    for (int i = 0; i < 2 * NEIGHBOURS; i++)
        CHECK(tutti_request_free(&h->requests[i]));
    for (int k = 0; k < NEIGHBOURS; k++) {
        message_close(&h->out[k]);
        message_close(&h->in[k]);
    }
}

void halo_start(struct halo *h, const struct lattice *l)
{
    for (int k = 0; k < NEIGHBOURS; k++)
        for (size_t i = 0; i < h->out[k].count; i++)
            h->out[k].doubles[i] = l->now[h->out[k].places[i]];
    for (int i = 0; i < 2 * NEIGHBOURS; i++) /* one by one: where a neighbour is dead the others get theirs */
        BEAR(tutti_start(h->requests[i]));
}

void halo_finish(struct halo *h, struct lattice *l)
{
    for (int i = 0; i < 2 * NEIGHBOURS; i++)
        BEAR(tutti_wait(&h->requests[i], NULL));
    for (int k = 0; k < NEIGHBOURS; k++)
        for (size_t i = 0; i < h->in[k].count; i++)
            l->now[h->in[k].places[i]] = h->in[k].doubles[i];
}
