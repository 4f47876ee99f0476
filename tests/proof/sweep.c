/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/node/node_windows.h"
#include "tests/proof/layouts.h"
#include "tests/proof/node_windows.h"
#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

/* Roots up to this size are all tried, above it sampled; where each is tried on several layouts, fewer. */
#define ALL_ROOTS 33
#define ALL_ROOTS_OF_FEW 9 /* of few sizes */
#define ALL_ROOTS_BY_NODE 12
#define FEW_ROOTS                                                                                            \
    3 /* of wide sizes, and of many ranks on nodes: the last, the first and one in the middle                \
       */
/* All counts are tried of sizes up to this; of those above the first few. */
#define ALL_COUNTS 65
#define FEW_COUNTS 2
#define BOTH_PLACES 65 /* ranks of which calls are tried in place and not */
#define ALL_LAYOUTS 128
/* Of tables so many elements at most, of few ranks: parts of several blocks in the smallest WINDOW. */
#define LONG_PARTS 250
#define LONG_PARTS_RANKS 9
/* The proof of a block for each rank takes time and memory by the square. So of wide sizes, up to the first
 * where blocks are of different sizes or pass in chunks, and up to the second along Bine trees, which want an
 * even number: these have many steps for each block. */
#define WIDE_TABLES 1025
#define WIDE_BINE 2048
/* Elements of more bytes than a line, so many, of so many ranks. */
#define LONG_ELEMENT 300
#define LONG_ELEMENTS 8
#define LONG_ELEMENTS_RANKS 12

static const int radices[] = {2, 3, 4, 8};
static const int leaders[] = {0, 3, 2, 1}; /* with these radices */
/* Elements, and half an element more. The last is for neighbours alone: longer than all that they have. */
static const size_t chunks[] = {64, 3, 1000, 10000};
/* Bytes of WINDOW, for algorithms that need it: next to nothing, so that blocks are small and its halves are
 * used again; odd; and enough for all. Of the latter two some comes with the post. */
static const size_t windows[] = {256, 1000, 4096, 1 << 20};
#define BESIDE(w) ((w) < 2 ? 0 : TTI_NODE_WINDOW_BESIDE)
/* Of them what is a front: of some a quarter, where a root's parts differ. */
static const uint16_t fronts[] = {0, 250, 1000, 4080};
/* So much work at most, in square ranks times how often the data fills a WINDOW: among many ranks fewer
 * blocks show as much. */
#define MOST_BLOCKS 20000
/* And so many chunks: a longer pipeline shows nothing more. */
#define MOST_CHUNKS 64
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void prove(sweep *s, const tti_shape *shape)
{
    tti_schedule *schedules[SWEEP_RANKS_MOST];
    for (int r = 0; r < shape->size; r++) {
        tti_shape own = tti_checker_shape(s->collective, shape, r);
        if (s->uneven) node_windows_give(&own);
        EXPECT(tti_algorithm_build(s->algorithm, &own, &schedules[r]) == 0);
        if (s->uneven) node_windows_look_at(&own, schedules[r]);
        s->steps += schedules[r]->count;
        /* Ranks choose by the beginnings of all that show something, which those need not await here. */
        EXPECT((s->algorithm->wants & TTI_NEEDS_REACH) == 0 || !schedules[r]->shown[TTI_OUTPUT].told);
    }
    const bool known = proved_before(&s->proved, tti_collective_describe(s->collective), shape, schedules);
    if (!known && !tti_checker_prove(s->checker, s->collective, shape, schedules)) {
        fprintf(stderr,
                "%s %s: %d ranks, root %d, count %zu, radix %d, chunk %zu, leaders %d, window %zu%s, "
                "%scommuting, %sin place: %s\n",
                tti_collective_describe(s->collective)->name, s->algorithm->name, shape->size, shape->root,
                shape->count, shape->radix, shape->chunk, shape->leaders, shape->window,
                s->uneven ? " or less" : "", shape->commutes ? "" : "not ", shape->in_place ? "" : "not ",
                tti_checker_why(s->checker));
        exit(1);
    }
    s->calls++;
    s->proofs += !known;
    s->looks = s->looks || (shape->commutes && !known);
    for (int r = 0; r < shape->size; r++)
        tti_schedule_free(schedules[r]);
}

/* In place or not says where a rank's own data lie, and nothing of who tells whom what: of many ranks each
 * size has one, so that of the powers of two, and of the sizes next to them, some are in place. */
static bool has_place(const sweep *s, int size, bool in_place)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    if (!contract->sends || contract->neighbours) return !in_place;
    return size <= (s->effort == SWEEP_WIDE ? SWEEP_WIDE_ALL : BOTH_PLACES) || in_place == (size % 3 == 1);
}

/* The schedule of most algorithms is the same whether the operation commutes. Those of which it is so for all
 * sizes up to SWEEP_ALL are taken at their word for the others. */
static bool has_operation(const sweep *s, int size, bool commutes)
{
    const bool needs = (s->algorithm->wants & TTI_NEEDS_COMMUTING) != 0;
    if (!tti_collective_describe(s->collective)->reduces || needs) return commutes;
    return !commutes || size <= SWEEP_ALL || s->looks;
}

static void sweep_operations(sweep *s, tti_shape shape)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    for (int turn = 0; turn < 4; turn++) {
        shape.in_place = turn / 2 != 0;
        shape.commutes = turn % 2 != 0;
        if (!has_place(s, shape.size, shape.in_place) || !has_operation(s, shape.size, shape.commutes))
            continue;
        tables_give(contract, &shape);
        prove(s, &shape);
        tables_free(&shape);
    }
}

/* Where windows are a node's affair: without them, with one size after the other, and with sizes that differ
 * from node to node; of many ranks these two by turns. */
static void sweep_shared_nodes(sweep *s, tti_shape shape)
{
    const size_t turn = (size_t)shape.size + (size_t)shape.root + (size_t)shape.radix + shape.count;
    const bool both = shape.size <= SWEEP_ALL, odd = turn / COUNT_OF(windows) % 2 != 0;
    sweep_operations(s, shape);
    shape.window = windows[turn % COUNT_OF(windows)];
    shape.beside = BESIDE(turn % COUNT_OF(windows));
    if ((both || !odd || shape.nodes == NULL) && tti_window_holds(&shape, shape.size))
        sweep_operations(s, shape);
    s->uneven = shape.nodes != NULL && (both || odd);
    if (s->uneven) sweep_operations(s, shape);
    s->uneven = false;
}

static bool has_front(const sweep *s, const tti_shape *shape)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    return contract->rooted && tti_contract_parted(contract) && !tti_contract_sized(contract) &&
           shape->nodes == NULL && (shape->size + shape->root) % 2 != 0;
}

static void sweep_windows(sweep *s, tti_shape shape)
{
    if ((s->algorithm->wants & TTI_TAKES_WINDOW) != 0) {
        sweep_shared_nodes(s, shape);
        return;
    }
    const size_t pairs = (size_t)shape.size * (size_t)shape.size;
    const size_t shared = (s->algorithm->wants & TTI_SHARES_WINDOW) != 0 ? (size_t)shape.size : 1;
    const int n = (s->algorithm->wants & TTI_NEEDS_WINDOW) != 0 ? COUNT_OF(windows) : 0;
    if (n == 0) sweep_operations(s, shape);
    for (int w = 0; w < n; w++) {
        if (tti_shape_bytes(&shape) * shared / windows[w] * pairs > MOST_BLOCKS) continue;
        shape.window = windows[w];
        shape.beside = BESIDE(w);
        shape.front = has_front(s, &shape) ? fronts[w] : 0;
        if (tti_window_holds(&shape, shape.size)) sweep_operations(s, shape);
    }
}

/* Whether a buffer has a block for each rank, not for its neighbours alone. */
static bool has_blocks(const sweep *s, const tti_shape *shape)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    tti_content content;
    if (contract->neighbours) return false;
    if (tti_contract_parted(contract)) return true;
    return contract->before(shape, 0, &content) > 1 || contract->after(shape, 0, &content) > 1;
}

/* Elements of a chunk, so many or more. */
static size_t chunk_of(const tti_shape *shape, size_t elements)
{
    const size_t least = shape->count / MOST_CHUNKS;
    return elements > least ? elements : least;
}

static void sweep_parameters(sweep *s, tti_shape shape)
{
    const int radix_count = (s->algorithm->wants & TTI_TAKES_RADIX) != 0 ? COUNT_OF(radices) : 1;
    /* Where both are taken, or many ranks have a block each, small chunks add nothing but steps. */
    const bool many_blocks = shape.size > SWEEP_ALL && has_blocks(s, &shape);
    const bool chunks_vary = (s->algorithm->wants & TTI_TAKES_CHUNK) != 0 && radix_count == 1 && !many_blocks;
    const bool neighbours = tti_collective_describe(s->collective)->neighbours;
    const int chunk_count = chunks_vary ? COUNT_OF(chunks) - !neighbours : 1;
    /* Nor do all radices on each layout of nodes then: each size has one. */
    const bool one_radix = many_blocks && (s->algorithm->wants & TTI_NEEDS_NODES) != 0;
    const int first = one_radix ? shape.size % radix_count : 0, end = one_radix ? first + 1 : radix_count;
    /* From the number of ranks on all radices give the same schedule. */
    for (int r = first; r < end && (r == 0 || radices[r - 1] < shape.size); r++)
        for (int c = 0; c < chunk_count; c++) {
            shape.radix = radices[r];
            shape.leaders = leaders[r];
            shape.chunk = chunk_of(&shape, chunks[c]) * shape.element + shape.element / 2;
            sweep_windows(s, shape);
        }
}

/* Elements longer than a chunk, which then is one of them. */
static void sweep_long_elements(sweep *s, tti_shape shape)
{
    if (!tti_collective_describe(s->collective)->reduces) return;
    if ((s->algorithm->wants & TTI_TAKES_CHUNK) == 0) return;
    if (shape.size > LONG_ELEMENTS_RANKS || shape.count > LONG_ELEMENTS) return;
    shape.element = LONG_ELEMENT;
    shape.chunk = LONG_ELEMENT / 3;
    shape.radix = radices[0];
    sweep_windows(s, shape);
}

/* A chunk as long as a rule of the user's may make it: 2^62, of which a few overflow. */
static void sweep_long_chunk(sweep *s, tti_shape shape)
{
    if ((s->algorithm->wants & TTI_TAKES_CHUNK) == 0 || shape.size > LONG_ELEMENTS_RANKS) return;
    shape.chunk = (size_t)1 << 62;
    shape.radix = radices[0];
    sweep_windows(s, shape);
}

/* The largest size whose blocks are proved. */
static int most_blocks(const sweep *s)
{
    const bool tables = tti_contract_parted(tti_collective_describe(s->collective));
    if (tables || (s->algorithm->wants & TTI_TAKES_CHUNK) != 0) return WIDE_TABLES;
    return (s->algorithm->wants & TTI_NEEDS_EVEN) != 0 ? WIDE_BINE : SWEEP_RANKS_MOST;
}

static void sweep_wide_counts(sweep *s, tti_shape shape)
{
    const size_t counts[] = {1, 40, (size_t)shape.size + 1};
    const bool blocks = has_blocks(s, &shape);
    if (blocks && shape.size > most_blocks(s)) return;
    for (int i = 0; i < (blocks ? 1 : shape.size > SWEEP_WIDE_ALL ? 2 : 3); i++) {
        shape.count = counts[i];
        sweep_parameters(s, shape);
    }
}

typedef struct {
    int first, end;
} span;

/* Of `all` counts these: of many ranks the first few, and of a block each, on many layouts, one by turns. */
static span counts_for(const sweep *s, const tti_shape *shape, int all)
{
    const int turn = shape->size % FEW_COUNTS;
    if (shape->size <= ALL_COUNTS) return (span){0, all};
    if ((s->algorithm->wants & TTI_NEEDS_NODES) != 0 && has_blocks(s, shape)) return (span){turn, turn + 1};
    return (span){0, FEW_COUNTS};
}

/* Tables make many sizes of a few. */
static void sweep_tables(sweep *s, tti_shape shape)
{
    const size_t counts[] = {1, (size_t)shape.size + 1, 0, 2, LONG_PARTS};
    const span tried = counts_for(s, &shape, COUNT_OF(counts) - (shape.size > LONG_PARTS_RANKS));
    for (int i = tried.first; i < tried.end; i++) {
        shape.count = counts[i];
        if (i < 2 || counts[i] != counts[1]) sweep_parameters(s, shape);
    }
}

/* Two ranks pass much in halves, also of what has room in a window; neighbours in blocks what has none. */
#define LONG_OF_TWO 8193
#define LONG_OF_NEIGHBOURS 2500

static void sweep_counts(sweep *s, tti_shape shape)
{
    const size_t size = (size_t)shape.size;
    const tti_contract *contract = tti_collective_describe(s->collective);
    const size_t most = size == 2 ? LONG_OF_TWO : contract->neighbours ? LONG_OF_NEIGHBOURS : 1000;
    const size_t counts[] = {1, size + 1, 0, 2, 7, size - 1, size, most};
    if (!contract->counted) {
        sweep_parameters(s, shape);
        return;
    }
    if (s->effort == SWEEP_WIDE) {
        sweep_wide_counts(s, shape);
        return;
    }
    if (tti_contract_parted(contract) && !contract->neighbours) {
        sweep_tables(s, shape);
        return;
    }
    const span tried = counts_for(s, &shape, COUNT_OF(counts));
    for (int i = tried.first; i < tried.end; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || counts[j] == counts[i];
        shape.count = counts[i];
        if (seen) continue;
        sweep_parameters(s, shape);
        sweep_long_elements(s, shape);
        sweep_long_chunk(s, shape);
    }
}

/* Algorithms that look at nodes, or at who shares memory, are tried on several layouts of them, up to so many
 * ranks as those are made for. */
static void sweep_layouts(sweep *s, tti_shape shape)
{
    const bool groups = (s->algorithm->wants & TTI_NEEDS_GROUPS) != 0;
    if ((s->algorithm->wants & (TTI_NEEDS_NODES | TTI_NEEDS_GROUPS)) == 0) sweep_counts(s, shape);
    if (!groups && (s->algorithm->wants & (TTI_NEEDS_NODES | TTI_TAKES_WINDOW)) == 0) return;
    if (shape.size > LAYOUT_RANKS_MOST) return;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        /* Of 255 ranks every second one, and of 256 the others. */
        if (shape.size > ALL_LAYOUTS && (shape.size + layout) % 2 != 0) continue;
        tti_node_map *map = layout_make((enum layout)layout, shape.size);
        *(groups ? &shape.groups : &shape.nodes) = map;
        sweep_counts(s, shape);
        tti_node_map_free(map);
    }
}

static void sweep_roots(sweep *s, tti_shape shape)
{
    const int size = shape.size;
    const int sampled[] = {size - 1, 0, size / 2, 1, size - 2};
    const bool by_node = (s->algorithm->wants & TTI_NEEDS_NODES) != 0;
    const int most = s->effort == SWEEP_FEW_SIZES ? ALL_ROOTS_OF_FEW
                     : by_node                    ? ALL_ROOTS_BY_NODE
                                                  : ALL_ROOTS;
    if (!tti_collective_describe(s->collective)->rooted) {
        sweep_layouts(s, shape);
        return;
    }
    const bool wide = s->effort == SWEEP_WIDE, all = size <= most && !wide;
    const bool few = wide || (by_node && size > ALL_COUNTS);
    const int n = all ? size : few ? FEW_ROOTS : COUNT_OF(sampled);
    for (int i = 0; i < n && i < size; i++) {
        shape.root = all ? i : sampled[i];
        sweep_layouts(s, shape);
    }
}

void sweep_calls(sweep *s, int size)
{
    const tti_shape shape = {.size = size,
                             .element = tti_collective_describe(s->collective)->reduces ? 12 : 1};
    if (size % 2 == 0 || (s->algorithm->wants & TTI_NEEDS_EVEN) == 0) sweep_roots(s, shape);
}
