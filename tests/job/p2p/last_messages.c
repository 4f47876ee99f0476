/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank receives what those above it send it just before they leave, as often as they have said, and one
 * message more, which must end with TUTTI_ERR_STATE; then it sends to those below it and leaves at once. No
 * receive ends early, none waits for ever. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

enum { MOST = 400, LONG = 200000 };

static unsigned char room[LONG];

/* Of what the two know: how many messages pass from one to the other, and how long each is. */
static uint64_t state_of(int from, int to)
{
    return (uint64_t)from * 1000 + (uint64_t)to;
}

static size_t bytes_of(uint64_t *state)
{
    static const size_t most[] = {1, 8, 64, 3000, 20000, LONG};
    const uint64_t kind = job_random(state) % 64; /* few are long */
    return job_random(state) % most[kind < 5 ? kind + 1 : kind % 3] + 1;
}

static void send_all(int to)
{
    uint64_t state = state_of(rank, to);
    const int count = (int)(job_random(&state) % MOST);
    for (int i = 0; i < count; i++) {
        const size_t bytes = bytes_of(&state);
        payload_fill(room, bytes, state);
        OK(tutti_send(world, room, bytes, to, 1));
    }
}

static void expect_end(int from, int how)
{
    tutti_request *request;
    int code, done = 0, found;
    if (how == 0) {
        code = tutti_recv(world, room, LONG, from, 1, NULL);
    } else if (how == 1) {
        code = tutti_probe(world, from, TUTTI_ANY_TAG, NULL);
    } else if (how == 2) {
        do
            code = tutti_iprobe(world, from, 1, &found, NULL);
        while (code == 0 && !found);
    } else {
        code = tutti_irecv(world, room, LONG, from, 1, &request);
        while (code == 0 && !done)
            code = tutti_test(&request, &done, NULL);
    }
    EXPECT(code == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tutti_finalize()") != NULL);
}

static void receive_all(int from)
{
    uint64_t state = state_of(from, rank);
    const int count = (int)(job_random(&state) % MOST);
    tutti_status status;
    for (int i = 0; i < count; i++) {
        const size_t bytes = bytes_of(&state);
        OK(tutti_recv(world, room, LONG, from, 1, &status));
        EXPECT(status.bytes == bytes && payload_is(room, bytes, state));
    }
    expect_end(from, (from + rank) % 4);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    for (int r = 0; r < rank;
         r++) /* over the fabric who has never heard of a rank does not hear that it leaves */
        OK(tutti_send(world, NULL, 0, r, 2));
    for (int from = size - 1; from > rank; from--) {
        OK(tutti_recv(world, NULL, 0, from, 2, NULL));
        receive_all(from);
    }
    for (int to = rank - 1; to >= 0; to--)
        send_all(to);
    return job_close();
}
