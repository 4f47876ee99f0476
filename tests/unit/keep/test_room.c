/* SPDX-License-Identifier: BSD-3-Clause */
/* Rooms of pieces: how large they are, that they are not made where memory is short, and that nothing is
 * shared which nobody could map. What tells how much memory there is is wrapped by the linker. */
#include <string.h>
#include <sys/prctl.h>

#include "keep/room.h"
#include "runtime/base/status.h"
#include "runtime/node/memory_room.h"
#include "tests/unit/expect.h"

#define LARGE ((size_t)8 << 20)

typedef int make_fn(tti_keep_room *room, size_t bytes);

static bool is_scarce;

int __wrap_tti_node_check_room(const char *what, uint64_t need);

int __wrap_tti_node_check_room(const char *what, uint64_t need)
{
    (void)need;
    return is_scarce ? tti_fail(TUTTI_ERR_NO_MEMORY, "%s: for this test", what) : 0;
}

static void test_sizes(make_fn *make)
{
    tti_keep_room room = {0};
    EXPECT(make(&room, LARGE) == 0 && room.bytes == LARGE && room.room == LARGE);
    memset(room.memory, 1, LARGE);
    const void *memory = room.memory;
    EXPECT(make(&room, LARGE / 2) == 0 && room.bytes == LARGE / 2 && room.memory == memory);
    EXPECT(make(&room, 1000) == 0 && room.bytes == 1000 && room.room < LARGE / 2);
    memory = room.memory;
    EXPECT(make(&room, 10) == 0 && room.bytes == 10 && room.memory == memory);
    EXPECT(make(&room, LARGE) == 0 && room.bytes == LARGE && room.room == LARGE);
    memset(room.memory, 1, LARGE);
    tti_keep_room_empty(&room);
}

static void test_scarce(make_fn *make)
{
    tti_keep_room room = {0};
    EXPECT(make(&room, 1000) == 0);
    is_scarce = true;
    EXPECT(make(&room, 1000) == 0);
    EXPECT(make(&room, LARGE) == TUTTI_ERR_NO_MEMORY && room.memory == NULL);
    is_scarce = false;
    EXPECT(make(&room, LARGE) == 0);
    tti_keep_room_empty(&room);
}

static void test_not_dumped(void)
{
    tti_keep_room room = {0};
    EXPECT(tti_keep_room_shared(&room, LARGE) == 0 && tti_keep_is_shared(&room.shared));
    EXPECT(prctl(PR_SET_DUMPABLE, 0) == 0);
    EXPECT(tti_keep_room_shared(&room, 2 * LARGE) == 0 && !tti_keep_is_shared(&room.shared));
    EXPECT(prctl(PR_SET_DUMPABLE, 1) == 0);
    EXPECT(tti_keep_room_shared(&room, LARGE) == 0 && tti_keep_is_shared(&room.shared));
    tti_keep_room_empty(&room);
}

int main(void)
{
    test_sizes(tti_keep_room_private);
    test_sizes(tti_keep_room_shared);
    test_scarce(tti_keep_room_private);
    test_scarce(tti_keep_room_shared);
    test_not_dumped();
    return 0;
}
