/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking collectives on many communicators that overlap, in a random order that all ranks share, among
 * nonblocking ones, messages and one-sided operations that are under way meanwhile; some ranks are late. Then
 * the same by several threads at once, each on communicators of its own. Takes [SEED]. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define COMMS 7
#define PENDING 4
#define STEPS 300
#define THREADS 3
#define MOST ((size_t)50000)
#define MOST_RANKS 16

/* A nonblocking allreduce that is completed some steps later. */
typedef struct {
    tutti_request *request;
    int64_t in[40], out[40];
    int64_t expected; /* of out[0] */
} pending;

/* One sequence of operations, and what it uses. */
typedef struct {
    tutti_comm *comms[COMMS]; /* NULL: this rank is not in it */
    tutti_window *window;
    uint64_t *words;          /* of the window: one for each rank of comms[0] */
    uint64_t shared, own;     /* random states: of all ranks, of this one */
    unsigned char *in, *out;  /* what they call with: own memory or such as others can map */
    unsigned char *memory[4]; /* both kinds */
    pending pending[PENDING];
    uint64_t added; /* by each rank to its neighbour's word so far */
    pthread_t thread;
} traffic;

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return (uint32_t)(job_random(state) >> 32) % below;
}

static void be_late(traffic *t)
{
    if (draw(&t->own, 40) == 0) usleep(draw(&t->own, 2000));
}

static void open_comms(traffic *t)
{
    OK(tutti_comm_dup(world, &t->comms[0]));
    OK(tutti_comm_split(world, 0, -rank, &t->comms[1]));
    OK(tutti_comm_split(world, rank % 2, 0, &t->comms[2]));
    OK(tutti_comm_split(world, rank / 2, -rank, &t->comms[3]));
    OK(tutti_comm_split(world, rank == 0 ? TUTTI_UNDEFINED : 0, 0, &t->comms[4]));
    OK(tutti_comm_split(world, rank < size / 2 ? 1 : TUTTI_UNDEFINED, 0, &t->comms[5]));
    OK(tutti_comm_split(t->comms[1], rank % 3, 0, &t->comms[6]));
}

static void open_traffic(traffic *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->shared = seed;
    t->own = seed * 31 + (uint64_t)rank;
    open_comms(t);
    for (int i = 0; i < 2; i++) {
        OK(tutti_mem_alloc(world, MOST * MOST_RANKS, (void **)&t->memory[i]));
        t->memory[2 + i] = malloc(MOST * MOST_RANKS);
        EXPECT(t->memory[2 + i] != NULL);
    }
    OK(tutti_mem_alloc(world, (size_t)size * sizeof *t->words, (void **)&t->words));
    memset(t->words, 0, (size_t)size * sizeof *t->words);
    OK(tutti_window_create(t->comms[0], t->words, (size_t)size * sizeof *t->words, &t->window));
}

static void close_traffic(traffic *t)
{
    OK(tutti_window_free(&t->window));
    OK(tutti_mem_free(t->words));
    for (int i = 0; i < 2; i++) {
        OK(tutti_mem_free(t->memory[i]));
        free(t->memory[2 + i]);
    }
    for (int i = COMMS - 1; i >= 0; i--)
        if (t->comms[i] != NULL) OK(tutti_comm_free(&t->comms[i]));
}

static size_t draw_bytes(uint64_t *state)
{
    static const size_t near[] = {0, 8, 48, 1000, 8192, 20000, 40000};
    return near[draw(state, 7)] + draw(state, 9);
}

static void do_bcast(traffic *t, tutti_comm *comm, uint64_t seed, size_t bytes)
{
    const int root = (int)(seed % (uint64_t)tutti_comm_size(comm));
    memset(t->out, 0xee, bytes + 1);
    if (tutti_comm_rank(comm) == root) payload_fill(t->out, bytes, seed);
    OK(tutti_bcast(comm, t->out, bytes, root));
    EXPECT(payload_is(t->out, bytes, seed) && t->out[bytes] == 0xee);
}

static void do_allgather(traffic *t, tutti_comm *comm, uint64_t seed, size_t bytes)
{
    const int members = tutti_comm_size(comm), me = tutti_comm_rank(comm);
    unsigned char *own = seed % 2 == 0 ? t->in : t->out + (size_t)me * bytes;
    payload_fill(own, bytes, seed + (uint64_t)me);
    OK(tutti_allgather(comm, seed % 2 == 0 ? t->in : TUTTI_IN_PLACE, t->out, bytes));
    for (int r = 0; r < members; r++)
        EXPECT(payload_is(t->out + (size_t)r * bytes, bytes, seed + (uint64_t)r));
}

static void do_reduce(traffic *t, tutti_comm *comm, uint64_t seed, size_t bytes, int to_all)
{
    const int members = tutti_comm_size(comm), me = tutti_comm_rank(comm);
    const int root = (int)(seed % (uint64_t)members), receives = to_all || me == root;
    const size_t count = bytes / 4;
    int32_t *out = (int32_t *)t->out, *own = seed % 2 == 0 || !receives ? (int32_t *)t->in : out;
    const void *send = own == out ? TUTTI_IN_PLACE : own;
    for (size_t i = 0; i < count; i++)
        own[i] = me + (int32_t)i;
    if (to_all)
        OK(tutti_allreduce(comm, send, out, count, TUTTI_INT32, TUTTI_SUM));
    else
        OK(tutti_reduce(comm, send, out, count, TUTTI_INT32, TUTTI_SUM, root));
    for (size_t i = 0; receives && i < count; i++)
        EXPECT(out[i] == members * (members - 1) / 2 + members * (int32_t)i);
}

static void finish(pending *p)
{
    if (p->request == NULL) return;
    OK(tutti_wait(&p->request, NULL));
    EXPECT(p->out[0] == p->expected);
}

static void start(pending *p, tutti_comm *comm, uint64_t seed)
{
    const int members = tutti_comm_size(comm);
    const int64_t value = (int64_t)(seed % 1000);
    finish(p);
    p->in[0] = value + tutti_comm_rank(comm);
    p->expected = value * members + (int64_t)members * (members - 1) / 2;
    OK(tutti_iallreduce(comm, p->in, p->out, 40, TUTTI_INT64, TUTTI_SUM, &p->request));
}

/* A message to the next rank while a barrier is under way. */
static void pass_message(traffic *t, tutti_comm *comm, uint64_t seed)
{
    const int members = tutti_comm_size(comm), me = tutti_comm_rank(comm);
    const int next = (me + 1) % members, before = (me + members - 1) % members, tag = (int)(seed % 100);
    const size_t bytes = seed % 3 == 0 ? MOST : 500;
    tutti_request *requests[2];
    payload_fill(t->in, bytes, seed + (uint64_t)me);
    OK(tutti_irecv(comm, t->out, bytes, before, tag, &requests[0]));
    OK(tutti_isend(comm, t->in, bytes, next, tag, &requests[1]));
    if (seed % 2 == 0) OK(tutti_barrier(comm));
    OK(tutti_waitall(2, requests, NULL));
    EXPECT(payload_is(t->out, bytes, seed + (uint64_t)before));
}

/* Every rank adds to a word of the next one; seen after a barrier. */
static void add_to_neighbour(traffic *t)
{
    uint64_t one = 1, before;
    const int me = tutti_comm_rank(t->comms[0]), next = (me + 1) % size, last = (me + size - 1) % size;
    OK(tutti_fetch_op(t->window, &one, &before, TUTTI_UINT64, TUTTI_SUM, next, (size_t)me * sizeof one));
    OK(tutti_flush(t->window, next));
    EXPECT(before == t->added);
    t->added++;
    OK(tutti_barrier(t->comms[0]));
    OK(tutti_fetch_op(t->window, &one, &before, TUTTI_UINT64, TUTTI_NO_OP, me, (size_t)last * sizeof one));
    OK(tutti_flush(t->window, me));
    EXPECT(before == t->added || before == t->added + 1); /* the next addition may have come */
}

static void act(traffic *t, uint32_t what, tutti_comm *comm, uint64_t seed, size_t bytes)
{
    switch (what) {
    case 0: OK(tutti_barrier(comm)); break;
    case 1: do_bcast(t, comm, seed, bytes); break;
    case 2: do_reduce(t, comm, seed, bytes, 0); break;
    case 3: do_reduce(t, comm, seed, bytes, 1); break;
    case 4: do_allgather(t, comm, seed, bytes); break;
    case 5: start(&t->pending[seed % PENDING], comm, seed); break;
    default: pass_message(t, comm, seed); break;
    }
}

static void run_traffic(traffic *t)
{
    for (int step = 0; step < STEPS; step++) {
        const uint32_t what = draw(&t->shared, 8), comm = draw(&t->shared, COMMS);
        const uint64_t seed = job_random(&t->shared) >> 1;
        const size_t bytes = draw_bytes(&t->shared);
        const uint32_t mapped = draw(&t->shared, 2), exception = draw(&t->own, 4);
        /* In some operations not all have such memory. */
        const uint32_t kind = exception == 0 && seed % 4 == 0 ? 1 - mapped : mapped;
        t->in = t->memory[2 * kind];
        t->out = t->memory[2 * kind + 1];
        be_late(t);
        if (what == 7)
            add_to_neighbour(t);
        else if (t->comms[comm] != NULL)
            act(t, what, t->comms[comm], seed, bytes);
    }
    for (int i = 0; i < PENDING; i++)
        finish(&t->pending[i]);
}

static void *run_as_thread(void *argument)
{
    run_traffic(argument);
    return NULL;
}

int main(int argc, char **argv)
{
    static traffic all[THREADS];
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    job_open(TUTTI_THREAD_MULTIPLE);
    for (int i = 0; i < THREADS; i++)
        open_traffic(&all[i], seed + (uint64_t)i);
    run_traffic(&all[0]);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&all[i].thread, NULL, run_as_thread, &all[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_join(all[i].thread, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        close_traffic(&all[i]);
    return job_close();
}
