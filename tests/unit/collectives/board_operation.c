/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/collectives/board_operation.h"

#include "collectives/contract/op.h"

/* A string of numbers as its hash: joining them is associative and does not commute. */
typedef struct {
    uint64_t hash, factor, count;
} chain;

static void join(const void *in, void *inout, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        chain left, right;
        memcpy(&left, (const chain *)in + i, sizeof left);
        memcpy(&right, (chain *)inout + i, sizeof right);
        const chain both = {left.hash * right.factor + right.hash, left.factor * right.factor,
                            left.count + right.count};
        memcpy((chain *)inout + i, &both, sizeof both);
    }
}

static void fill_chain(unsigned char *element, uint64_t random)
{
    const chain one = {random, random >> 7 | 1, 1};
    memcpy(element, &one, sizeof one);
}

static void fill_bits8(unsigned char *element, uint64_t random)
{
    *element = (unsigned char)random;
}
static void fill_bits32(unsigned char *element, uint64_t random)
{
    memcpy(element, &random, 4);
}
static void fill_bits64(unsigned char *element, uint64_t random)
{
    memcpy(element, &random, 8);
}
/* Floating-point sums are exact, whatever the order. */
static void fill_float(unsigned char *element, uint64_t random)
{
    const float value = (float)(random % 1000);
    memcpy(element, &value, sizeof value);
}
static void fill_complex(unsigned char *element, uint64_t random)
{
    const double value[2] = {(double)(random % 1000), (double)(random >> 40)};
    memcpy(element, value, sizeof value);
}
static void fill_pair(unsigned char *element, uint64_t random)
{
    const int32_t pair[2] = {(int32_t)(random % 5), (int32_t)(random >> 33)};
    memcpy(element, pair, sizeof pair);
}

static reducer reducers[] = {
    {TUTTI_UINT8, TUTTI_BXOR, 1, fill_bits8},
    {TUTTI_INT32, TUTTI_SUM, 4, fill_bits32},
    {TUTTI_FLOAT, TUTTI_MAX, 4, fill_float},
    {TUTTI_UINT64, TUTTI_PROD, 8, fill_bits64},
    {TUTTI_INT32_INT, TUTTI_MINLOC, 8, fill_pair},
    {TUTTI_DOUBLE_COMPLEX, TUTTI_SUM, 16, fill_complex},
    {TUTTI_TYPE_BYTES(sizeof(chain)), NULL, sizeof(chain), fill_chain},
    {TUTTI_TYPE_BYTES(sizeof(chain)), NULL, sizeof(chain), fill_chain},
};
#define REDUCERS (sizeof reducers / sizeof reducers[0])

void open_reducers(void)
{
    for (size_t i = 0; i < REDUCERS; i++)
        if (reducers[i].op == NULL) EXPECT(tutti_op_create(join, 0, NULL, &reducers[i].op) == 0);
}

void close_reducers(void)
{
    for (size_t i = 0; i < REDUCERS; i++)
        if (!tti_op_commutes(reducers[i].op)) EXPECT(tutti_op_free(&reducers[i].op) == 0);
}

static bool reduces(const operation *o)
{
    return o->kind == TTI_REDUCE || o->kind == TTI_ALLREDUCE;
}

/* Near a size at which something changes. */
static size_t draw_count(uint64_t *random, const tti_board_shape *shape, size_t small, size_t element)
{
    const size_t limits[] = {0,
                             element,
                             small,
                             shape->cell_bytes,
                             shape->block,
                             2 * (size_t)shape->block,
                             (3 + draw(random, 9)) * (size_t)shape->block};
    const size_t near = limits[draw(random, sizeof limits / sizeof limits[0])] / element;
    const size_t away = draw(random, 4);
    if (draw(random, 2) == 0) return near + away;
    return near > away ? near - away : 0;
}

/* Lets one rank call otherwise than the others, in a way of which a promise is made. */
static void make_odd(operation *o, uint64_t *random, const tti_board_shape *shape)
{
    const int odd = (int)draw(random, shape->ranks), ranks = (int)shape->ranks;
    const uint32_t way = draw(random, 4);
    const bool is_large = o->count * o->by->element > o->small;
    if (way == 0 && o->kind == TTI_REDUCE && is_large)
        o->odd_root = (o->root + 1 + (int)draw(random, shape->ranks - 1)) % ranks;
    else if (way == 1 && (o->kind == TTI_ALLREDUCE || o->kind == TTI_ALLGATHER))
        o->odd_kind = true;
    else
        o->odd_count = draw_count(random, shape, o->small, reduces(o) ? o->by->element : 1);
    if (o->odd_kind || o->odd_root != o->root || o->odd_count != o->count) o->odd = odd;
}

/* Those that have a way on shared memory. */
static const enum tti_collective kinds[] = {TTI_BCAST, TTI_REDUCE, TTI_ALLREDUCE, TTI_ALLGATHER};

operation draw_operation(uint64_t *random, const tti_board_shape *shape, size_t small)
{
    operation o = {.odd = -1, .small = small};
    o.kind = kinds[draw(random, sizeof kinds / sizeof kinds[0])];
    o.root = o.odd_root = (int)draw(random, shape->ranks);
    o.by = &reducers[draw(random, REDUCERS)];
    o.count = o.odd_count = draw_count(random, shape, small, reduces(&o) ? o.by->element : 1);
    o.seed = next_random(random);
    o.in_place = draw(random, 2) == 0 ? next_random(random) : 0;
    if (shape->ranks > 1 && draw(random, 12) == 0) make_odd(&o, random, shape);
    return o;
}

enum tti_collective own_kind(const operation *o, int rank)
{
    if (rank != o->odd || !o->odd_kind) return o->kind;
    return o->kind == TTI_ALLREDUCE ? TTI_ALLGATHER : TTI_ALLREDUCE;
}

int own_root(const operation *o, int rank)
{
    return rank == o->odd ? o->odd_root : o->root;
}

size_t own_bytes(const operation *o, int rank)
{
    return (rank == o->odd ? o->odd_count : o->count) * (reduces(o) ? o->by->element : 1);
}

void contribute(const operation *o, int rank, unsigned char *to, size_t bytes)
{
    const size_t element = reduces(o) ? o->by->element : 1;
    uint64_t state = o->seed + (uint64_t)rank * 77;
    for (size_t at = 0; at < bytes; at += element) {
        if (reduces(o))
            o->by->fill(to + at, next_random(&state));
        else
            fill_bits8(to + at, next_random(&state));
    }
}

static void reduce_all(const operation *o, int ranks, size_t bytes, unsigned char *to)
{
    unsigned char *one = malloc(bytes + 1);
    EXPECT(one != NULL);
    contribute(o, ranks - 1, to, bytes);
    for (int r = ranks - 2; r >= 0; r--) {
        contribute(o, r, one, bytes);
        tti_op_apply(o->by->op, one, to, bytes / o->by->element, o->by->type);
    }
    free(one);
}

size_t expected_result(const operation *o, int rank, int ranks, unsigned char *to)
{
    const size_t bytes = own_bytes(o, rank);
    switch (o->kind) {
    case TTI_BCAST: contribute(o, o->root, to, bytes); return bytes;
    case TTI_REDUCE:
        if (rank != own_root(o, rank)) return 0;
        /* fall through */
    case TTI_ALLREDUCE: reduce_all(o, ranks, bytes, to); return bytes;
    default: break; /* an allgather */
    }
    for (int r = 0; r < ranks; r++)
        contribute(o, r, to + (size_t)r * bytes, bytes);
    return bytes * (size_t)ranks;
}

static bool must_fail(const operation *o, int rank)
{
    if (o->odd < 0) return false;
    if (o->kind == TTI_BCAST) return rank != o->root && (rank == o->odd || o->root == o->odd);
    if (o->kind == TTI_REDUCE) return rank == own_root(o, rank) || own_bytes(o, rank) > o->small;
    return true;
}

bool is_expected(int code, const operation *o, int rank)
{
    return code == (must_fail(o, rank) ? TUTTI_ERR_ARG : 0);
}
