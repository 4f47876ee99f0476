/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/rescue.h"

#include <stdlib.h>

#include "examples/common/mishap.h"
#include "examples/flow/survive.h"

#define NAME "flow"
/* Of each cell: its populations, and the velocity that the next residual is measured against. */
#define CELL (DIRECTIONS + 2)
/* A piece begins with its step. */
#define HEAD 1

static void pack_cell(double *cell, const struct lattice *l, const double *last, int x, int y)
{
    for (int i = 0; i < DIRECTIONS; i++)
        cell[i] = l->now[(size_t)i * l->plane + lattice_place(l, x, y)];
    for (int i = 0; i < 2; i++)
        cell[DIRECTIONS + i] = last[2 * ((size_t)y * (size_t)l->width + (size_t)x) + (size_t)i];
}

static void unpack_cell(const double *cell, struct lattice *l, double *last, int x, int y)
{
    for (int i = 0; i < DIRECTIONS; i++)
        l->now[(size_t)i * l->plane + lattice_place(l, x, y)] = cell[i];
    for (int i = 0; i < 2; i++)
        last[2 * ((size_t)y * (size_t)l->width + (size_t)x) + (size_t)i] = cell[DIRECTIONS + i];
}

static double *cell_at(double *state, const struct block *b, int x, int y)
{
    return state + HEAD + ((size_t)y * (size_t)b->width + (size_t)x) * CELL;
}

static size_t state_bytes(const struct block *b)
{
    return (HEAD + (size_t)b->width * (size_t)b->height * CELL) * sizeof(double);
}

void rescue_keep(tutti_comm *comm, const struct block *b, const struct lattice *l, const double *last,
                 int step)
{
    double *state = allocate(state_bytes(b), 1);
    state[0] = step;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            pack_cell(cell_at(state, b, x, y), l, last, x, y);
    BEAR(tutti_keep(comm, NAME, state, state_bytes(b)));
    free(state);
}

/* Puts what a piece and a block of now have in common, row by row. */
static void hand_over(tutti_window *window, int target, const struct block *to, const tutti_kept *piece)
{
    struct block from;
    if (!block_divide(to->channel_width, to->channel_height, piece->rank, piece->of, &from)) return;
    const int begin = from.x > to->x ? from.x : to->x;
    const int from_end = from.x + from.width, to_end = to->x + to->width;
    const int end = from_end < to_end ? from_end : to_end;
    for (int y = from.y; y < from.y + from.height && begin < end; y++) {
        if (y < to->y || y >= to->y + to->height) continue;
        const double *row = cell_at((double *)piece->data, &from, begin - from.x, y - from.y);
        const size_t place =
            HEAD + ((size_t)(y - to->y) * (size_t)to->width + (size_t)(begin - to->x)) * CELL;
        BEAR(tutti_put(window, row, (size_t)(end - begin) * CELL * sizeof *row, target, place * sizeof *row,
                       NULL));
    }
}

static void hand_out(tutti_comm *comm, const struct block *b, double *state, const tutti_kept *pieces,
                     int count)
{
    tutti_window *window = NULL;
    BEAR(tutti_window_create(comm, state, state_bytes(b), &window));
    if (window == NULL) return;
    for (int r = 0; r < tutti_comm_size(comm); r++) {
        struct block to;
        if (!block_divide(b->channel_width, b->channel_height, r, tutti_comm_size(comm), &to)) continue;
        for (int i = 0; i < count; i++)
            hand_over(window, r, &to, &pieces[i]);
    }
    BEAR(tutti_window_free(&window)); /* completes all puts, of every rank */
}

/* Which step was kept, as those know it that have a piece. */
static int find_step(tutti_comm *comm, const tutti_kept *pieces, int count)
{
    int32_t step = 0, mine = count > 0 ? (int32_t) * (const double *)pieces[0].data : 0;
    BEAR(tutti_allreduce(comm, &mine, &step, 1, TUTTI_INT32, TUTTI_MAX));
    return step;
}

/* Nobody has kept anything yet, or all who did have died: the simulation begins anew. */
static int is_nothing_left(tutti_comm *comm, int code, int count)
{
    int32_t mine = count, most = 0;
    if (code == TUTTI_ERR_STATE) return 1;
    if (code != TUTTI_ERR_LOST) return 0;
    BEAR(tutti_allreduce(comm, &mine, &most, 1, TUTTI_INT32, TUTTI_MAX));
    return most == 0;
}

int rescue_recall(tutti_comm *comm, const struct block *b, struct lattice *l, double *last)
{
    tutti_kept
        pieces[2]; /* the rank's own, and that of a dead one whose buddy it is; a newcomer may have none */
    int count = 0;
    const int code = tutti_recall(comm, NAME, pieces, 2, &count);
    if (is_nothing_left(comm, code, count)) return 0;
    BEAR(code);
    if (code != 0) return 0;
    const int step = find_step(comm, pieces, count);
    double *state = allocate(state_bytes(b), 1);
    hand_out(comm, b, state, pieces, count);
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            unpack_cell(cell_at(state, b, x, y), l, last, x, y);
    free(state);
    return step;
}
