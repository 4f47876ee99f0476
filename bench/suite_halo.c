/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchange of borders in a simulation: the ranks are a grid, wrapped around at its edges, and each swaps
 * one message with each of its four neighbours.
 *
 *     8 ranks, 2 x 4:   0 1 2 3     rank 1: west 0, east 2, north 5, south 5 (two messages each way:
 *                       4 5 6 7     the tag is the way they travel)
 */
#include "bench/pattern.h"
#include "bench/suite.h"

enum { NORTH, SOUTH, WEST, EAST, WAYS = BENCH_WAYS, TAG_HALO = 16 };

int bench_halo_opposite(int way)
{
    return way ^ 1;
}

/* The most square grid that all ranks fill: rows is the largest divisor up to the root. */
int bench_halo_rows(int ranks)
{
    int rows = 1;
    for (int r = 1; r * r <= ranks; r++)
        if (ranks % r == 0) rows = r;
    return rows;
}

int bench_halo_neighbour(int rank, int ranks, int way)
{
    int rows = bench_halo_rows(ranks), columns = ranks / rows;
    int row = rank / columns, column = rank % columns;
    if (way == NORTH) row = (row + rows - 1) % rows;
    if (way == SOUTH) row = (row + 1) % rows;
    if (way == WEST) column = (column + columns - 1) % columns;
    if (way == EAST) column = (column + 1) % columns;
    return row * columns + column;
}

static int neighbour(int way)
{
    return bench_halo_neighbour(port_rank(), port_size(), way);
}

size_t bench_halo_bytes(size_t bytes, int window)
{
    (void)window;
    return WAYS * bytes;
}

static char *part(void *buf, const bench_case *c, int way)
{
    return (char *)buf + (size_t)way * c->bytes;
}

static int pattern_of(const bench_case *c, int way)
{
    return WAYS * c->pattern + way;
}

static void open_persistent(bench_case *c)
{
    for (int way = 0; way < WAYS; way++) {
        port_recv_init(c->slots, way, part(c->recv, c, way), c->bytes, neighbour(way),
                       TAG_HALO + bench_halo_opposite(way));
        port_send_init(c->slots, WAYS + way, part(c->send, c, way), c->bytes, neighbour(way), TAG_HALO + way);
    }
}

static void open_halo(bench_case *c)
{
    for (int way = 0; way < WAYS; way++) {
        bench_fill_bytes(part(c->send, c, way), c->bytes, port_rank(), pattern_of(c, way));
        c->neighbours[way] = neighbour(way);
    }
    c->slots = port_slots_open(2 * WAYS);
    if (c->form == PORT_PERSISTENT) open_persistent(c);
}

static void close_halo(bench_case *c)
{
    for (int slot = 0; c->form == PORT_PERSISTENT && slot < 2 * WAYS; slot++)
        port_release(c->slots, slot);
    port_slots_close(c->slots);
}

static void post_all(bench_case *c)
{
    for (int way = 0; way < WAYS; way++)
        port_irecv(c->slots, way, part(c->recv, c, way), c->bytes, c->neighbours[way],
                   TAG_HALO + bench_halo_opposite(way));
    for (int way = 0; way < WAYS; way++)
        port_isend(c->slots, WAYS + way, part(c->send, c, way), c->bytes, c->neighbours[way], TAG_HALO + way);
}

/* What goes to one side comes from the other. */
static void shift_all(bench_case *c)
{
    for (int way = 0; way < WAYS; way++) {
        int from = bench_halo_opposite(way);
        port_sendrecv(part(c->send, c, way), c->neighbours[way], part(c->recv, c, from), c->neighbours[from],
                      c->bytes, TAG_HALO + way);
    }
}

static void run_halo(bench_case *c)
{
    if (c->form == PORT_BLOCKING) {
        shift_all(c);
        return;
    }
    if (c->form == PORT_PERSISTENT)
        port_startall(c->slots, 2 * WAYS);
    else
        post_all(c);
    port_waitall(c->slots, 2 * WAYS);
}

static bool check_halo(bench_case *c, bench_fault *fault)
{
    for (int way = 0; way < WAYS; way++)
        if (!bench_holds_part(c, c->recv, way, c->neighbours[way], pattern_of(c, bench_halo_opposite(way)),
                              fault))
            return false;
    return true;
}

const bench_test bench_halo = {
    .name = "halo",
    .help = "each rank of a wrapped 2-D grid swaps a message with each of its 4 neighbours",
    .measure = BENCH_LATENCY,
    .actors = BENCH_NEIGHBOURS,
    .sized = true,
    .collective = true,
    .usual = PORT_NONBLOCKING,
    .send_bytes = bench_halo_bytes,
    .recv_bytes = bench_halo_bytes,
    .open = open_halo,
    .run = run_halo,
    .check = check_halo,
    .close = close_halo,
};
