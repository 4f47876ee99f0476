/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves every algorithm of the table for many shapes, in two processes, and says how long each took:
 * proof_sweep [--up-to RANKS | --wide] [ALGORITHM...]. With a limit it proves few sizes, for sanitized builds
 * and for those who have no ten minutes; wide, all sizes up to 130 and some up to 4,096, of each few calls;
 * with names, these algorithms alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/compose/window_blocks.h"
#include "collectives/proof/checker.h"
#include "runtime/base/clock.h"
#include "tests/proof/layouts.h"
#include "tests/proof/processes.h"
#include "tests/proof/proved.h"
#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

#define MOST_RANKS 4096
#define PROCESSES 2
/* Roots up to this size are all tried, above it sampled; where each is tried on several layouts, fewer. */
#define ALL_ROOTS 33
#define ALL_ROOTS_OF_FEW 9 /* of few sizes */
/* Sizes up to this are all proved; so many elements are tried up to the second, and of them the first few
 * above. */
#define ALL_SIZES 34
#define ALL_COUNTS 65
#define FEW_COUNTS 2
/* Of tables so many elements at most, of few ranks: parts of several blocks in the smallest WINDOW. */
#define LONG_PARTS 250
#define LONG_PARTS_RANKS 9
#define ALL_ROOTS_BY_NODE 12
/* Of wide sizes: all up to the first; up to the second with a block for each rank, as the proof of those
 * takes memory by the square. */
#define WIDE_ALL 130
#define WIDE_BLOCKS 1025

static const int radices[] = {2, 3, 4, 8};
static const int leaders[] = {0, 3, 2, 1};    /* with these radices */
static const size_t chunks[] = {64, 3, 1000}; /* elements, and half an element more */
/* Bytes of WINDOW, for algorithms that need it: next to nothing, so that blocks are small and its halves are
 * used again; odd; and enough for all. */
static const size_t windows[] = {256, 1000, 4096, 1 << 20};
/* So much work at most, in square ranks times how often the data fills a WINDOW: among many ranks fewer
 * blocks show as much. */
#define MOST_BLOCKS 20000
/* And so many chunks: a longer pipeline shows nothing more. */
#define MOST_CHUNKS 64
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct {
    char **only; /* algorithms, with NULL behind the last; none: all */
    int up_to;   /* ranks, of few sizes; 0: all sizes */
    bool wide;
} effort;

typedef struct {
    const effort *effort;
    tti_checker *checker;
    enum tti_collective collective;
    const tti_algorithm *algorithm;
    proved proved; /* of the algorithm */
    long calls, proofs, steps;
} sweep;

static int list_sizes(int sizes[], const effort *wanted)
{
    static const int beyond[] = {37, 47, 48, 49, 63, 64, 65, 97, 128, 255, 256};
    static const int few[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 27, 33};
    static const int wide[] = {191,  192,  255,  256,  257,  500,  511,  512,
                               1000, 1023, 1024, 1025, 2048, 3000, 4095, 4096};
    int n = 0;
    for (int i = 0; i < COUNT_OF(few) && few[i] <= wanted->up_to; i++)
        sizes[n++] = few[i];
    if (wanted->up_to > 0) return n;
    for (int size = 1; size <= (wanted->wide ? WIDE_ALL : ALL_SIZES); size++)
        sizes[n++] = size;
    const int *more = wanted->wide ? wide : beyond;
    for (int i = 0; i < (wanted->wide ? COUNT_OF(wide) : COUNT_OF(beyond)); i++)
        sizes[n++] = more[i];
    return n;
}

static void prove(sweep *s, const tti_shape *shape)
{
    tti_schedule *schedules[MOST_RANKS];
    for (int r = 0; r < shape->size; r++) {
        const tti_shape own = tti_checker_shape(s->collective, shape, r);
        EXPECT(tti_algorithm_build(s->algorithm, &own, &schedules[r]) == 0);
        s->steps += schedules[r]->count;
    }
    const bool known = proved_before(&s->proved, tti_collective_describe(s->collective), shape, schedules);
    if (!known && !tti_checker_prove(s->checker, s->collective, shape, schedules)) {
        fprintf(
            stderr,
            "%s %s: %d ranks, root %d, count %zu, radix %d, chunk %zu, leaders %d, window %zu, %scommuting, "
            "%sin place: %s\n",
            tti_collective_describe(s->collective)->name, s->algorithm->name, shape->size, shape->root,
            shape->count, shape->radix, shape->chunk, shape->leaders, shape->window,
            shape->commutes ? "" : "not ", shape->in_place ? "" : "not ", tti_checker_why(s->checker));
        exit(1);
    }
    s->calls++;
    s->proofs += !known;
    for (int r = 0; r < shape->size; r++)
        tti_schedule_free(schedules[r]);
}

static void sweep_operations(sweep *s, tti_shape shape)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    for (int in_place = 0; in_place <= (contract->sends && !contract->neighbours); in_place++)
        for (int commutes = 0; commutes < 2; commutes++) {
            if (commutes == 0 && (!contract->reduces || (s->algorithm->wants & TTI_NEEDS_COMMUTING) != 0))
                continue;
            shape.in_place = in_place != 0;
            shape.commutes = commutes != 0;
            tables_give(contract, &shape);
            prove(s, &shape);
            tables_free(&shape);
        }
}

/* Where windows are a node's affair: without them, and with one size after the other. */
static void sweep_shared_nodes(sweep *s, tti_shape shape)
{
    const size_t turn = (size_t)shape.size + (size_t)shape.root + (size_t)shape.radix + shape.count;
    sweep_operations(s, shape);
    shape.window = windows[turn % COUNT_OF(windows)];
    if (tti_window_holds(&shape, shape.size)) sweep_operations(s, shape);
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
    const bool many_blocks = shape.size > ALL_SIZES && has_blocks(s, &shape);
    const bool chunks_vary = (s->algorithm->wants & TTI_TAKES_CHUNK) != 0 && radix_count == 1 && !many_blocks;
    const int chunk_count = chunks_vary ? COUNT_OF(chunks) : 1;
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

static void sweep_wide_counts(sweep *s, tti_shape shape)
{
    const size_t counts[] = {1, 40, (size_t)shape.size + 1};
    const bool blocks = has_blocks(s, &shape);
    if (blocks && shape.size > WIDE_BLOCKS) return;
    for (int i = 0; i < (blocks ? 1 : shape.size > WIDE_ALL ? 2 : 3); i++) {
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

static void sweep_counts(sweep *s, tti_shape shape)
{
    const size_t size = (size_t)shape.size;
    const size_t counts[] = {1, size + 1, 0, 2, 7, size - 1, size, 1000};
    const tti_contract *contract = tti_collective_describe(s->collective);
    if (!contract->counted) {
        sweep_parameters(s, shape);
        return;
    }
    if (s->effort->wide) {
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
        if (!seen) sweep_parameters(s, shape);
    }
}

/* Algorithms that look at nodes, or at who shares memory, are tried on several layouts of them. */
static void sweep_layouts(sweep *s, tti_shape shape)
{
    const bool groups = (s->algorithm->wants & TTI_NEEDS_GROUPS) != 0;
    if ((s->algorithm->wants & (TTI_NEEDS_NODES | TTI_NEEDS_GROUPS)) == 0) sweep_counts(s, shape);
    if (!groups && (s->algorithm->wants & (TTI_NEEDS_NODES | TTI_TAKES_WINDOW)) == 0) return;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        tti_node_map *map = layout_make((enum layout)layout, shape.size);
        *(groups ? &shape.groups : &shape.nodes) = map;
        sweep_counts(s, shape);
        tti_node_map_free(map);
    }
}

static void sweep_roots(sweep *s, tti_shape shape)
{
    const int size = shape.size;
    const int sampled[] = {size - 1, 0, 1, size / 2, size - 2};
    const bool by_node = (s->algorithm->wants & TTI_NEEDS_NODES) != 0;
    const int most = s->effort->up_to > 0 ? ALL_ROOTS_OF_FEW : by_node ? ALL_ROOTS_BY_NODE : ALL_ROOTS;
    if (!tti_collective_describe(s->collective)->rooted) {
        sweep_layouts(s, shape);
        return;
    }
    const bool all = size <= most && !s->effort->wide;
    const int n = all ? size : s->effort->wide ? 1 : COUNT_OF(sampled);
    for (int i = 0; i < n; i++) {
        shape.root = all ? i : sampled[i];
        sweep_layouts(s, shape);
    }
}

/* Sizes are dealt out by turns; process `part` takes its own. */
static void sweep_sizes(sweep *s, int part)
{
    int sizes[MOST_RANKS];
    const int n = list_sizes(sizes, s->effort);
    for (int i = 0; i < n; i++) {
        if (i % PROCESSES != part) continue;
        if (sizes[i] % 2 != 0 && (s->algorithm->wants & TTI_NEEDS_EVEN) != 0) continue;
        const tti_shape shape = {.size = sizes[i],
                                 .element = tti_collective_describe(s->collective)->reduces ? 12 : 1};
        sweep_roots(s, shape);
    }
}

static bool is_wanted(const effort *wanted, const tti_algorithm *algorithm)
{
    char **name = wanted->only;
    while (*name != NULL && strcmp(*name, algorithm->name) != 0)
        name++;
    return *name != NULL || wanted->only[0] == NULL;
}

static void sweep_algorithm(sweep *s, const tti_algorithm *algorithm, int part)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    const int64_t begin = tti_clock_ns();
    s->algorithm = algorithm;
    s->calls = s->proofs = s->steps = 0;
    sweep_sizes(s, part);
    proved_forget(&s->proved);
    printf("%-9s %-14s %7ld calls, %7ld proofs, %10ld steps, %6.2f s\n", contract->name, algorithm->name,
           s->calls, s->proofs, s->steps, (double)(tti_clock_ns() - begin) * 1e-9);
    fflush(stdout);
}

static int sweep_all(const void *context, int part)
{
    const effort *wanted = context;
    sweep s = {.effort = wanted, .checker = tti_checker_open()};
    EXPECT(s.checker != NULL);
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c),
                           *same = proved_as(contract);
        s.collective = (enum tti_collective)c;
        if (same != NULL && part == 0) printf("%-9s as %s\n", contract->name, same->name);
        for (int a = 0; a < contract->count && same == NULL; a++)
            if (is_wanted(wanted, &contract->algorithms[a]))
                sweep_algorithm(&s, &contract->algorithms[a], part);
    }
    tti_checker_close(s.checker);
    return 0;
}

int main(int argc, char **argv)
{
    const bool limited = argc > 2 && strcmp(argv[1], "--up-to") == 0;
    const bool wide = argc > 1 && strcmp(argv[1], "--wide") == 0;
    const effort wanted = {.only = argv + (limited ? 3
                                           : wide  ? 2
                                                   : 1),
                           .up_to = limited ? atoi(argv[2]) : 0,
                           .wide = wide};
    return in_processes(PROCESSES, sweep_all, &wanted);
}
