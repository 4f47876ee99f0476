/* SPDX-License-Identifier: BSD-3-Clause */
/* Random traffic, every message checked: sizes 0 … 8 MiB, any source, any tag, posted before and after, in
 * order between each pair. Every rank knows from one seed what every rank sends to whom. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define ROUNDS 12
#define MESSAGES 24 /* a rank sends in a round */
#define TAGS 4
#define RANKS_MOST 64

typedef struct {
    int dest, tag;
    size_t bytes;
    uint64_t seed;
    bool synchronous, checked;
} message;

static message plan[RANKS_MOST][MESSAGES];
static int met[RANKS_MOST]; /* ranks that ended the round early, as a wildcard receive took to know */

static size_t random_size(uint64_t *state)
{
    const unsigned kind = (unsigned)(job_random(state) % 64);
    if (kind < 8) return 0;
    if (kind < 40) return job_random(state) % 256;
    if (kind < 58) return job_random(state) % 40000;
    if (kind < 63) return job_random(state) % 500000;
    return size <= 4 ? job_random(state) % (8U << 20) : job_random(state) % (1U << 20);
}

static void make_plan(int round)
{
    uint64_t state = (uint64_t)round * 1000003 + 17;
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < MESSAGES; i++) {
            message *m = &plan[r][i];
            m->dest = (int)(job_random(&state) % (unsigned)size);
            m->tag = (int)(job_random(&state) % TAGS);
            m->bytes = random_size(&state);
            m->seed = job_random(&state);
            m->synchronous = job_random(&state) % 5 == 0;
            m->checked = false;
        }
    }
}

/* The first message of that source and tag that is not yet received: none may overtake it. */
static message *next_of(int source, int tag)
{
    for (int i = 0; i < MESSAGES; i++) {
        message *m = &plan[source][i];
        if (m->dest == rank && m->tag == tag && !m->checked) return m;
    }
    return NULL;
}

/* Returns 1 if it was a message of the plan, 0 if one of meet(). */
static int check(const unsigned char *buf, const tutti_status *status)
{
    if (status->tag == TAGS) {
        met[status->source]++;
        return 0;
    }
    message *m = next_of(status->source, status->tag);
    EXPECT(m != NULL);
    EXPECT(m->bytes == status->bytes && payload_is(buf, m->bytes, m->seed));
    m->checked = true;
    return 1;
}

static int count_mine(void)
{
    int count = 0;
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < MESSAGES; i++)
            count += plan[r][i].dest == rank;
    }
    return count;
}

static void start_sends(tutti_request *requests[], unsigned char *buffers[])
{
    for (int i = 0; i < MESSAGES; i++) {
        const message *m = &plan[rank][i];
        buffers[i] = malloc(m->bytes + 1);
        EXPECT(buffers[i] != NULL);
        payload_fill(buffers[i], m->bytes, m->seed);
        if (m->synchronous)
            OK(tutti_issend(world, buffers[i], m->bytes, m->dest, m->tag, &requests[i]));
        else
            OK(tutti_isend(world, buffers[i], m->bytes, m->dest, m->tag, &requests[i]));
    }
}

static void end_sends(tutti_request *requests[], unsigned char *buffers[])
{
    OK(tutti_waitall(MESSAGES, requests, NULL));
    for (int i = 0; i < MESSAGES; i++)
        free(buffers[i]);
}

static unsigned char *room_for(size_t bytes)
{
    unsigned char *buf = malloc(bytes + 1);
    EXPECT(buf != NULL);
    return buf;
}

/* Receives what comes, by size as a probe tells it. */
static void receive_probed(int count)
{
    while (count > 0) {
        tutti_status probed, status;
        tutti_message *taken;
        OK(tutti_mprobe(world, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &taken, &probed));
        unsigned char *buf = room_for(probed.bytes);
        OK(tutti_mrecv(&taken, buf, probed.bytes, &status));
        EXPECT(status.source == probed.source && status.tag == probed.tag && status.bytes == probed.bytes);
        count -= check(buf, &status);
        free(buf);
    }
}

/* Posts an exact receive for each message, in the senders' order. */
static void receive_posted(tutti_request *sends[], unsigned char *out[])
{
    static tutti_request *requests[RANKS_MOST * MESSAGES];
    static unsigned char *buffers[RANKS_MOST * MESSAGES];
    static tutti_status statuses[RANKS_MOST * MESSAGES];
    int count = 0;
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < MESSAGES; i++) {
            const message *m = &plan[r][i];
            if (m->dest != rank) continue;
            buffers[count] = room_for(m->bytes);
            OK(tutti_irecv(world, buffers[count], m->bytes, r, m->tag, &requests[count]));
            count++;
        }
    }
    start_sends(sends, out);
    OK(tutti_waitall(count, requests, statuses));
    for (int i = 0; i < count; i++) {
        check(buffers[i], &statuses[i]);
        free(buffers[i]);
    }
}

/* Wildcard receives with room for any. */
static void receive_any(int count)
{
    const size_t room = 8U << 20;
    unsigned char *buf = room_for(room);
    while (count > 0) {
        tutti_status status;
        OK(tutti_recv(world, buf, room, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &status));
        count -= check(buf, &status);
    }
    free(buf);
}

/* No rank may send for the next round before all have ended this one: wildcards would take it. */
static void meet(void)
{
    for (int distance = 1; distance < size; distance *= 2) {
        const int right = (rank + distance) % size, left = (rank + size - distance) % size;
        OK(tutti_send(world, NULL, 0, right, TAGS));
        if (met[left] > 0)
            met[left]--;
        else
            OK(tutti_recv(world, NULL, 0, left, TAGS, NULL));
    }
}

int main(void)
{
    tutti_request *sends[MESSAGES];
    unsigned char *out[MESSAGES];
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size <= RANKS_MOST);
    for (int round = 0; round < ROUNDS; round++) {
        make_plan(round);
        if (round % 3 == 1) {
            receive_posted(sends, out);
        } else {
            start_sends(sends, out);
            if (round % 3 == 0)
                receive_probed(count_mine());
            else
                receive_any(count_mine());
        }
        end_sends(sends, out);
        meet();
    }
    return job_close();
}
