/* SPDX-License-Identifier: BSD-3-Clause */
/* The map of who touched which bytes: against one that has a word for each byte, in any order; and that what
 * goes on at many places by turns, as exchanges of many ranks do that pass in blocks, moves few intervals for
 * each access, and not as many as there are. */
#include "collectives/schedule/access.h"

#include <string.h>

#include "tests/unit/expect.h"

#define BYTES 3000
#define ACCESSES 20000
#define STEPS 64 /* so few that a bit stands for each */

#define PLACES 64
#define ROUNDS 4000
#define BLOCK ((size_t)8)

typedef struct {
    int writer;
    uint64_t readers;
} touched;

static touched byte[BYTES];

static unsigned draw(unsigned below)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(state >> 33) % below;
}

static void note(void *context, int earlier)
{
    *(uint64_t *)context |= (uint64_t)1 << earlier;
}

static uint64_t others(uint64_t steps, int step)
{
    return steps & ~((uint64_t)1 << step);
}

/* Who has to come before the access, byte by byte; and it is noted there. */
static uint64_t touch(size_t low, size_t high, int step, bool writes)
{
    uint64_t before = 0;
    for (size_t x = low; x < high; x++) {
        if (byte[x].writer != TTI_NOBODY) before |= (uint64_t)1 << byte[x].writer;
        if (writes) before |= byte[x].readers;
        byte[x].readers = writes ? 0 : byte[x].readers | (uint64_t)1 << step;
        if (writes) byte[x].writer = step;
    }
    return others(before, step);
}

static void expect_covers(const tti_access_map *map)
{
    size_t at = 0;
    while (at < tti_access_end(map)) {
        const tti_interval *here = tti_access_find(map, at);
        EXPECT(here->low == at && here->high > at && here->writer == byte[at].writer);
        at = here->high;
    }
    EXPECT(at == BYTES);
}

/* Short accesses make many intervals, long ones few again. */
static void test_any_order(void)
{
    tti_access_map map = {0};
    for (int round = 0; round < 2; round++) {
        tti_access_reset(&map, BYTES, 0);
        for (size_t x = 0; x < BYTES; x++)
            byte[x] = (touched){.writer = TTI_NOBODY};
        for (int i = 0; i < ACCESSES; i++) {
            const size_t low = draw(BYTES), most = i % 1000 == 999 ? BYTES : 4;
            const size_t high = low + draw((unsigned)(BYTES - low < most ? BYTES - low : most) + 1);
            const int step = (int)draw(STEPS);
            const bool writes = draw(3) > 0;
            uint64_t before = 0;
            (writes ? tti_access_write : tti_access_read)(&map, low, high, step, note, &before);
            EXPECT(!map.failed && before == touch(low, high, step, writes));
        }
        expect_covers(&map);
    }
    tti_access_close(&map);
}

/* What is united and joined, in any order, is one interval in the end. */
static void test_join(void)
{
    tti_access_map map = {0};
    tti_access_reset(&map, BYTES, 0);
    for (size_t i = 0; i < BYTES; i++) {
        const size_t at = i * 7 % BYTES; /* every byte once */
        tti_access_unite(&map, at, at + 1)->value = 1;
        tti_access_join(&map, at);
    }
    EXPECT(BYTES % 7 != 0 && map.count == 1 && tti_access_find(&map, 0)->high == BYTES);
    tti_access_close(&map);
}

static void test_many_places(bool writes)
{
    const size_t part = ROUNDS * BLOCK;
    uint64_t before = 0;
    tti_access_map map = {0};
    tti_access_reset(&map, SIZE_MAX, 0);
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t place = 0; place < PLACES; place++) {
            const size_t low = place * part + round * BLOCK;
            (writes ? tti_access_write : tti_access_read)(&map, low, low + BLOCK, (int)(place % STEPS), note,
                                                          &before);
        }
    EXPECT(!map.failed && before == 0);
    EXPECT(map.moved < (size_t)PLACES * ROUNDS * TTI_ACCESS_PIECE);
    tti_access_close(&map);
}

int main(void)
{
    test_any_order();
    test_join();
    test_many_places(false);
    test_many_places(true);
    return 0;
}
