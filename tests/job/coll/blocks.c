/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that move a block of each rank or for each: in their three forms, at many sizes, with every
 * root of few ranks and some of many, in place, and on communicators made of the world. */
#include <string.h>

#include "tests/job/coll/forms.h"
#include "tests/job/payload.h"

static const size_t lengths[] = {0, 1, 3, 1000, 5000, 70001};
#define LENGTHS (sizeof lengths / sizeof lengths[0])
#define MOST_BYTES ((size_t)70001)

typedef struct {
    tutti_comm *comm;
    int rank, size, root; /* in it */
    enum form form;
    size_t bytes;
    bool in_place;
} trial;

/* Of a block for each rank of the world. */
static unsigned char *from, *to;

static uint64_t seed_of(const trial *t, int source, int target)
{
    return (uint64_t)source * 1000 + (uint64_t)target * 7 + t->bytes + (uint64_t)start_now * 31;
}

static void fill(const trial *t, unsigned char *buffer, int block, uint64_t seed)
{
    payload_fill(buffer + t->bytes * (size_t)block, t->bytes, seed);
}

static bool holds(const trial *t, const unsigned char *buffer, int block, uint64_t seed)
{
    return payload_is(buffer + t->bytes * (size_t)block, t->bytes, seed);
}

static void clear(const trial *t)
{
    memset(from, 0xdd, t->bytes * (size_t)t->size + 1);
    memset(to, 0xee, t->bytes * (size_t)t->size + 1);
}

static void test_gather(const trial *t)
{
    const bool here = t->rank == t->root, in_place = t->in_place && here;
    clear(t);
    fill(t, in_place ? to : from, in_place ? t->rank : 0, seed_of(t, t->rank, 0));
    IN_FORM(t->form, gather, t->comm, in_place ? TUTTI_IN_PLACE : from, here ? to : NULL, t->bytes, t->root);
    for (int r = 0; here && r < t->size; r++)
        EXPECT(holds(t, to, r, seed_of(t, r, 0)));
    EXPECT(to[here ? t->bytes * (size_t)t->size : 0] == 0xee);
    EXPECT(in_place || holds(t, from, 0, seed_of(t, t->rank, 0)));
}

static void test_scatter(const trial *t)
{
    const bool here = t->rank == t->root, in_place = t->in_place && here;
    clear(t);
    for (int r = 0; here && r < t->size; r++)
        fill(t, from, r, seed_of(t, t->root, r));
    IN_FORM(t->form, scatter, t->comm, here ? from : NULL, in_place ? TUTTI_IN_PLACE : to, t->bytes, t->root);
    EXPECT(in_place || holds(t, to, 0, seed_of(t, t->root, t->rank)));
    EXPECT(to[in_place ? 0 : t->bytes] == 0xee);
    for (int r = 0; here && r < t->size; r++)
        EXPECT(holds(t, from, r, seed_of(t, t->root, r)));
}

static void test_alltoall(const trial *t)
{
    unsigned char *const own = t->in_place ? to : from;
    clear(t);
    for (int r = 0; r < t->size; r++)
        fill(t, own, r, seed_of(t, t->rank, r));
    IN_FORM(t->form, alltoall, t->comm, t->in_place ? TUTTI_IN_PLACE : from, to, t->bytes);
    for (int r = 0; r < t->size; r++) {
        EXPECT(holds(t, to, r, seed_of(t, r, t->rank)));
        EXPECT(t->in_place || holds(t, from, r, seed_of(t, t->rank, r)));
    }
    EXPECT(to[t->bytes * (size_t)t->size] == 0xee);
}

static void test_lengths(trial *t)
{
    for (size_t i = 0; i < LENGTHS; i++) {
        t->bytes = lengths[i];
        for (t->root = 0; t->root < t->size; t->root += t->size <= 5 ? 1 : t->size / 3) {
            EACH_START(t->form, test_gather(t));
            EACH_START(t->form, test_scatter(t));
        }
        EACH_START(t->form, test_alltoall(t));
    }
}

static void test_on(tutti_comm *comm)
{
    trial t = {.comm = comm, .rank = tutti_comm_rank(comm), .size = tutti_comm_size(comm)};
    for (int form = 0; form < FORMS; form++)
        for (int in_place = 0; in_place < 2; in_place++) {
            t.form = (enum form)form;
            t.in_place = in_place != 0;
            test_lengths(&t);
            OK(tutti_barrier(comm)); /* straight on shared memory, where the others pass messages */
        }
}

/* Each rank alone: nobody waits for a call that is refused. */
static void test_refused(void)
{
    const int other = (rank + 1) % size;
    REFUSED(tutti_gather(world, from, NULL, 8, rank), "tutti_gather: recv is NULL with");
    REFUSED(tutti_gather(world, NULL, to, 8, rank), "tutti_gather: send is NULL with 8 bytes");
    REFUSED(tutti_gather(world, to, to, 8, rank), "overlap; at the root TUTTI_IN_PLACE as send");
    REFUSED(tutti_scatter(world, NULL, to, 8, rank), "tutti_scatter: send is NULL with");
    REFUSED(tutti_scatter(world, NULL, TUTTI_IN_PLACE, 8, rank), "tutti_scatter: send is NULL with");
    REFUSED(tutti_scatter(world, TUTTI_IN_PLACE, to, 8, rank), "send is TUTTI_IN_PLACE with");
    REFUSED(tutti_scatter(world, to, to, 8, rank), "overlap; at the root TUTTI_IN_PLACE as recv");
    REFUSED(tutti_scatter(world, from, NULL, 8, rank), "tutti_scatter: recv is NULL with 8 bytes");
    EXPECT(tutti_scatter(world, from, to, 8, size) == TUTTI_ERR_RANK);
    REFUSED(tutti_alltoall(world, from, NULL, 8), "tutti_alltoall: recv is NULL with");
    REFUSED(tutti_alltoall(world, to, to, 8), "overlap; TUTTI_IN_PLACE as send takes the input");
    REFUSED(tutti_alltoall(world, from, TUTTI_IN_PLACE, 8), "bytes; TUTTI_IN_PLACE as send takes");
    REFUSED(tutti_bcast(world, TUTTI_IN_PLACE, 8, rank), "buf is TUTTI_IN_PLACE with 8 bytes; there is");
    REFUSED(tutti_alltoall(world, from, to, PTRDIFF_MAX / (size_t)size + 1), "more than memory");
    if (other == rank) return;
    REFUSED(tutti_gather(world, TUTTI_IN_PLACE, to, 8, other), "send is TUTTI_IN_PLACE with 8 bytes");
    REFUSED(tutti_scatter(world, from, TUTTI_IN_PLACE, 8, other), "8 bytes; at the root TUTTI_IN_PLACE");
    REFUSED(tutti_scatter(world, from, to, PTRDIFF_MAX / (size_t)size + 1, rank), "more than memory");
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    from = malloc(MOST_BYTES * (size_t)size + 1);
    to = malloc(MOST_BYTES * (size_t)size + 1);
    EXPECT(from != NULL && to != NULL);
    on_communicators(test_on);
    test_refused();
    free(from);
    free(to);
    return job_close();
}
