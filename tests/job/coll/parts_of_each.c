/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose parts differ from rank to rank, of which each rank knows its own: in their three forms,
 * in place, with parts of no element and of many, in any order and with gaps, with sources that overlap, on
 * communicators made of the world. */
#include "tests/job/coll/parts.h"

/* What the caller sends, or gets, as the one or the other. */
static table row_of(const trial *t, bool sent)
{
    table made = {0};
    for (int r = 0; r < t->size; r++)
        made.counts[r] = sent ? count_of(t, t->rank, r) : count_of(t, r, t->rank);
    place(t, &made);
    return made;
}

static table column_of_root(const trial *t)
{
    table made = {0};
    for (int r = 0; r < t->size; r++)
        made.counts[r] = count_of(t, r, 0);
    place(t, &made);
    return made;
}

static table in_bytes(const trial *t, const table *of)
{
    table made = {0};
    for (int r = 0; r < t->size; r++) {
        made.counts[r] = of->counts[r] * ELEMENT;
        made.offsets[r] = of->offsets[r] * ELEMENT;
    }
    return made;
}

static void exchange(const trial *t, bool by_bytes, const table *sent, const table *got)
{
    const void *const send = t->in_place ? TUTTI_IN_PLACE : from;
    const table s = in_bytes(t, sent), g = in_bytes(t, got);
    if (by_bytes)
        IN_FORM(t->form, alltoallw, t->comm, send, s.counts, offsets_of(t, &s), to, g.counts,
                offsets_of(t, &g));
    else
        IN_FORM(t->form, alltoallv, t->comm, send, sent->counts, offsets_of(t, sent), to, got->counts,
                offsets_of(t, got), TYPE);
}

static void test_alltoall(const trial *t, bool by_bytes)
{
    const table sent = row_of(t, true), got = row_of(t, false);
    clear();
    for (int r = 0; r < t->size; r++)
        fill(t->in_place ? &got : &sent, r, t->in_place ? to : from, seed_of(t, t->rank, r));
    exchange(t, by_bytes, &sent, &got);
    for (int r = 0; r < t->size; r++) {
        EXPECT(holds(&got, r, to, seed_of(t, r, t->rank)));
        EXPECT(t->in_place || holds(&sent, r, from, seed_of(t, t->rank, r)));
    }
    EXPECT(gaps_are_left(t, &got));
}

/* All get the beginning of the same bytes. */
static void test_overlapping_sources(const trial *t)
{
    const table got = row_of(t, false);
    table sent = row_of(t, true);
    if (t->in_place) return;
    clear();
    payload_fill(from, 2 * (t->mean + 1) * ELEMENT, seed_of(t, t->rank, 0));
    memset(sent.offsets, 0, sizeof sent.offsets);
    IN_FORM(t->form, alltoallv, t->comm, from, sent.counts, sent.offsets, to, got.counts, got.offsets, TYPE);
    for (int r = 0; r < t->size; r++)
        EXPECT(holds(&got, r, to, seed_of(t, r, 0)));
}

static void test_gatherv(const trial *t)
{
    const bool here = t->rank == t->root, in_place = t->in_place && here;
    const table of = column_of_root(t), own = {.counts = {of.counts[t->rank]}};
    clear();
    fill(in_place ? &of : &own, in_place ? t->rank : 0, in_place ? to : from, seed_of(t, t->rank, 0));
    IN_FORM(t->form, gatherv, t->comm, in_place ? TUTTI_IN_PLACE : from, own.counts[0], here ? to : NULL,
            here ? of.counts : NULL, here ? offsets_of(t, &of) : NULL, TYPE, t->root);
    for (int r = 0; here && r < t->size; r++)
        EXPECT(holds(&of, r, to, seed_of(t, r, 0)));
    EXPECT(!here || gaps_are_left(t, &of));
}

static void test_scatterv(const trial *t)
{
    const bool here = t->rank == t->root, in_place = t->in_place && here;
    const table of = column_of_root(t), own = {.counts = {of.counts[t->rank]}};
    clear();
    for (int r = 0; here && r < t->size; r++)
        fill(&of, r, from, seed_of(t, t->root, r));
    IN_FORM(t->form, scatterv, t->comm, here ? from : NULL, here ? of.counts : NULL,
            here ? offsets_of(t, &of) : NULL, in_place ? TUTTI_IN_PLACE : to, own.counts[0], TYPE, t->root);
    EXPECT(in_place || holds(&own, 0, to, seed_of(t, t->root, t->rank)));
    EXPECT(to[in_place ? 0 : own.counts[0] * ELEMENT] == GAP);
    for (int r = 0; here && r < t->size; r++)
        EXPECT(holds(&of, r, from, seed_of(t, t->root, r)));
}

static void test_means(trial *t)
{
    for (size_t i = 0; i < MEANS; i++) {
        t->mean = means[i];
        use_for((size_t)t->size + 1, largest_of(t->mean));
        t->packed = (i + t->form) % 2 == 0;
        for (t->root = 0; t->root < t->size; t->root += t->size / 2 + 1) {
            EACH_START(t->form, test_gatherv(t));
            EACH_START(t->form, test_scatterv(t));
        }
        EACH_START(t->form, test_alltoall(t, i % 2 == 0));
        EACH_START(t->form, test_alltoall(t, i % 2 != 0));
        EACH_START(t->form, test_overlapping_sources(t));
    }
}

/* Parts of the one table between those of the other, in one buffer. */
static void test_interleaved(void)
{
    table sent = {0}, got = {0};
    for (int r = 0; r < size; r++) {
        sent.counts[r] = got.counts[r] = 1;
        sent.offsets[r] = 2 * (size_t)r;
        got.offsets[r] = 2 * (size_t)r + 1;
        to[2 * r] = (unsigned char)(rank * size + r);
    }
    OK(tutti_alltoallw(world, to, sent.counts, sent.offsets, to, got.counts, got.offsets));
    for (int r = 0; r < size; r++)
        EXPECT(to[2 * r + 1] == (unsigned char)(r * size + rank));
    REFUSED(tutti_alltoallw(world, to, sent.counts, got.offsets, to, got.counts, got.offsets), "overlap");
}

#define ANYWHERE 400

/* Whether `a` bytes at one place and `b` at another have one in common. */
static bool have_common(size_t at, size_t a, size_t other, size_t b)
{
    return at < other + b && other < at + a;
}

/* Parts of one length anywhere in one buffer, but for those of recv, which lie apart; alike at all ranks. */
static void test_anywhere(uint64_t seed)
{
    const size_t count = seed % 4, slots = 2 * (size_t)size;
    table sent = {0}, got = {0};
    bool meet = false;
    for (int r = 0; r < size; r++) {
        sent.counts[r] = got.counts[r] = count;
        got.offsets[r] = 3 * ((seed / 4 + (uint64_t)r * (2 * (uint64_t)size - 1)) % slots);
        sent.offsets[r] = (seed / 64 + (uint64_t)r * (uint64_t)r * 5) % (3 * slots - 2);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            meet = meet || (count > 0 && have_common(sent.offsets[i], count, got.offsets[j], count));
    for (size_t i = 0; i < 3 * slots + 3; i++)
        to[i] = (unsigned char)((size_t)rank * 50 + i);
    if (meet) {
        REFUSED(tutti_alltoallw(world, to, sent.counts, sent.offsets, to, got.counts, got.offsets),
                "send and recv overlap");
        return;
    }
    OK(tutti_alltoallw(world, to, sent.counts, sent.offsets, to, got.counts, got.offsets));
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < count; i++)
            EXPECT(to[got.offsets[r] + i] == (unsigned char)((size_t)r * 50 + sent.offsets[rank] + i));
}

/* Beyond half of a window, where they have to take turns in it: some have none, some a block or several. */
#define LONG_BYTES ((size_t)800 * 1000)

static size_t long_part(int r)
{
    return (size_t)(r % 4) * LONG_BYTES + (size_t)r;
}

static void gather_long(const trial *t, unsigned char *part, unsigned char *gathered)
{
    const int root = t->size - 1;
    const bool in_place = t->in_place && t->rank == root;
    size_t counts[MOST_RANKS], at = 0, all = 0;
    for (int r = 0; r < t->size; r++)
        all += counts[r] = long_part(r);
    payload_fill(part, long_part(t->rank), seed_of(t, t->rank, root));
    memset(gathered, GAP, all + 1);
    if (in_place) memcpy(gathered + all - counts[root], part, counts[root]);
    IN_FORM(t->form, gatherv, t->comm, in_place ? TUTTI_IN_PLACE : part, counts[t->rank], gathered, counts,
            NULL, TUTTI_TYPE_BYTES(1), root);
    for (int r = 0; t->rank == root && r < t->size; at += counts[r++])
        EXPECT(payload_is(gathered + at, counts[r], seed_of(t, r, root)));
    EXPECT(gathered[all] == GAP);
}

static void test_long_parts(trial *t)
{
    size_t all = 0;
    for (int r = 0; r < t->size; r++)
        all += long_part(r);
    unsigned char *const part = malloc(long_part(t->rank) + 1), *const gathered = malloc(all + 1);
    EXPECT(part != NULL && gathered != NULL);
    EACH_START(t->form, gather_long(t, part, gathered));
    free(part);
    free(gathered);
}

static void test_on(tutti_comm *comm)
{
    in_each_form(comm, test_means);
    in_each_form(comm, test_long_parts);
}

/* The root expects another size than a rank shows block by block: that does not wait for the root. */
static void test_long_mismatch(void)
{
    tutti_comm *comm;
    size_t counts[MOST_RANKS];
    unsigned char *const bytes = malloc((size_t)(size + 1) * long_part(3));
    EXPECT(bytes != NULL);
    for (int r = 0; r < size; r++)
        counts[r] = 10;
    OK(tutti_comm_dup(world, &comm));
    const int code = tutti_gatherv(comm, bytes, rank == size - 1 ? long_part(3) : 10, bytes + long_part(3),
                                   counts, NULL, TUTTI_TYPE_BYTES(1), 0);
    EXPECT(code == TUTTI_ERR_ARG || (rank > 0 && code == 0));
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
    free(bytes);
}

/* Each rank alone: nobody waits for a call that is refused. */
static void test_refused(void)
{
    table ones = {0}, twos = {0}, huge = {0};
    const size_t beyond = (size_t)1 << 40;
    for (int r = 0; r < size; r++) {
        ones.counts[r] = huge.counts[r] = 1;
        twos.counts[r] = 2;
        ones.offsets[r] = (size_t)r;
    }
    huge.counts[size - 1] = PTRDIFF_MAX / ELEMENT + 1;
    const size_t *c = ones.counts, *o = ones.offsets;
    REFUSED(tutti_alltoallv(world, from, NULL, o, to, c, o, TYPE), "the counts of the parts of send");
    REFUSED(tutti_alltoallv(world, from, c, o, to, NULL, o, TYPE), "the counts of the parts of recv");
    REFUSED(tutti_alltoallv(world, from, c, o, to, huge.counts, NULL, TYPE), "more than memory");
    REFUSED(tutti_alltoallv(world, from, c, o, to, twos.counts, NULL, TYPE), "sends itself 1 elements");
    REFUSED(tutti_alltoallw(world, NULL, c, o, to, c, o), "tutti_alltoallw: send is NULL with");
    REFUSED(tutti_gatherv(world, from, 1, to, NULL, NULL, TYPE, rank), "the parts of recv are NULL");
    REFUSED(tutti_gatherv(world, from, 2, to, c, o, TYPE, rank), "count is 2, but of the caller's");
    REFUSED(tutti_gatherv(world, NULL, 1, to, c, o, TYPE, rank), "send is NULL with 3 bytes");
    REFUSED(tutti_gatherv(world, from, 1, NULL, c, o, TYPE, rank), "recv is NULL with");
    REFUSED(tutti_scatterv(world, from, NULL, NULL, to, 1, TYPE, rank), "the parts of send are NULL");
    REFUSED(tutti_scatterv(world, from, c, o, NULL, 1, TYPE, rank), "recv is NULL with 3 bytes");
    EXPECT(tutti_gatherv(world, from, 1, to, c, o, TYPE, size) == TUTTI_ERR_RANK);
    EXPECT(tutti_alltoallv(world, from, c, o, to, c, o, 0) == TUTTI_ERR_TYPE);
    if (size == 1) return;
    const int other = (rank + 1) % size;
    REFUSED(tutti_gatherv(world, TUTTI_IN_PLACE, 1, NULL, NULL, NULL, TYPE, other), "TUTTI_IN_PLACE");
    REFUSED(tutti_gatherv(world, from, beyond << 22, NULL, NULL, NULL, TYPE, other), "more than memory");
    /* Beyond 2^31 elements, which are counted right. */
    REFUSED(tutti_gatherv(world, NULL, beyond, NULL, NULL, NULL, TYPE, other),
            "send is NULL with 3298534883328 bytes");
    REFUSED(tutti_scatterv(world, NULL, NULL, NULL, NULL, beyond, TYPE, other),
            "recv is NULL with 3298534883328 bytes");
}

/* What a rank is told whose part of rank `odd` has another size: where it comes by a message, on shared
 * memory, and where others saw it first. */
static bool is_explained(int odd, size_t bytes)
{
    char sent[64], told[64];
    snprintf(sent, sizeof sent, "rank %d sent %zu bytes where rank", odd, bytes);
    snprintf(told, sizeof told, "rank %d has a part of %zu bytes for rank", odd, bytes);
    const char *why = tutti_error_detail();
    return strstr(why, sent) != NULL || strstr(why, told) != NULL ||
           (size > 2 && strstr(why, "no collective is possible any more") != NULL);
}

/* Of one rank the others expect more or fewer bytes than it sends: an error where they come, and nobody
 * hangs. On shared memory the communicator is over then. */
static void mismatch(size_t sends, size_t expected)
{
    tutti_comm *comm;
    size_t sent[MOST_RANKS], got[MOST_RANKS];
    const int odd = size / 2;
    for (int r = 0; r < size; r++) {
        sent[r] = rank == odd && r != odd ? sends : 4;
        got[r] = r == odd && rank != odd ? expected : 4;
    }
    OK(tutti_comm_dup(world, &comm));
    const int code = tutti_alltoallw(comm, from, sent, NULL, to, got, NULL);
    EXPECT(code == TUTTI_ERR_ARG || (rank == odd && code == 0));
    EXPECT(rank == odd || is_explained(odd, sends));
    OK(tutti_comm_free(&comm));
    OK(tutti_comm_dup(world, &comm));
    /* Apart from `from`, or rank 0 alone refuses the call, and the others wait for it. */
    unsigned char *const all = malloc((size_t)size * (sends + 4) * ELEMENT);
    EXPECT(all != NULL);
    for (int r = 1; r < size; r++)
        sent[r] = sends;
    const int gathered = tutti_gatherv(comm, from, rank == 0 ? 4 : 3, all, sent, NULL, TYPE, 0);
    free(all);
    EXPECT(gathered == TUTTI_ERR_ARG || (rank > 0 && gathered == 0));
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
}

/* Ranks tell each other sizes where all share memory, or, with the algorithm that is chosen by itself, those
 * of each node, and nodes have several; not where a rule says that each part is a message. */
static bool sizes_are_told(void)
{
    const char *transport = getenv("TUTTI_TRANSPORT");
    const bool chosen = getenv("TUTTI_ALLTOALLV") == NULL && getenv("TUTTI_ALLTOALLW") == NULL;
    const bool messages = is_ruled("TUTTI_ALLTOALLW", "pairwise") || is_ruled("TUTTI_GATHERV", "linear");
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    int32_t told = tutti_comm_size(node) > 1 && chosen, all;
    if (transport != NULL) told = strcmp(transport, "node") == 0 && !messages;
    OK(tutti_allreduce(world, &told, &all, 1, TUTTI_INT32, TUTTI_MIN));
    OK(tutti_comm_free(&node));
    return all != 0;
}

static void test_mismatch(void)
{
    if (size == 1) return;
    test_long_mismatch();
    mismatch(4, 5);
    mismatch(20000, 30); /* in several pieces, and in one */
    if (!sizes_are_told()) return;
    mismatch(0, 5); /* which by messages would be waited for, */
    mismatch(5, 0); /* or not be noticed */
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    parts_open((size_t)size + 1, largest_of(means[MEANS - 1]));
    on_communicators(test_on);
    test_interleaved();
    for (uint64_t i = 0; i < ANYWHERE; i++)
        test_anywhere(i * 0x9e3779b97f4a7c15U >> 40);
    test_refused();
    test_mismatch();
    parts_close();
    return job_close();
}
