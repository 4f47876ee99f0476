/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between neighbours in their three forms: on graphs with edges that are there several times or
 * lead back and with ranks that have none, and on grids and stencils that come round or end; parts of no
 * element and of many, in any order and with gaps; what is refused, and what ranks disagree on. */
#include "tests/job/coll/parts.h"

#define STEPS ((int)(sizeof steps / sizeof steps[0]))

/* Edge number j of a rank leads to the rank so many beyond it, if it is there. */
static const int steps[] = {1, 1, 0, 3, -1, 1, 5, 0};

/* What the test knows of the caller's edges; a number tells an edge from others of its sender. */
typedef struct {
    int count;
    int peers[MOST_RANKS], numbers[MOST_RANKS]; /* TUTTI_PROC_NULL: nobody */
} edges;

typedef struct {
    trial t;
    edges sources, targets;
} exchange;

static const size_t sizes[] = {0, 1, 5, 700, 2500, 9000};
#define SIZES (sizeof sizes / sizeof sizes[0])
#define NOBODYS 3 /* elements where nobody is at the other end of an edge */

static bool is_edge(int source, int target, int j)
{
    const bool alone = source % 6 == 4 || target % 6 == 4;
    return !alone && (source * 7 + j * 3) % 4 != 0;
}

static void add(edges *list, int peer, int number)
{
    list->peers[list->count] = peer;
    list->numbers[list->count++] = number;
}

static tutti_comm *make_graph(exchange *e)
{
    const int r = e->t.rank, n = e->t.size;
    tutti_comm *graph;
    for (int j = 0; j < STEPS; j++) {
        const int target = ((r + steps[j]) % n + n) % n, source = ((r - steps[j]) % n + n) % n;
        if (is_edge(r, target, j)) add(&e->targets, target, j);
        if (is_edge(source, r, j)) add(&e->sources, source, j);
    }
    OK(tutti_comm_graph(e->t.comm, e->sources.peers, NULL, e->sources.count, e->targets.peers, NULL,
                        e->targets.count, &graph));
    return graph;
}

/* What a rank sends down along a dimension, its edge 2d, comes to the other from above, its part 2d + 1. */
static tutti_comm *make_grid(exchange *e, int dims, bool round)
{
    int extents[3] = {0, 0, 0}, periodic[3] = {round, !round, round}, down, up;
    tutti_comm *grid;
    OK(tutti_comm_grid(e->t.comm, dims, extents, periodic, 0, &grid));
    for (int d = 0; d < dims; d++) {
        OK(tutti_grid_shift(grid, d, 1, &down, &up));
        add(&e->targets, down, 2 * d);
        add(&e->targets, up, 2 * d + 1);
        add(&e->sources, down, 2 * d + 1);
        add(&e->sources, up, 2 * d);
    }
    return grid;
}

/* A 9-point stencil's corners and more: offsets that come round, of which one is there twice, and one leads
 * nowhere on a line. Edge number i is offset number i. */
static tutti_comm *make_stencil(exchange *e, int dims, bool round)
{
    static const int offsets[STEPS][3] = {{1, 1, 1},  {-1, 0, 1}, {0, 0, 0},   {1, 1, 0},
                                          {2, -1, 0}, {1, 1, 1},  {-1, -1, 0}, {0, 1, 0}};
    const int extents[3] = {0, 0, 0}, periodic[3] = {round, !round, round};
    int of_grid[STEPS * 3], at[3], ranks[STEPS];
    tutti_comm *grid, *stencil;
    OK(tutti_comm_grid(e->t.comm, dims, extents, periodic, 0, &grid));
    for (int i = 0; i < STEPS * dims; i++)
        of_grid[i] = offsets[i / dims][i % dims];
    OK(tutti_comm_stencil(grid, of_grid, STEPS, &stencil));
    OK(tutti_comm_free(&grid));
    for (int i = 0; i < 2 * STEPS; i++) {
        int peer;
        OK(tutti_grid_coords(stencil, e->t.rank, at));
        for (int d = 0; d < dims; d++)
            at[d] += (i < STEPS ? 1 : -1) * offsets[i % STEPS][d];
        OK(tutti_grid_rank(stencil, at, &peer));
        add(i < STEPS ? &e->targets : &e->sources, peer, i % STEPS);
    }
    EXPECT(tutti_comm_sources(stencil, ranks, NULL, STEPS) == STEPS);
    EXPECT(memcmp(ranks, e->sources.peers, sizeof ranks) == 0);
    return stencil;
}

/* What goes along an edge, in elements; and what it is. */
static size_t count_along(const exchange *e, int source, int number)
{
    return e->t.mean * (size_t)((source + number) % 3) + (size_t)(number % 2);
}

static uint64_t seed_along(const exchange *e, int source, int number)
{
    return seed_of(&e->t, source, number);
}

/* Where a rank's parts are; that of nobody is as large as others, and in its place among them, or nowhere. Of
 * an allgather all edges are number 0. */
static table lay_out(const exchange *e, const edges *of, bool whole)
{
    table made = {0};
    size_t at = e->t.packed ? 0 : 2;
    for (int i = 0; i < of->count; i++) {
        const int n = e->t.packed ? i : of->count - 1 - i;
        const int source = of == &e->targets ? e->t.rank : of->peers[n];
        made.counts[n] = source >= 0 ? count_along(e, source, whole ? 0 : of->numbers[n]) : NOBODYS;
        made.offsets[n] = of->peers[n] >= 0 || e->t.packed ? at : NOWHERE - (size_t)e->t.rank;
        if (made.offsets[n] != at) continue;
        at += made.counts[n] + (e->t.packed || n % 2 == 0 ? 0 : (size_t)e->t.rank + 1);
    }
    EXPECT(at <= used);
    return made;
}

/* All that came is right, and nothing else was written, least of all what is nobody's. */
static void expect_parts(const exchange *e, table *got, bool whole)
{
    trial t = e->t;
    for (int i = 0; i < e->sources.count; i++) {
        const int source = e->sources.peers[i];
        if (source < 0)
            got->counts[i] = 0;
        else
            EXPECT(holds(got, i, to, seed_along(e, source, whole ? 0 : e->sources.numbers[i])));
    }
    t.size = e->sources.count;
    EXPECT(gaps_are_left(&t, got));
}

static void fill_parts(const exchange *e, const table *sent)
{
    for (int i = 0; i < e->targets.count; i++)
        if (e->targets.peers[i] >= 0) fill(sent, i, from, seed_along(e, e->t.rank, e->targets.numbers[i]));
}

static table in_bytes(const table *of)
{
    table made;
    for (int i = 0; i < MOST_RANKS; i++) {
        made.counts[i] = of->counts[i] * ELEMENT;
        made.offsets[i] = of->offsets[i] * ELEMENT;
    }
    return made;
}

static void test_alltoall_parts(const exchange *e, tutti_comm *comm)
{
    const trial *t = &e->t;
    const table sent = lay_out(e, &e->targets, false), s = in_bytes(&sent);
    table got = lay_out(e, &e->sources, false), g = in_bytes(&got);
    clear();
    fill_parts(e, &sent);
    IN_FORM(t->form, neighbor_alltoallv, comm, from, sent.counts, offsets_of(t, &sent), to, got.counts,
            offsets_of(t, &got), TYPE);
    expect_parts(e, &got, false);
    clear();
    fill_parts(e, &sent);
    IN_FORM(t->form, neighbor_alltoallw, comm, from, s.counts, offsets_of(t, &s), to, g.counts,
            offsets_of(t, &g));
    expect_parts(e, &got, false);
}

static void test_allgather_parts(const exchange *e, tutti_comm *comm)
{
    const size_t count = count_along(e, e->t.rank, 0);
    table got = lay_out(e, &e->sources, true);
    clear();
    payload_fill(from, count * ELEMENT, seed_along(e, e->t.rank, 0));
    IN_FORM(e->t.form, neighbor_allgatherv, comm, from, count, to, got.counts, offsets_of(&e->t, &got), TYPE);
    expect_parts(e, &got, true);
}

/* Of one size at all ranks. */
static void test_equal(exchange *e, tutti_comm *comm)
{
    const size_t bytes = e->t.mean * ELEMENT;
    table sent = {0}, got = {0};
    e->t.packed = true;
    for (int i = 0; i < MOST_RANKS; i++) {
        sent.counts[i] = got.counts[i] = e->t.mean;
        sent.offsets[i] = got.offsets[i] = e->t.mean * (size_t)i;
    }
    clear();
    fill_parts(e, &sent);
    IN_FORM(e->t.form, neighbor_alltoall, comm, from, to, bytes);
    expect_parts(e, &got, false);
    clear();
    payload_fill(from, bytes, seed_along(e, e->t.rank, 0));
    IN_FORM(e->t.form, neighbor_allgather, comm, from, to, bytes);
    expect_parts(e, &got, true);
}

/* On a communicator of `e`, which is freed. */
static void test_sizes(exchange *e, tutti_comm *comm)
{
    for (int form = 0; form < FORMS; form++)
        for (size_t i = 0; i < SIZES; i++) {
            e->t.form = (enum form)form;
            e->t.mean = sizes[i];
            use_for(STEPS, sizes[i] > 0 ? largest_of(sizes[i]) : NOBODYS);
            e->t.packed = (i + (size_t)form) % 2 == 0;
            EACH_START(e->t.form, test_alltoall_parts(e, comm));
            EACH_START(e->t.form, test_allgather_parts(e, comm));
            EACH_START(e->t.form, test_equal(e, comm));
        }
    OK(tutti_comm_free(&comm));
}

static void test_on(tutti_comm *comm)
{
    const trial t = {.comm = comm, .rank = tutti_comm_rank(comm), .size = tutti_comm_size(comm)};
    exchange graph = {.t = t};
    test_sizes(&graph, make_graph(&graph));
    for (int dims = 1; dims <= 3; dims++) {
        exchange grid = {.t = t};
        test_sizes(&grid, make_grid(&grid, dims, dims % 2 == 0));
        exchange stencil = {.t = t};
        test_sizes(&stencil, make_stencil(&stencil, dims, dims != 2));
    }
}

/* Started again and again, with other contents each time, while another one is under way. */
static void test_again(void)
{
    const trial t = {.comm = world, .rank = rank, .size = size};
    exchange e = {.t = t};
    tutti_request *requests[2];
    int64_t out[2][4], in[2][4];
    tutti_comm *grid = make_grid(&e, 2, true);
    for (int k = 0; k < 2; k++)
        OK(tutti_neighbor_alltoall_init(grid, out[k], in[k], sizeof out[k][0], &requests[k]));
    for (int round = 0; round < 50; round++) {
        memset(in, -1, sizeof in);
        for (int i = 0; i < 8; i++)
            out[i / 4][i % 4] = round * 1000 + rank * 10 + i;
        OK(tutti_startall(2, requests));
        OK(tutti_waitall(2, requests, NULL));
        for (int i = 0; i < 8; i++) {
            const int from_rank = e.sources.peers[i % 4];
            const int64_t expected = round * 1000 + from_rank * 10 + i / 4 * 4 + e.sources.numbers[i % 4];
            EXPECT(in[i / 4][i % 4] == (from_rank < 0 ? -1 : expected));
        }
    }
    OK(tutti_comm_free(&grid)); /* the requests keep it */
    OK(tutti_startall(2, requests));
    OK(tutti_waitall(2, requests, NULL));
    OK(tutti_request_free(&requests[0]));
    OK(tutti_request_free(&requests[1]));
}

/* Each rank alone: nobody waits for a call that is refused. All have edges to the next rank and themselves.
 */
static void test_refused(void)
{
    const int targets[] = {(rank + 1) % size, rank}, sources[] = {(rank + size - 1) % size, rank};
    const size_t c[] = {1, 1}, twos[] = {1, 2}, same[] = {4, 4}, huge[] = {1, PTRDIFF_MAX};
    tutti_comm *graph, *none;
    OK(tutti_comm_graph(world, sources, NULL, 2, targets, NULL, 2, &graph));
    OK(tutti_comm_graph(world, NULL, NULL, 0, NULL, NULL, 0, &none));
    REFUSED(tutti_neighbor_alltoall(world, from, to, 1), "the communicator carries no neighbours");
    REFUSED(tutti_neighbor_alltoall(graph, TUTTI_IN_PLACE, to, 1),
            "2 bytes; no exchange with neighbours is in");
    REFUSED(tutti_neighbor_alltoallv(graph, TUTTI_IN_PLACE, NULL, NULL, to, c, NULL, TYPE),
            "parts of send are");
    REFUSED(tutti_neighbor_alltoallv(graph, TUTTI_IN_PLACE, c, NULL, to, c, NULL, TYPE),
            "send is TUTTI_IN_PLACE");
    REFUSED(tutti_neighbor_alltoallw(graph, TUTTI_IN_PLACE, c, NULL, to, c, NULL), "send is TUTTI_IN_PLACE");
    REFUSED(tutti_neighbor_allgather(graph, from, NULL, 5), "recv is NULL with 10 bytes");
    REFUSED(tutti_neighbor_allgather(graph, to, to, 5), "overlap; no exchange with neighbours is in");
    REFUSED(tutti_neighbor_alltoall(graph, from, to, PTRDIFF_MAX / 2 + 1), "than memory can hold");
    REFUSED(tutti_neighbor_alltoallv(graph, from, NULL, NULL, to, c, NULL, TYPE), "parts of send are");
    REFUSED(tutti_neighbor_alltoallv(graph, from, c, NULL, to, NULL, NULL, TYPE), "parts of recv are");
    REFUSED(tutti_neighbor_alltoallv(graph, from, c, NULL, to, c, same, TYPE), "parts 0 and 1 of recv");
    REFUSED(tutti_neighbor_alltoallw(graph, from, c, NULL, to, huge, NULL), "more than memory");
    REFUSED(tutti_neighbor_alltoallw(graph, from, c, NULL, to, twos, NULL), "sends itself 1 elements");
    REFUSED(tutti_neighbor_allgatherv(graph, from, 1, to, twos, NULL, TYPE), "sends itself 1 elements");
    EXPECT(tutti_neighbor_alltoallv(graph, from, c, NULL, to, c, NULL, 0) == TUTTI_ERR_TYPE);
    OK(tutti_neighbor_alltoallv(none, NULL, NULL, NULL, NULL, NULL, NULL, TYPE));
    OK(tutti_neighbor_allgatherv(none, from, 7, NULL, NULL, NULL, TYPE));
    OK(tutti_comm_free(&none));
    OK(tutti_comm_free(&graph));
}

/* On a line the parts of the two that are nobody may lie where others do, of recv and of send; and a rank
 * alone has no part. */
static void test_nobody(void)
{
    const size_t c[] = {1, 1}, places[] = {0, rank > 0 && rank < size - 1}, none[] = {0, 0};
    const int has = (rank > 0) + (rank < size - 1);
    unsigned char sent[2 * ELEMENT], all[4 * ELEMENT] = {0};
    tutti_comm *line, *alone;
    OK(tutti_comm_grid(world, 1, (const int[]){size}, (const int[]){0}, 0, &line));
    OK(tutti_comm_split(world, rank, 0, &alone));
    memset(sent, rank + 1, sizeof sent);
    memset(all, rank + 1, (size_t)has * ELEMENT);
    OK(tutti_neighbor_allgatherv(line, sent, 1, to, c, places, TYPE));
    OK(tutti_neighbor_alltoallv(line, all, c, places, all + (size_t)has * ELEMENT, c, places, TYPE));
    for (int i = 0; i < has; i++) {
        const int source = i == 0 && rank > 0 ? rank - 1 : rank + 1;
        const size_t at = (size_t)i * ELEMENT;
        EXPECT(to[at] == source + 1 && all[(size_t)has * ELEMENT + at] == source + 1);
    }
    OK(tutti_comm_free(&line));
    OK(tutti_comm_grid(alone, 1, (const int[]){1}, (const int[]){0}, 0, &line));
    OK(tutti_neighbor_alltoallv(line, NULL, c, none, NULL, c, none, TYPE));
    OK(tutti_neighbor_alltoallw(line, NULL, c, NULL, NULL, c, NULL));
    OK(tutti_neighbor_allgatherv(line, from, 1, NULL, c, none, TYPE));
    OK(tutti_comm_free(&line));
    OK(tutti_comm_free(&alone));
}

/* With edges from the rank before and to the next one; as a grid to both and from both. */
static tutti_comm *make_ring(bool grid)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    tutti_comm *ring;
    if (grid)
        OK(tutti_comm_grid(world, 1, &size, (const int[]){1}, 0, &ring));
    else
        OK(tutti_comm_graph(world, &before, NULL, 1, &next, NULL, 1, &ring));
    return ring;
}

/* Rank 1 alone sees it; what it is told where the part comes by a message, and on shared memory. Others are
 * told that the communicator is over then, if they have not gone. */
static void expect_mismatch(int code, const char *by_message, const char *on_memory)
{
    if (rank == 1)
        EXPECT(code == TUTTI_ERR_ARG && (strstr(tutti_error_detail(), by_message) != NULL ||
                                         strstr(tutti_error_detail(), on_memory) != NULL));
    else
        EXPECT(code == TUTTI_ERR_ARG || code == 0);
    OK(tutti_barrier(world));
}

/* A part of another size than expected: an error where it comes, and nobody hangs. */
static void mismatch_on(bool grid, size_t sends, size_t expected)
{
    const size_t own[2] = {sends, sends};
    size_t got[2] = {sends, sends};
    int sources[2];
    char sent[64], told[64];
    tutti_comm *ring = make_ring(grid);
    const int count = tutti_comm_sources(ring, sources, NULL, 2);
    for (int i = 0; i < count; i++)
        if (rank == 1 && sources[i] == 0) got[i] = expected;
    snprintf(sent, sizeof sent, "rank 0 sent %zu bytes where rank 1 expected %zu", sends, expected);
    snprintf(told, sizeof told, "rank 0 has a part of %zu bytes for rank 1, which", sends);
    expect_mismatch(tutti_neighbor_alltoallw(ring, from, own, NULL, to, got, NULL), sent, told);
    OK(tutti_comm_free(&ring));
    ring = make_ring(grid);
    expect_mismatch(tutti_neighbor_allgatherv(ring, from, sends, to, got, NULL, TUTTI_UINT8), sent, told);
    OK(tutti_comm_free(&ring));
}

static void mismatch(size_t sends, size_t expected)
{
    mismatch_on(false, sends, expected);
    mismatch_on(true, sends, expected);
}

static void test_mismatch(void)
{
    const char *transport = getenv("TUTTI_TRANSPORT");
    if (size == 1) return;
    mismatch(4, 5);
    mismatch(100000, 30); /* on shared memory and beside it */
    mismatch(30, 100000);
    if (transport == NULL || strcmp(transport, "node") != 0 || is_ruled("TUTTI_NEIGHBOR_ALLTOALLW", "direct"))
        return;
    mismatch(0, 5); /* which by messages would be waited for, */
    mismatch(5, 0); /* or not be noticed */
    tutti_comm *ring = make_ring(false);
    const int code = tutti_neighbor_alltoall(ring, from, to, rank == 1 ? 5 : 4); /* two ranks see it */
    const bool seen = strstr(tutti_error_detail(), "rank 1 calls it with 5 bytes, rank") != NULL;
    const bool heard = strstr(tutti_error_detail(), "no collective is possible any more") != NULL;
    EXPECT(rank != 1 || (code == TUTTI_ERR_ARG && (seen || heard)));
    OK(tutti_barrier(world));
    OK(tutti_comm_free(&ring));
}

int main(void)
{
    tutti_comm *backwards;
    job_open(TUTTI_THREAD_SINGLE);
    parts_open(STEPS, largest_of(sizes[SIZES - 1]));
    test_on(world);
    OK(tutti_comm_split(world, rank % 5 == 0, -rank, &backwards));
    test_on(backwards);
    OK(tutti_comm_free(&backwards));
    test_again();
    test_refused();
    test_nobody();
    test_mismatch();
    parts_close();
    return job_close();
}
