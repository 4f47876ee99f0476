/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of a file given out and taken back at random, tens of thousands of ranges at a time: no page is two
 * ranges', what is given back is used again, and in the end nothing is left. */
#include "runtime/node/page_ranges.h"

#include <string.h>

#include "tests/unit/expect.h"

#define RANGES 30000
#define STEPS 300000
#define MOST 7 /* pages of a range */

static tti_page_range *taken[RANGES];
static char used[RANGES * MOST * 2]; /* by page */
static unsigned state = 1;

static unsigned any(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 8) % below;
}

static void mark(const tti_page_range *range, char from, char to)
{
    EXPECT(range->first + range->pages <= sizeof used);
    for (uint64_t i = range->first; i < range->first + range->pages; i++) {
        EXPECT(used[i] == from);
        used[i] = to;
    }
}

static void step(tti_page_ranges *ranges, int which)
{
    if (taken[which] != NULL) {
        mark(taken[which], 1, 0);
        tti_page_range_give(ranges, taken[which]);
        taken[which] = NULL;
        return;
    }
    const uint64_t pages = 1 + any(MOST);
    taken[which] = tti_page_range_take(ranges, pages);
    EXPECT(taken[which] != NULL && taken[which]->pages == pages);
    mark(taken[which], 0, 1);
}

static void test_random(tti_page_ranges *ranges)
{
    for (int i = 0; i < STEPS; i++)
        step(ranges, (int)any(RANGES));
    for (int i = 0; i < RANGES; i++)
        if (taken[i] != NULL) step(ranges, i);
    EXPECT(ranges->end == 0 && ranges->filled == 0 && tti_list_empty(&ranges->places));
}

static void test_reuse(tti_page_ranges *ranges)
{
    tti_page_range *three[3], *last;
    for (int i = 0; i < 3; i++)
        three[i] = tti_page_range_take(ranges, 2);
    last = tti_page_range_take(ranges, 1);
    tti_page_range_give(ranges, three[1]);
    EXPECT((three[1] = tti_page_range_take(ranges, 2))->first == 2);
    tti_page_range_give(ranges, three[0]);
    tti_page_range_give(ranges, three[2]);
    tti_page_range_give(ranges, three[1]); /* one gap of six pages now */
    EXPECT((three[0] = tti_page_range_take(ranges, 6))->first == 0 && last->first == 6);
    tti_page_range_give(ranges, three[0]);
    EXPECT((three[0] = tti_page_range_take(ranges, 5))->first == 0);
    EXPECT((three[1] = tti_page_range_take(ranges, 1))->first == 5);
    tti_page_ranges_close(ranges);
}

/* Found by what lies in them, and not by what lies between. */
static void test_spans(void)
{
    static tti_span spans[RANGES];
    static char memory[RANGES * 4];
    void *tree = NULL;
    for (int i = 0; i < RANGES; i++) {
        spans[i] = (tti_span){memory + i * 4, 3};
        EXPECT(tti_span_add(&tree, &spans[i]));
    }
    for (int i = 0; i < RANGES; i++) {
        EXPECT(tti_span_at(&tree, memory + i * 4) == &spans[i]);
        EXPECT(tti_span_at(&tree, memory + i * 4 + 2) == &spans[i]);
        EXPECT(tti_span_at(&tree, memory + i * 4 + 3) == NULL);
    }
    for (int i = 0; i < RANGES; i += 2)
        tti_span_remove(&tree, &spans[i]);
    EXPECT(tti_span_at(&tree, memory) == NULL && tti_span_at(&tree, memory + 4) == &spans[1]);
    for (tti_span *one; (one = tti_span_any(&tree)) != NULL;)
        tti_span_remove(&tree, one);
    EXPECT(tti_span_at(&tree, memory + 4) == NULL);
}

int main(void)
{
    tti_page_ranges ranges;
    tti_page_ranges_open(&ranges);
    test_random(&ranges);
    test_reuse(&ranges);
    test_spans();
    return 0;
}
