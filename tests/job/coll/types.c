/* SPDX-License-Identifier: BSD-3-Clause */
/* Every element type by every operation that it admits, and an operation of the user's that commutes, in
 * every collective that combines, in its three forms: each rank has elements of its own, and the result is
 * that of combining them one rank after the other. */
#include "tests/job/coll/elements.h"
#include "tests/job/coll/forms.h"

#define MOST_RANKS 16
#define MOST ((size_t)2500) /* elements of one rank */

enum collective { ALLREDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN, EXSCAN, COLLECTIVES };

typedef struct {
    const element_type *of;
    enum operation operation;
    tutti_op *op;
    enum form form;
    enum collective collective;
    size_t count; /* of one rank's elements */
    int root;
    bool in_place;
} trial;

static const size_t counts[] = {1, 37, MOST};
static number (*upto)[MOST]; /* of ranks 0 to r combined */
static unsigned char *from, *to;
static size_t parts[MOST_RANKS];

static void tally(const void *in, void *inout, size_t count, void *context)
{
    number *results = inout;
    (void)context;
    for (size_t i = 0; i < count; i++)
        results[i] = tallied(((const number *)in)[i], results[i]);
}

/* As the type holds it. */
static number held(const trial *t, number n)
{
    _Alignas(max_align_t) unsigned char element[sizeof(number)];
    t->of->put(element, n);
    return t->of->get(element);
}

static void expect_all(const trial *t)
{
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < MOST; i++) {
            const number own = held(t, number_of(t->of->kind, t->operation, r, i));
            upto[r][i] = r == 0 ? own : held(t, combined(t->operation, upto[r - 1][i], own));
        }
}

/* Where the caller's part of the result begins. */
static size_t lay_parts(const trial *t)
{
    const size_t ranks = (size_t)size;
    size_t first = 0;
    for (size_t r = 0; r < ranks; r++) {
        parts[r] = t->collective == REDUCE_SCATTER_BLOCK ? t->count / ranks
                                                         : t->count * (r + 1) / ranks - t->count * r / ranks;
        if ((int)r < rank) first += parts[r];
    }
    return first;
}

static void call(const trial *t, const void *send)
{
    const tutti_type type = t->of->type;
    tutti_op *const op = t->op;
    switch (t->collective) {
    case ALLREDUCE: IN_FORM(t->form, allreduce, world, send, to, t->count, type, op); break;
    case REDUCE: IN_FORM(t->form, reduce, world, send, to, t->count, type, op, t->root); break;
    case REDUCE_SCATTER: IN_FORM(t->form, reduce_scatter, world, send, to, parts, type, op); break;
    case REDUCE_SCATTER_BLOCK:
        IN_FORM(t->form, reduce_scatter_block, world, send, to, parts[0], type, op);
        break;
    case SCAN: IN_FORM(t->form, scan, world, send, to, t->count, type, op); break;
    default: IN_FORM(t->form, exscan, world, send, to, t->count, type, op);
    }
}

static void expect_elements(const trial *t, size_t first, size_t count, int last)
{
    for (size_t i = 0; i < count; i++) {
        const number got = t->of->get(to + i * t->of->bytes), due = upto[last][first + i];
        EXPECT(got.whole == due.whole && got.re == due.re && got.im == due.im && got.index == due.index);
    }
}

static void expect_result(const trial *t, size_t first)
{
    switch (t->collective) {
    case REDUCE:
        if (rank == t->root) expect_elements(t, 0, t->count, size - 1);
        break;
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK: expect_elements(t, first, parts[rank], size - 1); break;
    case SCAN: expect_elements(t, 0, t->count, rank); break;
    case EXSCAN:
        if (rank > 0) expect_elements(t, 0, t->count, rank - 1);
        break;
    default: expect_elements(t, 0, t->count, size - 1);
    }
}

static void test(const trial *t)
{
    const size_t bytes = t->of->bytes, first = lay_parts(t);
    const bool in_place = t->in_place && (t->collective != REDUCE || rank == t->root);
    memset(to, 0xee, t->count * bytes);
    memset(from, 0, t->count * bytes);
    for (size_t i = 0; i < t->count; i++)
        t->of->put((in_place ? to : from) + i * bytes, number_of(t->of->kind, t->operation, rank, i));
    call(t, in_place ? TUTTI_IN_PLACE : from);
    expect_result(t, first);
}

static void test_operation(const element_type *of, enum operation operation, tutti_op *op)
{
    trial t = {.of = of, .operation = operation, .op = op};
    expect_all(&t);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            for (enum form form = BLOCKING; form < FORMS; form++) {
                t.form = form;
                t.collective = (enum collective)c;
                t.count = counts[i];
                t.in_place = (i + form) % 2 == 1;
                t.root = (t.root + 1) % size;
                test(&t);
            }
}

int main(void)
{
    static tutti_op *const builtin[] = {TUTTI_SUM,  TUTTI_PROD, TUTTI_MIN,    TUTTI_MAX,
                                        TUTTI_LAND, TUTTI_LOR,  TUTTI_LXOR,   TUTTI_BAND,
                                        TUTTI_BOR,  TUTTI_BXOR, TUTTI_MINLOC, TUTTI_MAXLOC};
    tutti_op *users;
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size <= MOST_RANKS);
    upto = malloc((size_t)size * sizeof *upto);
    from = malloc(MOST * sizeof(number));
    to = malloc(MOST * sizeof(number));
    EXPECT(upto != NULL && from != NULL && to != NULL);
    OK(tutti_op_create(tally, 1, NULL, &users));
    for (size_t e = 0; e < ELEMENT_TYPES; e++)
        for (enum operation o = SUM; o < OPERATIONS; o++)
            if (is_admitted(element_types[e].kind, o))
                test_operation(&element_types[e], o, o == USERS ? users : builtin[o]);
    OK(tutti_op_free(&users));
    free(upto);
    free(from);
    free(to);
    return job_close();
}
