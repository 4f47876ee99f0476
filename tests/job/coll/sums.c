/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan, exscan and reduce_scatter_block against sums made one rank after the other: in their three forms, in
 * place, at many counts, on communicators made of the world, of every type, and by an operation that tells
 * in which order it was applied. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/coll/forms.h"

static const size_t counts[] = {0, 1, 3, 64, 1000, 5001};
#define COUNTS (sizeof counts / sizeof counts[0])
#define MOST_BYTES ((size_t)5001 * sizeof(range))

enum collective { SCAN, EXSCAN, REDUCE_SCATTER_BLOCK, COLLECTIVES };

/* Elements of ranks first … last combined in order, all with that index; else broken. */
typedef struct {
    int32_t first, last, index, broken;
} range;

/* What is combined: element `index` of rank `r`, and whether one is that of ranks 0 … last combined. */
typedef struct {
    size_t bytes;
    tutti_type type;
    tutti_op *op;
    void (*put)(void *element, int r, size_t index);
    bool (*is)(const void *element, int last, size_t index);
} subject;

typedef struct {
    tutti_comm *comm;
    int rank, size; /* in it */
    enum collective collective;
    enum form form;
    const subject *of;
    size_t count;
    bool in_place;
} trial;

static unsigned char *from, *to;
static int operation; /* index of the one that put_… and is_… are about */

static void append(const void *in, void *inout, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        const range *a = &((const range *)in)[i];
        range *b = &((range *)inout)[i];
        b->broken |= a->broken || a->last + 1 != b->first || a->index != b->index;
        b->first = a->first;
    }
}

/* Of each start others. */
static int32_t index_now(size_t index)
{
    return (int32_t)index + start_now * 1000003;
}

static void put_range(void *element, int r, size_t index)
{
    *(range *)element = (range){r, r, index_now(index), 0};
}

static bool is_range(const void *element, int last, size_t index)
{
    const range *found = element;
    return found->first == 0 && found->last == last && found->index == index_now(index) && !found->broken;
}

enum { SUM, PROD, MIN, MAX, OPERATIONS };

/* Small whole numbers, whose combinations every type can hold. */
static double value(int r, size_t index)
{
    const size_t mixed = (size_t)r * 3 + index;
    if (operation == PROD) return mixed % 5 == 0 ? -1 : 1;
    return (double)(mixed % 7) - 1;
}

static double combined(int last, size_t index)
{
    double all = value(0, index);
    for (int r = 1; r <= last; r++) {
        const double next = value(r, index);
        all = operation == SUM    ? all + next
              : operation == PROD ? all * next
              : operation == MIN  ? (next < all ? next : all)
                                  : (next > all ? next : all);
    }
    return all;
}

#define TYPE(ctype)                                                                                          \
    static void put_##ctype(void *element, int r, size_t index)                                              \
    {                                                                                                        \
        *(ctype *)element = (ctype)value(r, index);                                                          \
    }                                                                                                        \
    static bool is_##ctype(const void *element, int last, size_t index)                                      \
    {                                                                                                        \
        return *(const ctype *)element == (ctype)combined(last, index);                                      \
    }
TYPE(int8_t)
TYPE(int16_t)
TYPE(int32_t)
TYPE(int64_t)
TYPE(float)
TYPE(double)

static size_t contributed(const trial *t)
{
    return t->count * (t->collective == REDUCE_SCATTER_BLOCK ? (size_t)t->size : 1);
}

static void fill(const trial *t, unsigned char *own)
{
    const size_t bytes = (contributed(t) + 1) * t->of->bytes;
    memset(from, 0xdd, bytes);
    memset(to, 0xee, bytes);
    for (size_t i = 0; i < contributed(t); i++)
        t->of->put(own + i * t->of->bytes, t->rank, i);
}

static bool is_untouched(const trial *t, size_t first, size_t end)
{
    for (size_t i = first * t->of->bytes; i < end * t->of->bytes; i++)
        if (to[i] != 0xee) return false;
    return true;
}

/* Its own contribution is as it was. */
static bool is_own(const trial *t, const unsigned char *at)
{
    unsigned char element[sizeof(range)];
    for (size_t i = 0; i < contributed(t); i++) {
        t->of->put(element, t->rank, i);
        if (memcmp(at + i * t->of->bytes, element, t->of->bytes) != 0) return false;
    }
    return true;
}

static void check(const trial *t)
{
    const int last = t->collective == SCAN ? t->rank : t->collective == EXSCAN ? t->rank - 1 : t->size - 1;
    const size_t first = t->collective == REDUCE_SCATTER_BLOCK ? t->count * (size_t)t->rank : 0;
    EXPECT(t->in_place || is_own(t, from));
    EXPECT(is_untouched(t, t->in_place ? contributed(t) : t->count, contributed(t) + 1));
    if (last < 0) {
        EXPECT(t->in_place ? is_own(t, to) : is_untouched(t, 0, t->count));
        return;
    }
    for (size_t i = 0; i < t->count; i++)
        EXPECT(t->of->is(to + i * t->of->bytes, last, first + i));
}

static void test(const trial *t)
{
    const void *send = t->in_place ? TUTTI_IN_PLACE : from;
    fill(t, t->in_place ? to : from);
    switch (t->collective) {
    case SCAN: IN_FORM(t->form, scan, t->comm, send, to, t->count, t->of->type, t->of->op); break;
    case EXSCAN: IN_FORM(t->form, exscan, t->comm, send, to, t->count, t->of->type, t->of->op); break;
    default: IN_FORM(t->form, reduce_scatter_block, t->comm, send, to, t->count, t->of->type, t->of->op);
    }
    check(t);
}

static void test_collectives(trial *t)
{
    for (int c = 0; c < COLLECTIVES; c++)
        for (int in_place = 0; in_place < 2; in_place++) {
            t->collective = (enum collective)c;
            t->in_place = in_place != 0;
            EACH_START(t->form, test(t));
        }
}

/* In all forms, in rank order. */
static void test_on(tutti_comm *comm)
{
    subject ordered = {sizeof(range), TUTTI_TYPE_BYTES(sizeof(range)), NULL, put_range, is_range};
    OK(tutti_op_create(append, 0, NULL, &ordered.op));
    trial t = {.comm = comm, .rank = tutti_comm_rank(comm), .size = tutti_comm_size(comm), .of = &ordered};
    for (int form = 0; form < FORMS; form++)
        for (size_t i = 0; i < COUNTS; i++) {
            t.form = (enum form)form;
            t.count = counts[i];
            test_collectives(&t);
        }
    OK(tutti_op_free(&ordered.op));
}

static void test_types(void)
{
#define SUBJECT(ctype, type) {sizeof(ctype), type, NULL, put_##ctype, is_##ctype}
    subject subjects[] = {SUBJECT(int8_t, TUTTI_INT8),   SUBJECT(int16_t, TUTTI_INT16),
                          SUBJECT(int32_t, TUTTI_INT32), SUBJECT(int64_t, TUTTI_INT64),
                          SUBJECT(float, TUTTI_FLOAT),   SUBJECT(double, TUTTI_DOUBLE)};
    tutti_op *const operations[OPERATIONS] = {TUTTI_SUM, TUTTI_PROD, TUTTI_MIN, TUTTI_MAX};
    trial t = {.comm = world, .rank = rank, .size = size};
    for (size_t s = 0; s < sizeof subjects / sizeof subjects[0]; s++)
        for (operation = 0; operation < OPERATIONS; operation++)
            for (size_t i = 0; i < COUNTS; i++) {
                subjects[s].op = operations[operation];
                t.of = &subjects[s];
                t.count = counts[i];
                test_collectives(&t);
            }
}

static void test_refused(void)
{
    int64_t x[2] = {0}, y[2] = {0};
    EXPECT(tutti_scan(world, x, x, 1, TUTTI_INT64, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(tutti_scan(world, x, y, 1, TUTTI_INT64, NULL) == TUTTI_ERR_OP);
    EXPECT(tutti_exscan(world, NULL, y, 1, TUTTI_INT64, TUTTI_SUM) == TUTTI_ERR_ARG);
    if (rank > 0) EXPECT(tutti_exscan(world, x, NULL, 1, TUTTI_INT64, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(tutti_reduce_scatter_block(world, x, NULL, 1, TUTTI_INT64, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "tutti_reduce_scatter_block: recv is NULL with 8 bytes") != NULL);
    if (size == 1) return;
    EXPECT(tutti_reduce_scatter_block(world, x, y, PTRDIFF_MAX / 8 / (size_t)size + 1, TUTTI_INT64,
                                      TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "more than memory") != NULL);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    from = malloc(MOST_BYTES * (size_t)size + sizeof(range));
    to = malloc(MOST_BYTES * (size_t)size + sizeof(range));
    EXPECT(from != NULL && to != NULL);
    on_communicators(test_on);
    test_types();
    test_refused();
    free(from);
    free(to);
    return job_close();
}
