/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to and fro, one way, and from two threads. */
#include <pthread.h>

#include "ways.h"

#define ROUND_TRIPS 10000
#define WARM_UP 1000
#define MESSAGES 100000
#define WINDOW                                                                                               \
    32 /* messages that an answer is for: the receiver is never behind by more than two of them              \
        */

static double rally(concept_side *side)
{
    double start = 0;
    side_post_receives(side);
    for (uint64_t i = 0; i < WARM_UP + ROUND_TRIPS; i++) {
        if (i == WARM_UP) start = now_us();
        side_send(side, side->asked.bytes);
        side_wait_received(side, i + 1);
    }
    const double took = now_us() - start;
    side_wait_sent(side);
    return took / ROUND_TRIPS / 2;
}

static void answer(concept_side *side)
{
    side_post_receives(side);
    for (uint64_t i = 0; i < WARM_UP + ROUND_TRIPS; i++) {
        side_wait_received(side, i + 1);
        side_send(side, side->asked.bytes);
    }
    side_wait_sent(side);
}

double way_latency(const concept_settings *asked)
{
    return pair_run(asked, rally, answer);
}

static void send_one(concept_side *side, uint64_t number)
{
    if (number >= 2 * WINDOW) side_wait_received(side, number / WINDOW - 1);
    side_send(side, side->asked.bytes);
}

static double blast(concept_side *side)
{
    side_post_receives(side);
    for (uint64_t i = 0; i < 2 * WINDOW; i++) /* connects, and warms up */
        send_one(side, i);
    const double start = now_us();
    for (uint64_t i = 2 * WINDOW; i < MESSAGES; i++)
        send_one(side, i);
    side_wait_received(side, MESSAGES / WINDOW);
    return (now_us() - start) / (MESSAGES - 2 * WINDOW);
}

static void take_all(concept_side *side)
{
    side_post_receives(side);
    for (uint64_t i = 1; i <= MESSAGES / WINDOW; i++) {
        side_wait_received(side, i * WINDOW);
        side_send(side, 1);
    }
    side_wait_sent(side);
}

double way_message(const concept_settings *asked)
{
    return pair_run(asked, blast, take_all);
}

/* Of two threads that send. */
static concept_side *shared[2];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *send_half(void *which)
{
    concept_side *mine = *(concept_side **)which;
    const bool locks = shared[0] == shared[1];
    for (uint64_t i = 0; i < MESSAGES / 2; i++) {
        if (locks) pthread_mutex_lock(&gate);
        send_one(mine, mine->sent);
        if (locks) pthread_mutex_unlock(&gate);
    }
    return NULL;
}

/* The second endpoint of a process, where there are two. */
static concept_side *another(concept_side *first)
{
    static concept_side second;
    if (first->asked.way != 2) return first;
    side_open(&second, &first->asked, first->link);
    side_post_receives(&second);
    return &second;
}

static double send_both(concept_side *first)
{
    pthread_t threads[2];
    side_post_receives(first);
    shared[0] = first;
    shared[1] = another(first);
    const double start = now_us();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, send_half, &shared[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    const uint64_t each = shared[0] == shared[1] ? MESSAGES : MESSAGES / 2;
    side_wait_received(first, each / WINDOW);
    side_wait_received(shared[1], each / WINDOW);
    return (now_us() - start) / MESSAGES;
}

static bool take_some(concept_side *side, uint64_t all)
{
    side_progress(side);
    while (side->sent < side->received / WINDOW)
        side_send(side, 1);
    return side->received >= all / WINDOW * WINDOW && side->left == side->sent;
}

static void take_both(concept_side *first)
{
    side_post_receives(first);
    concept_side *second = another(first);
    const uint64_t each = first == second ? MESSAGES : MESSAGES / 2;
    bool one = false, other = first == second;
    while (!one || !other) {
        one = take_some(first, each);
        if (first != second) other = take_some(second, each);
    }
}

double way_threads(const concept_settings *asked)
{
    return pair_run(asked, send_both, take_both);
}
