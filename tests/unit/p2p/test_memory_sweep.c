/* SPDX-License-Identifier: BSD-3-Clause */
/* Each allocation of starting and of sending to oneself fails once: an error with its detail, and everything
 * works when there is memory again. */
#include <string.h>

#include "tests/no_memory.h"
#include "tests/unit/expect.h"
#include "tutti/tutti.h"

#define MOST_ALLOCATIONS 10000
#define BYTES 1000

static tutti_comm *world;
static char out[BYTES], in[BYTES];

static int start(void)
{
    return tutti_init(&world, NULL);
}

static void drain(void)
{
    countdown = -1;
    int found = 1;
    while (found) {
        EXPECT(tutti_iprobe(world, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &found, NULL) == 0);
        if (found) EXPECT(tutti_recv(world, in, BYTES, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, NULL) == 0);
    }
}

/* A message through every kind of record; whatever fails, what began is brought to its end. */
static int talk(void)
{
    tutti_request *sent = NULL, *received = NULL;
    tutti_message *message = NULL;
    int code = tutti_isend(world, out, BYTES, 0, 1, &sent);
    if (code == 0) code = tutti_mprobe(world, 0, 1, &message, NULL);
    if (code == 0) code = tutti_imrecv(&message, in, BYTES, &received);
    countdown = -1;
    if (message != NULL) EXPECT(tutti_mrecv(&message, in, BYTES, NULL) == 0);
    EXPECT(tutti_wait(&received, NULL) == 0 && tutti_wait(&sent, NULL) == 0);
    drain();
    return code;
}

/* Fails the first, second, … allocation of `step` until it needs no more; returns how many there were. */
static int sweep(int (*step)(void))
{
    for (int n = 0; n < MOST_ALLOCATIONS; n++) {
        countdown = n;
        const int code = step();
        countdown = -1;
        if (code == 0) return n;
        EXPECT(code == TUTTI_ERR_NO_MEMORY && strstr(tutti_error_detail(), "no memory") != NULL);
    }
    EXPECT(0);
    return 0;
}

int main(void)
{
    EXPECT(sweep(start) >= 3);
    memset(out, 7, BYTES);
    EXPECT(sweep(talk) >= 3);
    EXPECT(in[BYTES - 1] == 7);
    EXPECT(tutti_finalize() == 0);
    return 0;
}
