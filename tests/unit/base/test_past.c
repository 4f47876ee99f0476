/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy past the caches is one: at every place in a line, of every length, and of nothing beside. */
#include <stdint.h>

#include "runtime/base/past.h"
#include "tests/unit/expect.h"

#define ROOM ((size_t)(8 * TTI_PAST_LINE))
#define LONGEST (5 * TTI_PAST_LINE)

static unsigned char from[ROOM], to[ROOM];

static void test_one(size_t from_at, size_t to_at, size_t bytes)
{
    memset(to, 0xee, ROOM);
    tti_copy_past(to + to_at, from + from_at, bytes);
    for (size_t i = 0; i < ROOM; i++)
        EXPECT(to[i] == (i >= to_at && i < to_at + bytes ? from[from_at + i - to_at] : 0xee));
}

int main(void)
{
    for (size_t i = 0; i < ROOM; i++)
        from[i] = (unsigned char)(i % 199);
    for (size_t to_at = 0; to_at <= TTI_PAST_LINE; to_at++)
        for (size_t bytes = 0; bytes <= LONGEST; bytes++)
            test_one(bytes % 3, to_at, bytes);
    return 0;
}
