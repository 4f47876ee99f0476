/* SPDX-License-Identifier: BSD-3-Clause */
/* tti_copy_long() copies all and nothing beside, of every length about where it begins to choose, wherever
 * the two places lie in their pages. */
#include "runtime/base/copy.h"
#include "tests/unit/expect.h"

#define PAGE 4096
#define AT PAGE /* of the source */

static unsigned char from[3 * PAGE], to[3 * PAGE];

static void test_one(size_t to_at, size_t bytes)
{
    memset(to, 0xee, sizeof to);
    tti_copy_long(to + to_at, from + AT, bytes);
    EXPECT(memcmp(to + to_at, from + AT, bytes) == 0);
    EXPECT(to[to_at - 1] == 0xee && to[to_at + bytes] == 0xee);
}

int main(void)
{
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i % 199);
    const size_t alike = ((uintptr_t)from - (uintptr_t)to) % PAGE; /* as far into a page as the source */
    for (size_t apart = 0; apart < 40; apart++)
        for (size_t bytes = TTI_COPY_LONG - 1; bytes < TTI_COPY_LONG + 70; bytes++)
            test_one(alike + 1 + apart, bytes);
    for (size_t bytes = 0; bytes < 10; bytes++)
        test_one(alike + 8, bytes);
    return 0;
}
