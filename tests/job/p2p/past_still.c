/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 1 to 4 make no call until rank 5 has answered rank 0, which has sent them more than the ways to them
 * take: the way to rank 5 is open all the same. */
#include "tests/job/job.h"
#include "tests/job/start_file.h"

enum { SENDER, LAST_STILL = 4, ANSWERER, RANKS };
#define MESSAGES 1500
#define BYTES 8192
#define ROUNDS 10

static char buffer[BYTES];
static tutti_request *sent[LAST_STILL * MESSAGES];

static void tell(int other)
{
    OK(tutti_send(world, NULL, 0, other, 1));
}

static void await(int other)
{
    OK(tutti_recv(world, NULL, 0, other, 1, NULL));
}

/* After that nobody waits for anything that a rank has yet to hand over. */
static void meet(void)
{
    for (int r = SENDER + 1; r < RANKS && rank == SENDER; r++) {
        await(r);
        tell(r);
    }
    if (rank == SENDER || rank >= RANKS) return;
    tell(SENDER);
    await(SENDER);
}

static void send_past(void)
{
    tutti_request **next = sent;
    for (int i = 0; i < MESSAGES; i++)
        for (int r = SENDER + 1; r <= LAST_STILL; r++)
            OK(tutti_isend(world, buffer, BYTES, r, 0, next++));
    for (int i = 0; i < ROUNDS; i++) {
        tell(ANSWERER);
        await(ANSWERER);
    }
    FILE *file = fopen(start_file, "w");
    EXPECT(file != NULL && fclose(file) == 0);
    OK(tutti_waitall(LAST_STILL * MESSAGES, sent, NULL));
}

static void answer(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        await(SENDER);
        tell(SENDER);
    }
}

static void be_still(void)
{
    while (access(start_file, F_OK) != 0)
        usleep(1000);
    for (int i = 0; i < MESSAGES; i++)
        OK(tutti_recv(world, buffer, BYTES, SENDER, 0, NULL));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(RANKS);
    start_file_find("tutti-past-still");
    meet();
    if (rank == SENDER) send_past();
    if (rank > SENDER && rank <= LAST_STILL) be_still();
    if (rank == ANSWERER) answer();
    meet();
    if (rank == SENDER) EXPECT(unlink(start_file) == 0);
    return job_close();
}
