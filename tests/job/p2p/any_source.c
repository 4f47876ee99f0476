/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives from any source, of all other ranks at once, whatever way they come: many are posted before, among
 * receives from one source, and some are withdrawn again. Of each source's messages the receives that take
 * them have them in order, as they were posted; none gets lost, none comes twice. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define EACH 40  /* messages from every rank to every other */
#define POSTED 8 /* receives that wait at a time */
#define LONGEST 150000
#define RANKS_MOST 64
#define TAGS 3

typedef struct {
    tutti_request *request;
    unsigned char *room;
    int source;     /* as posted */
    bool withdrawn; /* it was tried */
} posted;

static int taken[RANKS_MOST]; /* messages of each source so far */

/* What travels: its number in front, then bytes that belong to it. Short ones, ones at the limits of what
 * goes at once, and long ones, in turn. */
static size_t bytes_of(int source, int number)
{
    static const size_t sizes[] = {4, 5, 100, 16000, 16400, 60, 40000, 66000, 8, LONGEST};
    return sizes[(number * 7 + source * 3) % 10];
}

static uint64_t seed_of(int source, int dest, int number)
{
    return (uint64_t)((source * RANKS_MOST + dest) * EACH + number);
}

static void send_all(tutti_request *requests[], unsigned char *rooms[])
{
    int n = 0;
    for (int number = 0; number < EACH; number++) {
        for (int d = 1; d < size; d++, n++) {
            const int dest = (rank + d) % size;
            const size_t bytes = bytes_of(rank, number);
            EXPECT((rooms[n] = malloc(bytes)) != NULL);
            payload_fill(rooms[n], bytes, seed_of(rank, dest, number));
            memcpy(rooms[n], &number, sizeof number);
            OK(tutti_isend(world, rooms[n], bytes, dest, number % TAGS, &requests[n]));
        }
    }
}

static void post(posted *p, int source)
{
    p->source = source;
    p->withdrawn = false;
    OK(tutti_irecv(world, p->room, LONGEST, source, TUTTI_ANY_TAG, &p->request));
}

/* The next message of its source, whole. */
static void check(const posted *p, const tutti_status *status)
{
    const int source = status->source, number = taken[source]++;
    int told;
    EXPECT(p->source == TUTTI_ANY_SOURCE || source == p->source);
    EXPECT(source != rank && number < EACH && status->tag == number % TAGS);
    EXPECT(status->bytes == bytes_of(source, number));
    memcpy(&told, p->room, sizeof told);
    EXPECT(told == number);
    payload_fill(p->room, sizeof told, seed_of(source, rank, number));
    EXPECT(payload_is(p->room, status->bytes, seed_of(source, rank, number)));
}

/* A source that still has more to send than receives wait for it alone, or any. */
static int choose_source(uint64_t *state, const int waiting[])
{
    const int source = (int)(job_random(state) % (unsigned)size);
    if (job_random(state) % 4 != 0 || source == rank) return TUTTI_ANY_SOURCE;
    return taken[source] + waiting[source] + POSTED < EACH ? source : TUTTI_ANY_SOURCE;
}

/* Receives `count` messages; those posted first are waited for first. */
static void receive_posted(int count, posted ring[])
{
    uint64_t state = (uint64_t)rank + 1;
    int waiting[RANKS_MOST] = {0};
    int first = 0, under_way = 0;
    while (count > 0) {
        for (; under_way < POSTED && under_way < count; under_way++) {
            const int source = choose_source(&state, waiting);
            if (source >= 0) waiting[source]++;
            post(&ring[(first + under_way) % POSTED], source);
        }
        posted *last = &ring[(first + under_way - 1) % POSTED], *p = &ring[first];
        if (job_random(&state) % 3 == 0 && !last->withdrawn) {
            OK(tutti_cancel(last->request));
            last->withdrawn = true;
        }
        tutti_status status;
        const int code = tutti_wait(&p->request, &status);
        EXPECT(code == 0 || (code == TUTTI_ERR_CANCELLED && p->withdrawn));
        if (p->source >= 0) waiting[p->source]--;
        if (code == 0) check(p, &status);
        count -= code == 0;
        first = (first + 1) % POSTED;
        under_way--;
    }
}

/* The same by probing: what the probe tells is what is taken. */
static void receive_probed(int count, posted *p)
{
    for (p->source = TUTTI_ANY_SOURCE; count > 0; count--) {
        tutti_status probed, status;
        tutti_message *message;
        OK(tutti_mprobe(world, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &message, &probed));
        OK(tutti_mrecv(&message, p->room, LONGEST, &status));
        EXPECT(status.source == probed.source && status.tag == probed.tag && status.bytes == probed.bytes);
        check(p, &status);
    }
}

static void exchange(bool probing, posted ring[])
{
    const int count = EACH * (size - 1);
    tutti_request **requests = malloc((size_t)count * sizeof *requests);
    unsigned char **rooms = malloc((size_t)count * sizeof *rooms);
    int found;
    EXPECT(requests != NULL && rooms != NULL);
    memset(taken, 0, sizeof taken);
    send_all(requests, rooms);
    if (probing)
        receive_probed(count, ring);
    else
        receive_posted(count, ring);
    OK(tutti_waitall(count, requests, NULL));
    OK(tutti_barrier(world));
    OK(tutti_iprobe(world, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &found, NULL));
    EXPECT(!found);
    OK(tutti_barrier(world));
    for (int i = 0; i < count; i++)
        free(rooms[i]);
    free(rooms);
    free(requests);
}

int main(void)
{
    posted ring[POSTED];
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    EXPECT(size <= RANKS_MOST);
    for (int i = 0; i < POSTED; i++)
        EXPECT((ring[i].room = malloc(LONGEST)) != NULL);
    exchange(false, ring);
    exchange(true, ring);
    exchange(false, ring);
    for (int i = 0; i < POSTED; i++)
        free(ring[i].room);
    return job_close();
}
