/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose parts differ from rank to rank, as all ranks know: in their three forms, in place, with
 * parts of no element and of many, in any order and with gaps, on communicators made of the world. */
#include "tests/job/coll/parts.h"
#include "tests/job/coll/affine.h"
#include "tests/job/coll/told.h"

static void test_allgatherv(const trial *t)
{
    table of = {0};
    const table own = {.counts = {count_of(t, t->rank, 0)}};
    for (int r = 0; r < t->size; r++)
        of.counts[r] = count_of(t, r, 0);
    place(t, &of);
    clear();
    fill(t->in_place ? &of : &own, t->in_place ? t->rank : 0, t->in_place ? to : from,
         seed_of(t, t->rank, 0));
    IN_FORM(t->form, allgatherv, t->comm, t->in_place ? TUTTI_IN_PLACE : from, to, of.counts,
            offsets_of(t, &of), TYPE);
    for (int r = 0; r < t->size; r++)
        EXPECT(holds(&of, r, to, seed_of(t, r, 0)));
    EXPECT(gaps_are_left(t, &of));
}

/* Element i of rank r is i * 100 + r, of each further start 7 more. */
static void test_reduce_scatter(const trial *t)
{
    uint16_t *const own = (uint16_t *)(void *)(t->in_place ? to : from);
    const uint16_t *const got = (const uint16_t *)(const void *)to;
    size_t counts[MOST_RANKS], all = 0, first = 0;
    for (int r = 0; r < t->size; r++) {
        counts[r] = count_of(t, 0, r);
        first = r == t->rank ? all : first;
        all += counts[r];
    }
    clear();
    for (size_t i = 0; i < all; i++)
        own[i] = (uint16_t)(i * 100 + (size_t)t->rank + (size_t)start_now * 7);
    IN_FORM(t->form, reduce_scatter, t->comm, t->in_place ? TUTTI_IN_PLACE : from, to, counts, TUTTI_UINT16,
            TUTTI_SUM);
    const size_t ranks = (size_t)t->size;
    for (size_t i = 0; i < counts[t->rank]; i++)
        EXPECT(got[i] ==
               (uint16_t)(((first + i) * 100 + (size_t)start_now * 7) * ranks + ranks * (ranks - 1) / 2));
    EXPECT(((unsigned char *)to)[(t->in_place ? all : counts[t->rank]) * sizeof *got] == GAP);
}

static affine affine_of(int r, size_t index)
{
    const uint32_t number = (uint32_t)r * 1000003 + (uint32_t)index + (uint32_t)start_now * 10007 + 1;
    const uint32_t mixed = number * UINT32_C(0x9e3779b9);
    return (affine){mixed | 1, mixed >> 7};
}

/* Parts of unlike sizes, combined in rank order. */
static void test_reduce_scatter_in_order(const trial *t)
{
    affine *const own = (affine *)(void *)(t->in_place ? to : from), *const got = (affine *)(void *)to;
    size_t counts[MOST_RANKS], all = 0, first = 0;
    tutti_op *op;
    for (int r = 0; r < t->size; r++) {
        counts[r] = count_of(t, 0, r) * ELEMENT / sizeof(affine);
        first = r == t->rank ? all : first;
        all += counts[r];
    }
    clear();
    for (size_t i = 0; i < all; i++)
        own[i] = affine_of(t->rank, i);
    OK(tutti_op_create(affine_compose, 0, NULL, &op));
    IN_FORM(t->form, reduce_scatter, t->comm, t->in_place ? TUTTI_IN_PLACE : from, to, counts,
            TUTTI_TYPE_BYTES(sizeof(affine)), op);
    OK(tutti_op_free(&op));
    for (size_t i = 0; i < counts[t->rank]; i++) {
        affine expected = affine_of(t->size - 1, first + i);
        for (int r = t->size - 2; r >= 0; r--)
            affine_compose(&(affine){affine_of(r, first + i).a, affine_of(r, first + i).b}, &expected, 1,
                           NULL);
        EXPECT(got[i].a == expected.a && got[i].b == expected.b);
    }
}

static void test_means(trial *t)
{
    for (size_t i = 0; i < MEANS; i++) {
        t->mean = means[i];
        use_for((size_t)t->size + 1, largest_of(t->mean));
        t->packed = (i + t->form) % 2 == 0;
        EACH_START(t->form, test_allgatherv(t));
        EACH_START(t->form, test_reduce_scatter(t));
        EACH_START(t->form, test_reduce_scatter_in_order(t));
    }
}

static void test_on(tutti_comm *comm)
{
    in_each_form(comm, test_means);
}

/* Each rank alone: nobody waits for a call that is refused. */
static void test_refused(void)
{
    const size_t ones[MOST_RANKS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, zeros[MOST_RANKS] = {0};
    size_t huge[MOST_RANKS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    huge[size - 1] = SIZE_MAX / ELEMENT;
    REFUSED(tutti_allgatherv(world, from, to, NULL, NULL, TYPE), "the counts of the parts of recv");
    REFUSED(tutti_allgatherv(world, from, NULL, ones, NULL, TYPE), "recv is NULL with");
    REFUSED(tutti_allgatherv(world, NULL, to, ones, NULL, TYPE), "send is NULL with 3 bytes");
    REFUSED(tutti_allgatherv(world, to, to, ones, NULL, TYPE), "overlap");
    REFUSED(tutti_allgatherv(world, from, to, huge, NULL, TYPE), "more than memory can hold");
    EXPECT(tutti_allgatherv(world, from, to, ones, NULL, 0) == TUTTI_ERR_TYPE);
    REFUSED(tutti_reduce_scatter(world, from, to, NULL, TUTTI_INT8, TUTTI_SUM), "the parts of send");
    REFUSED(tutti_reduce_scatter(world, NULL, to, ones, TUTTI_INT8, TUTTI_SUM), "send is NULL with");
    EXPECT(tutti_reduce_scatter(world, from, to, ones, TUTTI_INT8, NULL) == TUTTI_ERR_OP);
    OK(tutti_allgatherv(world, NULL, NULL, zeros, NULL, TYPE));
    if (size > 1)
        REFUSED(tutti_allgatherv(world, from, to, ones, zeros, TYPE), "parts 0 and 1 of recv overlap");
}

/* Ranks that name different parts: an error, and nobody hangs. */
static void test_mismatch(void)
{
    tutti_comm *comm;
    size_t counts[MOST_RANKS];
    for (int r = 0; r < size; r++)
        counts[r] = rank == 0 ? 3 : 4;
    /* Its own: of the world some may still be in the last collective when the first are told here. */
    OK(tutti_comm_dup(world, &comm));
    const int code = tutti_allgatherv(comm, from, to, counts, NULL, TYPE);
    /* Of more than two some may pass on what fits; of one no part is another's. */
    EXPECT(code == TUTTI_ERR_ARG || (code == 0 && size != 2));
    OK(tutti_comm_free(&comm));
    if (size > 1) expect_told(code, 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    parts_open((size_t)size + 1, largest_of(means[MEANS - 1]));
    on_communicators(test_on);
    test_refused();
    test_mismatch();
    parts_close();
    return job_close();
}
