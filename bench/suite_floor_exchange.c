/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of parts with no library between: the floor under alltoall and its like, and under what
 * neighbours swap. All ranks copy at once, and share processors, caches and memory as they do with a library.
 * Two ways:
 *
 * By the kernel: a rank says that what it sends is there; others take their parts by process_vm_readv(),
 * whichever are there first; and it stays until all its parts are taken.
 *
 * By passing on: a rank lays its parts where all can read, a piece of each at a time, and takes others'
 * pieces from there. Pieces alternate between two halves: who lays the next one has taken all of the last, so
 * all others had laid that, and had taken what was in the other half before.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/area.h"
#include "bench/pattern.h"

/* Of a part, laid at once. */
#define PIECE ((size_t)16 << 10)

/* What a rank takes: part `there` of what `from` sends, to part `here` of what it receives. */
typedef struct {
    int from, there, here;
    uint32_t turn; /* in which it was taken last */
} taking;

/* Each rank takes as many parts as it sends. */
struct bench_exchange {
    int parts;
    uint32_t others; /* of the parts, those that come from other ranks */
    taking list[];
};

/* Itself first, then those behind it, so that not all begin with the same one. */
static taking of_each(int index)
{
    const int from = (port_rank() + index) % port_size();
    return (taking){from, port_rank(), from, 0};
}

/* What comes from one way went the other. */
static taking of_each_way(int way)
{
    return (taking){bench_halo_neighbour(port_rank(), port_size(), way), bench_halo_opposite(way), way, 0};
}

/* Both halves of all ranks. */
static size_t data_bytes(const bench_case *c)
{
    return 2 * (size_t)port_size() * (size_t)c->exchange->parts * PIECE;
}

static char *laid(const bench_case *c, int rank, int part)
{
    const size_t half = (size_t)c->done & 1, parts = (size_t)c->exchange->parts;
    return bench_area_data(c) + ((half * (size_t)port_size() + (size_t)rank) * parts + (size_t)part) * PIECE;
}

static char *sent(const bench_case *c, int part, size_t at)
{
    return (char *)c->send + (size_t)part * c->bytes + at;
}

static char *received(const bench_case *c, int part, size_t at)
{
    return (char *)c->recv + (size_t)part * c->bytes + at;
}

static void open_exchange(bench_case *c, int parts, taking (*of)(int index))
{
    struct bench_exchange *e = calloc(1, sizeof *e + (size_t)parts * sizeof *e->list);
    if (e == NULL) port_abort(1, "tutti-bench: floor: no memory");
    e->parts = parts;
    for (int part = 0; part < parts; part++) {
        e->list[part] = of(part);
        e->others += e->list[part].from != port_rank();
        bench_fill_bytes(sent(c, part, 0), c->bytes, port_rank() * parts + part, c->pattern);
    }
    c->exchange = e;
    bench_area_open(c, data_bytes(c));
}

static void open_alltoall(bench_case *c)
{
    open_exchange(c, port_size(), of_each);
}

static void open_halo(bench_case *c)
{
    open_exchange(c, BENCH_WAYS, of_each_way);
}

static void close_exchange(bench_case *c)
{
    bench_area_close(c, data_bytes(c));
    free(c->exchange);
}

/* Takes `n` bytes of a part from `at` on. */
typedef void take_fn(const bench_case *c, const taking *what, size_t at, size_t n);

static void take_by_kernel(const bench_case *c, const taking *what, size_t at, size_t n)
{
    const size_t there = (size_t)what->there * c->bytes + at;
    bench_area_read(c, what->from, received(c, what->here, at), n, there);
    atomic_fetch_add_explicit(&bench_area_lines(c)[what->from].taken, 1, memory_order_release);
}

static void take_laid(const bench_case *c, const taking *what, size_t at, size_t n)
{
    memcpy(received(c, what->here, at), laid(c, what->from, what->there), n);
}

/* Whether that part was taken, now or before in this turn. */
static bool take_if_there(const bench_case *c, taking *what, size_t at, size_t n, take_fn *take)
{
    const uint32_t turn = (uint32_t)c->done;
    if (what->turn == turn) return true;
    if (what->from == port_rank())
        memcpy(received(c, what->here, at), sent(c, what->there, at), n);
    else if (bench_area_has(&bench_area_lines(c)[what->from].word, turn))
        take(c, what, at, n);
    else
        return false;
    what->turn = turn;
    return true;
}

static void take_all(const bench_case *c, size_t at, size_t n, take_fn *take)
{
    const int parts = c->exchange->parts;
    for (int taken = 0, looks = 0; taken < parts; looks++) {
        const int before = taken;
        taken = 0;
        for (int part = 0; part < parts; part++)
            taken += take_if_there(c, &c->exchange->list[part], at, n, take);
        if (taken == before) bench_area_pause(c, looks);
    }
}

static void run_kernel(bench_case *c)
{
    const uint32_t turn = bench_area_next(c);
    bench_area_line *mine = bench_area_mine(c);
    bench_area_say(&mine->word, turn);
    take_all(c, 0, c->bytes, take_by_kernel);
    bench_area_await(c, &mine->taken, turn * c->exchange->others);
}

static void pass_piece(bench_case *c, size_t at, size_t n)
{
    const uint32_t turn = bench_area_next(c);
    for (int part = 0; part < c->exchange->parts; part++)
        memcpy(laid(c, port_rank(), part), sent(c, part, at), n);
    bench_area_say(&bench_area_mine(c)->word, turn);
    take_all(c, at, n, take_laid);
}

static void run_pass(bench_case *c)
{
    size_t at = 0;
    do {
        pass_piece(c, at, c->bytes - at < PIECE ? c->bytes - at : PIECE);
        at += PIECE;
    } while (at < c->bytes);
}

static bool check_exchange(bench_case *c, bench_fault *fault)
{
    const int parts = c->exchange->parts;
    for (int part = 0; part < parts; part++) {
        const taking *what = &c->exchange->list[part];
        const int sender = what->from * parts + what->there;
        if (!bench_holds_part(c, c->recv, what->here, sender, c->pattern, fault)) return false;
    }
    return true;
}

#define TEST(exchange, way, who, bytes_, help_)                                                              \
    const bench_test bench_floor_##exchange##_##way = {                                                      \
        .name = "floor-" #exchange "-" #way,                                                                 \
        .help = help_,                                                                                       \
        .measure = BENCH_LATENCY,                                                                            \
        .actors = who,                                                                                       \
        .machine = true,                                                                                     \
        .sized = true,                                                                                       \
        .send_bytes = bytes_,                                                                                \
        .recv_bytes = bytes_,                                                                                \
        .open = open_##exchange,                                                                             \
        .run = run_##way,                                                                                    \
        .check = check_exchange,                                                                             \
        .close = close_exchange,                                                                             \
    };

TEST(alltoall, kernel, BENCH_ALL, bench_bytes_of_all,
     "alltoall with no library: parts read by process_vm_readv()")
TEST(alltoall, pass, BENCH_ALL, bench_bytes_of_all, "the same through memory that all share")
TEST(halo, kernel, BENCH_NEIGHBOURS, bench_halo_bytes,
     "halo with no library: parts read by process_vm_readv()")
TEST(halo, pass, BENCH_NEIGHBOURS, bench_halo_bytes, "the same through memory that all share")
