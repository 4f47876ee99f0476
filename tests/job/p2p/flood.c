/* SPDX-License-Identifier: BSD-3-Clause */
/* 100,000 messages that nobody waits for yet, then received: in order, in reverse by tag, and by wildcards;
 * and 100,000 receives posted at once. The sender's memory stays bounded: it sends blocking. */
#include <sys/resource.h>

#include "tests/job/job.h"

#define MESSAGES 100000
#define READY_TAG (MESSAGES + 1)

static void signal_to(int peer)
{
    OK(tutti_send(world, NULL, 0, peer, READY_TAG));
}

static void wait_for(int peer)
{
    OK(tutti_recv(world, NULL, 0, peer, READY_TAG, NULL));
}

static void send_all(int dest, int tags)
{
    for (uint64_t i = 0; i < MESSAGES; i++)
        OK(tutti_send(world, &i, sizeof i, dest, (int)(i % (unsigned)tags)));
    signal_to(dest);
    wait_for(dest);
}

static void receive_in_order(int source)
{
    wait_for(source);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        uint64_t value;
        tutti_status status;
        OK(tutti_recv(world, &value, sizeof value, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &status));
        EXPECT(value == i && status.source == source && status.bytes == sizeof value);
    }
    signal_to(source);
}

static void receive_reversed(int source)
{
    wait_for(source);
    for (uint64_t i = MESSAGES; i-- > 0;) {
        uint64_t value;
        OK(tutti_recv(world, &value, sizeof value, source, (int)i, NULL));
        EXPECT(value == i);
    }
    signal_to(source);
}

static void receive_posted(int source)
{
    static tutti_request *requests[MESSAGES];
    static uint64_t values[MESSAGES];
    for (int i = 0; i < MESSAGES; i++)
        OK(tutti_irecv(world, &values[i], sizeof values[i], i % 2 == 0 ? source : TUTTI_ANY_SOURCE, i,
                       &requests[i]));
    signal_to(source);
    OK(tutti_waitall(MESSAGES, requests, NULL));
    for (uint64_t i = 0; i < MESSAGES; i++)
        EXPECT(values[i] == i);
    wait_for(source);
    signal_to(source);
}

/* Many sends under way: what waits for room is the request itself. */
static void send_nonblocking(int dest)
{
    static tutti_request *requests[MESSAGES];
    static uint64_t values[MESSAGES];
    for (uint64_t i = 0; i < MESSAGES; i++) {
        values[i] = i;
        OK(tutti_isend(world, &values[i], sizeof values[i], dest, (int)(i % 3), &requests[i]));
    }
    signal_to(dest);
    OK(tutti_waitall(MESSAGES, requests, NULL));
    wait_for(dest);
}

static long resident_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (rank == 0) signal_to(1);
    if (rank == 1) wait_for(0);
    const long before = resident_kib();
    /* The first two ranks; the others only weigh on the machine, asleep. */
    if (rank == 0) {
        send_all(1, 1);
        send_all(1, MESSAGES);
        wait_for(1);
        send_all(1, MESSAGES);
        EXPECT(resident_kib() - before < 40 * 1024);
        send_nonblocking(1);
    } else if (rank == 1) {
        receive_in_order(0);
        receive_reversed(0);
        receive_posted(0);
        receive_in_order(0);
    }
    return job_close();
}
