/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that two share, under stress: one thread reads, the other helps at once, late, with an old number,
 * or not at all. Whoever copies what, every byte is there when the reader is through, and none is written
 * afterwards. */
#include <string.h>

#include "runtime/node/shared_copy.h"
#include "tests/unit/node/stress.h"

#define MOST_BYTES (6 << 20)

static unsigned char *from, *into;

static struct {
    _Atomic uint32_t round; /* of the last copy that was offered */
    uint32_t serial;
    size_t bytes;
    _Atomic bool over;
    _Atomic uint32_t helped;
} offer;

static void fill(unsigned char *bytes, size_t count, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        const uint64_t word = next_random(&state);
        memcpy(bytes + i, &word, 8);
    }
}

static void help_with(tti_node *node, uint64_t *random, uint32_t round)
{
    const uint32_t serial = offer.serial - (draw(random, 8) == 0);
    const size_t bytes = offer.bytes;
    for (uint32_t wait = draw(random, 4) == 0 ? draw(random, 20000) : 0; wait > 0; wait--)
        atomic_signal_fence(memory_order_seq_cst);
    tti_node_share_help(node, 0, serial, (uintptr_t)into, from, bytes);
    atomic_store(&offer.helped, round);
}

static void helper(tti_node *node)
{
    uint64_t random = stress.seed + 1;
    uint32_t seen = 0;
    while (!atomic_load(&offer.over)) {
        const uint32_t round = atomic_load(&offer.round);
        if (round == seen) {
            sched_yield();
            continue;
        }
        seen = round;
        help_with(node, &random, round);
    }
}

/* The helper may be late by a whole copy, and must then find nothing to do; the offer itself changes only
 * when it has been seen. */
static void await_helper(uint32_t round)
{
    while (atomic_load(&offer.helped) != round)
        sched_yield();
}

static void reader(tti_node *node)
{
    uint64_t random = stress.seed;
    for (uint32_t round = 1; stress_goes_on(); round++) {
        const size_t bytes = 1 + draw(&random, draw(&random, 8) == 0 ? MOST_BYTES - 1 : 300000);
        const bool offered = draw(&random, 8) != 0;
        fill(from, bytes, round);
        memset(into, 0, bytes + 1);
        offer.bytes = bytes;
        offer.serial = tti_node_share_begin(node);
        if (offered) atomic_store(&offer.round, round);
        EXPECT(tti_node_share_read(node, 1, (uintptr_t)from, into, bytes) == 0);
        EXPECT(memcmp(from, into, bytes) == 0 && into[bytes] == 0);
        memset(into, 1, bytes);
        if (offered) await_helper(round);
        for (size_t i = 0; i < bytes; i++)
            EXPECT(into[i] == 1);
    }
    atomic_store(&offer.over, true);
}

static void run(tti_node *node)
{
    if (node->index == 0)
        reader(node);
    else
        helper(node);
}

int main(int argc, char **argv)
{
    const tti_node_shape shape = tti_node_shape_for(2);
    stress_open(argc, argv);
    from = malloc(MOST_BYTES);
    into = malloc(MOST_BYTES + 1);
    EXPECT(from != NULL && into != NULL);
    run_ranks(&shape, run);
    free(from);
    free(into);
    return 0;
}
