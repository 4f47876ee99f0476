/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of operations: unique while in use, dead afterwards even when their place is taken again. */
#include "runtime/p2p/ids.h"
#include "tests/unit/expect.h"

#define MANY 5000

static void test_reuse(void)
{
    tti_ids ids = {0};
    int a, b;
    uint32_t first, second;
    EXPECT(tti_ids_find(&ids, 0) == NULL && tti_ids_find(&ids, 77) == NULL);
    EXPECT(tti_ids_take(&ids, &a, &first) == 0 && first != 0);
    EXPECT(tti_ids_find(&ids, first) == &a);
    tti_ids_give(&ids, first);
    EXPECT(tti_ids_find(&ids, first) == NULL);
    EXPECT(tti_ids_take(&ids, &b, &second) == 0 && second != first);
    EXPECT(tti_ids_find(&ids, first) == NULL && tti_ids_find(&ids, second) == &b);
    tti_ids_close(&ids);
}

/* A packet that comes late may name an operation of long ago. */
static void test_late(void)
{
    tti_ids ids = {0};
    int owner;
    uint32_t first, next;
    EXPECT(tti_ids_take(&ids, &owner, &first) == 0);
    tti_ids_give(&ids, first);
    for (int i = 0; i < 10000; i++) {
        EXPECT(tti_ids_take(&ids, &owner, &next) == 0 && next != first);
        tti_ids_give(&ids, next);
    }
    tti_ids_close(&ids);
}

static void test_many(void)
{
    static int owners[MANY];
    static uint32_t numbers[MANY];
    tti_ids ids = {0};
    for (int round = 0; round < 300; round++) {
        for (int i = round % 7; i < MANY; i += 7)
            EXPECT(tti_ids_take(&ids, &owners[i], &numbers[i]) == 0 && numbers[i] != 0);
        for (int i = round % 7; i < MANY; i += 7)
            EXPECT(tti_ids_find(&ids, numbers[i]) == &owners[i]);
        for (int i = round % 7; i < MANY; i += 7)
            tti_ids_give(&ids, numbers[i]);
    }
    EXPECT(ids.count <= 2 * (MANY / 7 + 2));
    tti_ids_close(&ids);
}

/* Who goes through them may end one, and so begin others. */
static void test_next(void)
{
    static int owners[200];
    uint32_t numbers[200], place = 0;
    tti_ids ids = {0};
    EXPECT(tti_ids_next(&ids, &place) == NULL);
    for (int i = 0; i < 3; i++)
        EXPECT(tti_ids_take(&ids, &owners[i], &numbers[i]) == 0);
    tti_ids_give(&ids, numbers[1]);
    place = 0;
    EXPECT(tti_ids_next(&ids, &place) == &owners[0]);
    tti_ids_give(&ids, numbers[0]);
    for (int i = 3; i < 200; i++)
        EXPECT(tti_ids_take(&ids, &owners[i], &numbers[i]) == 0);
    int found = 0;
    for (const int *owner; (owner = tti_ids_next(&ids, &place)) != NULL; found++)
        EXPECT(owner > &owners[1]);
    EXPECT(found >= 197 && tti_ids_next(&ids, &place) == NULL);
    tti_ids_close(&ids);
}

int main(void)
{
    test_reuse();
    test_late();
    test_many();
    test_next();
    return 0;
}
