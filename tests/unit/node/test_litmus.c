/* SPDX-License-Identifier: BSD-3-Clause */
/* Litmus tests of the mailboxes' flags: two threads run a few lines each at the same moment, again and again,
 * and what both saw is judged. Forbidden is always the same: a rank that is armed, found nothing, and is not
 * woken though the other has done what it waits for. With the two words in one place each, this is the
 * store-buffering shape
 *
 *     sender:    store flag;  load armed         sleeper:   store armed;  load flag
 *
 * in which one of the two must see the other. Payloads are checked on the way (message passing). */
#include <string.h>

#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/order.h"
#include "runtime/node/view.h"
#include "tests/unit/node/stress.h"

/* Of the threads' starts in a round, in turns of a loop of a nanosecond or less. */
#define JITTER 40
#define LONGEST_DELAY 100000
#define LARGE 24 /* bytes of a packet that goes through the data area where 8 are inlined */

typedef struct {
    const char *name;
    void (*prepare)(void);
    void (*wake)(void);
    bool (*sleep)(void); /* arms; true if it found what it waits for */
    void (*settle)(void);
    int descriptor; /* whether the sleeper is woken by its pipe */
    tti_node_shape shape;
} litmus;

/* Views of the segment: the sleeper and the one that wakes it. */
static tti_node *sleeper, *waker;
static uint32_t number; /* of the round */
static _Atomic uint32_t word;

static void check(void *context, int peer, const void *packet, size_t bytes)
{
    uint32_t expected[LARGE / 4];
    const uint32_t *count = context;
    for (uint32_t i = 0; i < LARGE / 4; i++)
        expected[i] = (*count << 8) + i;
    EXPECT(peer == waker->index || peer == sleeper->index);
    EXPECT(bytes <= sizeof expected && memcmp(packet, expected, bytes) == 0);
    ++*(uint32_t *)context;
}

static uint32_t sent, received;

static int send_from(tti_node *from, const tti_node *to, size_t bytes)
{
    uint32_t content[LARGE / 4];
    for (uint32_t i = 0; i < LARGE / 4; i++)
        content[i] = (sent << 8) + i;
    const int code = tti_node_send(from, to->index, content, bytes, NULL, 0);
    EXPECT(code == 0 || code == 1);
    sent += code == 0;
    return code;
}

static int poll_once(tti_node *node)
{
    return tti_node_poll(node, 1, check, &received);
}

/* -- a packet for a rank that goes to sleep -- */
static void send_packet(void)
{
    EXPECT(send_from(waker, sleeper, number % 2 == 0 ? 8 : LARGE) == 0);
}

static bool find_packet(void)
{
    tti_node_arm(sleeper);
    return poll_once(sleeper) == 1;
}

static void take_rest(void)
{
    while (received != sent)
        EXPECT(poll_once(sleeper) == 1);
    EXPECT(poll_once(sleeper) == 0);
}

/* -- room for a rank that goes to sleep because it cannot send -- */
/* As full as it gets without a send that is refused: the first is when the bell is armed already. */
static void fill(void)
{
    const tti_node_shape *shape = &sleeper->shape;
    const uint32_t lines = shape->data_bytes / TTI_NODE_LINE - 1;
    const uint32_t most = LARGE > shape->inline_max && lines < shape->slots ? lines : shape->slots;
    for (uint32_t i = 0; i < most; i++)
        EXPECT(send_from(sleeper, waker, LARGE) == 0);
    atomic_store(&sleeper->out[waker->index].ring->wanted, 0);
}

/* Here it is before, so that arming asks for room. */
static void fill_to_refusal(void)
{
    fill();
    EXPECT(send_from(sleeper, waker, LARGE) == 1);
    EXPECT(atomic_load(&sleeper->out[waker->index].ring->wanted) == 0);
}

/* Takes whatever is there: a sender is woken once the ring is half empty. */
static void make_room(void)
{
    EXPECT(tti_node_poll(waker, 1000, check, &received) > 0);
}

static bool find_room(void)
{
    tti_node_arm(sleeper);
    return send_from(sleeper, waker, LARGE) == 0;
}

static void empty(void)
{
    while (received != sent)
        EXPECT(poll_once(waker) == 1);
}

/* -- a word in memory: a poke by another rank, a wake by another thread of its own -- */
static void clear_word(void)
{
    atomic_store(&word, 0);
}

static void store_and_poke(void)
{
    atomic_store(&word, 1);
    tti_node_poke(waker, sleeper->index);
}

/* tti_node_wake() orders what was stored before it by itself. */
static void store_and_wake(void)
{
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    tti_node_wake(sleeper);
}

static bool find_word(void)
{
    tti_node_arm(sleeper);
    return atomic_load(&word) == 1;
}

static void nothing(void)
{
}

static const litmus all[] = {
    {"packet", nothing, send_packet, find_packet, take_rest, 0, {2, 2, 8, 256, 0, 0, {0, 0}}},
    {"packet, bit set", nothing, send_packet, find_packet, take_rest, 0, {2, 2, 8, 256, 1, 0, {0, 0}}},
    {"packet, descriptor", nothing, send_packet, find_packet, take_rest, 1, {2, 2, 8, 256, 1, 0, {0, 0}}},
    {"slot", fill, make_room, find_room, empty, 0, {2, 2, 56, 256, 0, 0, {0, 0}}},
    {"slot, refused before", fill_to_refusal, make_room, find_room, empty, 0, {2, 2, 56, 256, 0, 0, {0, 0}}},
    {"data area", fill, make_room, find_room, empty, 0, {2, 8, 8, 192, 1, 0, {0, 0}}},
    {"room, descriptor", fill, make_room, find_room, empty, 1, {2, 2, 8, 128, 0, 0, {0, 0}}},
    {"poke", clear_word, store_and_poke, find_word, nothing, 0, {2, 2, 8, 256, 0, 0, {0, 0}}},
    {"wake", clear_word, store_and_wake, find_word, nothing, 0, {2, 2, 8, 256, 0, 0, {0, 0}}},
};
#define TESTS (sizeof all / sizeof *all)

/* -- the two threads -- */
static struct {
    const litmus *test;
    _Atomic uint32_t begun, ended; /* rounds */
    _Atomic bool over;
    _Atomic uint32_t delay; /* of the one that wakes */
    uint64_t random;
} other;

static void dawdle(uint32_t turns)
{
    for (; turns > 0; turns--)
        atomic_signal_fence(memory_order_seq_cst);
}

static void await(const _Atomic uint32_t *counter, uint32_t value)
{
    for (int spins = 0; atomic_load(counter) != value; spins++)
        if (spins > 1000) sched_yield();
}

static bool is_armed(const tti_node *node)
{
    return tti_node_is_armed(node->bell);
}

/* With the lines at hand a load overtakes a store that still waits for its line: the outcome that must not
 * be. */
static void fetch_lines(void)
{
    is_armed(sleeper);
    atomic_load(&waker->in[sleeper->index].ring->wanted);
    atomic_load(&word);
}

static void *wake_main(void *argument)
{
    (void)argument;
    for (uint32_t round = 1;; round++) {
        await(&other.begun, round);
        if (atomic_load(&other.over)) return NULL;
        fetch_lines();
        dawdle(atomic_load(&other.delay) + draw(&other.random, JITTER));
        other.test->wake();
        atomic_store(&other.ended, round);
    }
}

/* Once the other is done, a sleeper that found nothing is no longer armed. Now and then it sleeps in truth.
 */
static void judge(const litmus *test, bool found, uint32_t round)
{
    if (!found && round % 32 == 0)
        sleep_until_woken(sleeper, test->descriptor ? tti_node_wake_fd(sleeper) : -1);
    await(&other.ended, round);
    EXPECT(found || !is_armed(sleeper));
    tti_node_disarm(sleeper);
    EXPECT(!is_armed(sleeper));
}

typedef struct {
    uint64_t rounds, found;
} tally;

/* Keeps them meeting: who came too early is later, or the other sooner. */
static void adjust(uint32_t *delay, bool found)
{
    const uint32_t of_other = atomic_load(&other.delay);
    if (found && *delay > 0)
        --*delay;
    else if (!found && of_other == 0)
        *delay += *delay < LONGEST_DELAY;
    else
        atomic_store(&other.delay, found ? of_other + (of_other < LONGEST_DELAY) : of_other - 1);
}

static void run(const litmus *test, bool by_fences, int64_t until, uint64_t seed, tally *sum)
{
    void *segment = NULL;
    pthread_t thread;
    uint64_t random = seed;
    uint32_t delay = 0;
    EXPECT(tti_node_open_shaped(&test->shape, 0, &segment, &waker) == 0);
    EXPECT(tti_node_open_shaped(&test->shape, 1, &segment, &sleeper) == 0);
    if (!by_fences) {
        tti_node_order_begin(waker);
        tti_node_order_begin(sleeper);
    }
    if (test->descriptor) EXPECT(tti_node_wake_fd(sleeper) >= 0);
    sent = received = number = 0;
    other.test = test;
    other.random = seed + 1;
    atomic_store(&other.begun, 0);
    atomic_store(&other.ended, 0);
    atomic_store(&other.over, false);
    atomic_store(&other.delay, 0);
    EXPECT(pthread_create(&thread, NULL, wake_main, NULL) == 0);
    for (; number % 256 != 0 || tti_clock_ns() < until; sum->rounds++) {
        test->prepare();
        atomic_store(&other.begun, ++number);
        dawdle(delay + draw(&random, JITTER));
        const bool found = test->sleep();
        sum->found += found;
        adjust(&delay, found);
        judge(test, found, number);
        test->settle();
    }
    atomic_store(&other.over, true);
    atomic_store(&other.begun, number + 1);
    pthread_join(thread, NULL);
    tti_node_close(sleeper);
    tti_node_close(waker);
}

int main(int argc, char **argv)
{
    tally sums[2 * TESTS] = {{0}};
    uint64_t random;
    tti_node_order_open();
    stress_open(argc, argv);
    random = stress.seed;
    const int64_t slice = (stress.until - tti_clock_ns()) / (int64_t)(2 * TESTS);
    for (size_t i = 0; i < 2 * TESTS; i++)
        run(&all[i / 2], i % 2 == 0, tti_clock_ns() + slice, next_random(&random), &sums[i]);
    for (size_t i = 0; i < 2 * TESTS; i++)
        printf("%s, %s: %llu rounds; the sleeper found it in %llu\n", all[i / 2].name,
               i % 2 == 0 ? "by fences" : "ordered by who sleeps", (unsigned long long)sums[i].rounds,
               (unsigned long long)sums[i].found);
    return 0;
}
