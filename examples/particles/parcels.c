/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/parcels.h"

#include <stdlib.h>
#include <string.h>

#include "examples/common/mishap.h"

void parcels_open(struct parcels *p, tutti_comm *world, const struct strips *strips)
{
    *p = (struct parcels){.world = world, .strips = strips};
    p->send_counts = allocate((size_t)strips->size, sizeof *p->send_counts);
    p->send_offsets = allocate((size_t)strips->size, sizeof *p->send_offsets);
    p->recv_counts = allocate((size_t)strips->size, sizeof *p->recv_counts);
}

void parcels_close(struct parcels *p)
{
    swarm_close(&p->unsorted);
    swarm_close(&p->sorted);
    free(p->receivers);
    free(p->send_counts);
    free(p->send_offsets);
    free(p->recv_counts);
}

static void add(struct parcels *p, struct particle particle, int receiver)
{
    if (p->unsorted.count == p->receivers_room) {
        p->receivers_room = 2 * p->receivers_room + 64;
        p->receivers = realloc(p->receivers, p->receivers_room * sizeof *p->receivers);
        if (p->receivers == NULL) stop("realloc", TUTTI_ERR_NO_MEMORY);
    }
    p->receivers[p->unsorted.count] = receiver;
    p->send_counts[receiver]++;
    swarm_add(&p->unsorted, particle);
}

/* Puts together what goes to the same rank. */
static void sort(struct parcels *p)
{
    const size_t count = p->unsorted.count;
    size_t offset = 0;
    for (int q = 0; q < p->strips->size; offset += p->send_counts[q++])
        p->send_offsets[q] = offset;
    p->sorted.count = 0;
    struct particle *const to = swarm_grow(&p->sorted, count);
    for (size_t i = 0; i < count; i++)
        to[p->send_offsets[p->receivers[i]]++] = p->unsorted.at[i];
    p->unsorted.count = 0;
}

/* Sends what was added, and appends what comes. */
static void deliver(struct parcels *p, struct swarm *into)
{
    const size_t table = (size_t)p->strips->size * sizeof *p->send_counts;
    size_t arriving = 0;
    sort(p);
    CHECK(tutti_alltoall(p->world, p->send_counts, p->recv_counts, sizeof *p->send_counts));
    for (int q = 0; q < p->strips->size; q++)
        arriving += p->recv_counts[q];
    CHECK(tutti_alltoallv(p->world, p->sorted.at, p->send_counts, NULL, swarm_grow(into, arriving),
                          p->recv_counts, NULL, TUTTI_TYPE_BYTES(sizeof(struct particle))));
    into->count += arriving;
    memset(p->send_counts, 0, table);
}

void parcels_move(struct parcels *p, struct swarm *s)
{
    size_t stay = 0;
    for (size_t i = 0; i < s->own; i++) {
        const int owner = strips_owner(p->strips, strips_cell(p->strips, s->at[i].y));
        if (owner == p->strips->rank)
            s->at[stay++] = s->at[i];
        else
            add(p, s->at[i], owner);
    }
    s->count = stay;
    deliver(p, s);
    s->own = s->count;
}

void parcels_copy(struct parcels *p, struct swarm *s)
{
    const struct strips *strips = p->strips;
    for (size_t i = 0; i < s->own; i++) {
        const int row = strips_cell(strips, s->at[i].y);
        const int above = strips_owner(strips, strips_wrap(strips, row - 1));
        const int below = strips_owner(strips, strips_wrap(strips, row + 1));
        if (above != strips->rank) add(p, s->at[i], above);
        if (below != strips->rank && below != above) add(p, s->at[i], below);
    }
    deliver(p, s);
}
