/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the collectives, each in its three forms: all follow from their rows. */
#include "bench/pattern.h"
#include "bench/suite.h"

enum what { NOTHING, BYTES, ELEMENTS };
enum whom { EACH, ROOT, BESIDE };
enum which { WHOLE, SHARE, UP_TO, BELOW, WHOLE_BY_TABLE, SHARE_BY_TABLE };

typedef struct {
    enum what what;
    enum whom from, to;
    enum which which;
} row;

static const row rows[PORT_KINDS] = {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, ...) [PORT_##NAME] = {what, from, to, which},
#include "bench/collectives_measured.h"
#undef COLLECTIVE
};

static bool of_shares(enum which which)
{
    return which == SHARE || which == SHARE_BY_TABLE;
}

static bool by_table(enum which which)
{
    return which == WHOLE_BY_TABLE || which == SHARE_BY_TABLE;
}

static size_t nothing(size_t bytes, int window)
{
    (void)bytes;
    (void)window;
    return 0;
}

static bool is_beside(const bench_case *c)
{
    return rows[c->call.kind].from == BESIDE;
}

/* Parts of a table, or of a contribution: one for each rank, or way. */
static int parts_of(const bench_case *c)
{
    return is_beside(c) ? BENCH_WAYS : port_size();
}

/* Tells the part that `from` has for `to`, a rank or a way, from all others; where there is one for all, it
 * is `from`'s. */
static int sender_of(const bench_case *c, int from, int to)
{
    return of_shares(rows[c->call.kind].which) ? from * parts_of(c) + to : from;
}

static void fill_shares(const bench_case *c)
{
    for (int to = 0; to < parts_of(c); to++)
        bench_fill_bytes((char *)c->send + (size_t)to * c->bytes, c->bytes, sender_of(c, port_rank(), to),
                         c->pattern);
}

static void open_call(bench_case *c, enum port_kind kind)
{
    const bool combines = rows[kind].what == ELEMENTS;
    const size_t count = combines ? c->bytes / bench_type_bytes(c->type) : c->bytes;
    c->call = (port_call){kind, c->send, c->recv, count, c->type, c->op, c->root, NULL};
    if (by_table(rows[kind].which)) c->call.parts = c->parts = port_parts_open(parts_of(c), count);
    if (is_beside(c)) port_grid_open(bench_halo_rows(port_size()));
    c->slots = port_slots_open(1);
    if (c->form == PORT_PERSISTENT) port_collective_init(&c->call, c->slots, 0);
    const bool shares = of_shares(rows[kind].which);
    if (combines)
        bench_fill_elements(c->send, count * (shares ? (size_t)port_size() : 1), c->type, c->op, port_rank());
    else if (shares)
        fill_shares(c);
}

static void finish(bench_case *c)
{
    if (c->form == PORT_PERSISTENT) port_release(c->slots, 0);
    port_slots_close(c->slots);
    port_parts_close(c->parts);
    c->parts = NULL;
}

static void run(bench_case *c)
{
    if (c->form == PORT_BLOCKING) {
        port_collective(&c->call);
        return;
    }
    if (c->form == PORT_NONBLOCKING)
        port_icollective(&c->call, c->slots, 0);
    else
        port_start(c->slots, 0);
    port_waitall(c->slots, 1);
}

static void fill_root(bench_case *c)
{
    if (port_rank() == c->root) bench_fill_bytes(c->recv, c->bytes, c->root, c->pattern);
}

/* The bytes of rank `from` for `to` must be at part `index` of recv. */
static bool check_part(const bench_case *c, int from, int to, int index, bench_fault *fault)
{
    return bench_holds_part(c, c->recv, index, sender_of(c, from, to), c->pattern, fault);
}

static bool check_elements(const bench_case *c, bench_fault *fault)
{
    const enum which which = rows[c->call.kind].which;
    bench_combination of = {c->type, c->op, port_size(), 0};
    if (which == UP_TO) of.ranks = port_rank() + 1;
    if (which == BELOW) of.ranks = port_rank();
    if (of_shares(which)) of.first = c->call.count * (size_t)port_rank();
    if (of.ranks == 0) return true;
    return bench_holds_elements(c->recv, c->call.count, &of, fault);
}

/* What went one way came from the other. */
static bool check_ways(const bench_case *c, bench_fault *fault)
{
    for (int way = 0; way < BENCH_WAYS; way++)
        if (!check_part(c, bench_halo_neighbour(port_rank(), port_size(), way), bench_halo_opposite(way), way,
                        fault))
            return false;
    return true;
}

static bool check(bench_case *c, bench_fault *fault)
{
    const row *r = &rows[c->call.kind];
    if (r->to == ROOT && port_rank() != c->root) return true;
    if (r->what == ELEMENTS) return check_elements(c, fault);
    if (r->from == BESIDE) return check_ways(c, fault);
    if (r->from == ROOT) return check_part(c, c->root, port_rank(), 0, fault);
    for (int rank = 0; rank < port_size(); rank++)
        if (!check_part(c, rank, port_rank(), rank, fault)) return false;
    return true;
}

/* Each byte must enter or leave every rank but the root once. */
static double once(size_t bytes, int ranks)
{
    return ranks > 1 ? (double)bytes : 0;
}

/* A reduction over all: every rank must send and receive its share of the others', twice over. */
static double twice_shared(size_t bytes, int ranks)
{
    return 2.0 * (double)bytes * (ranks - 1) / ranks;
}

static double of_others(size_t bytes, int ranks)
{
    return (double)bytes * (ranks - 1);
}

static double of_neighbours(size_t bytes, int ranks)
{
    return ranks > 1 ? BENCH_WAYS * (double)bytes : 0;
}

#define SEND_BYTES(from, which)                                                                              \
    ((which) == SHARE || (which) == SHARE_BY_TABLE                                                           \
         ? ((from) == BESIDE ? bench_halo_bytes : bench_bytes_of_all)                                        \
     : (from) == ROOT ? nothing                                                                              \
                      : NULL)
#define RECV_BYTES(what, from)                                                                               \
    ((from) == BESIDE ? bench_halo_bytes : (what) == BYTES && (from) == EACH ? bench_bytes_of_all : NULL)

#define COLLECTIVE(NAME, name_, Name, what, from, to, which, bus, help_, tutti, mpi)                         \
    static void open_##name_(bench_case *c)                                                                  \
    {                                                                                                        \
        open_call(c, PORT_##NAME);                                                                           \
    }                                                                                                        \
    const bench_test bench_##name_ = {                                                                       \
        .name = #name_,                                                                                      \
        .help = help_,                                                                                       \
        .measure = BENCH_LATENCY,                                                                            \
        .actors = from == BESIDE ? BENCH_NEIGHBOURS : BENCH_ALL,                                             \
        .sized = what != NOTHING,                                                                            \
        .collective = true,                                                                                  \
        .reduces = what == ELEMENTS,                                                                         \
        .rooted = from == ROOT || to == ROOT,                                                                \
        .send_bytes = SEND_BYTES(from, which),                                                               \
        .recv_bytes = RECV_BYTES(what, from),                                                                \
        .open = open_##name_,                                                                                \
        .fill = from == ROOT && which == WHOLE ? fill_root : NULL,                                           \
        .run = run,                                                                                          \
        .check = what == NOTHING ? NULL : check,                                                             \
        .close = finish,                                                                                     \
        .bus_bytes = bus,                                                                                    \
    };
#include "bench/collectives_measured.h"
#undef COLLECTIVE
