/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy past the caches is one: at every place in a line, of every length, and of nothing beside; whichever
 * way it goes. */
#include <stdint.h>

#include "runtime/base/past.h"
#include "tests/unit/expect.h"

#define ROOM ((size_t)(8 * TTI_PAST_LINE))
#define LONGEST (5 * TTI_PAST_LINE)
#define PAGE 4096

static unsigned char from[2 * PAGE], to[2 * PAGE];

/* `to_at` and what lies around it. */
static void test_one(size_t from_at, size_t to_at, size_t bytes)
{
    const size_t least = to_at < TTI_PAST_LINE ? 0 : to_at - TTI_PAST_LINE, most = least + ROOM;
    memset(to, 0xee, sizeof to);
    tti_copy_past(to + to_at, from + from_at, bytes);
    for (size_t i = least; i < most; i++)
        EXPECT(to[i] == (i >= to_at && i < to_at + bytes ? from[from_at + i - to_at] : 0xee));
}

int main(void)
{
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i % 199);
    for (size_t to_at = 0; to_at <= TTI_PAST_LINE; to_at++)
        for (size_t bytes = 0; bytes <= LONGEST; bytes++)
            test_one(bytes % 3, to_at, bytes);
    for (size_t apart = 0; apart < PAGE; apart += 8)
        test_one(1, apart + 1, LONGEST - 1);
    return 0;
}
