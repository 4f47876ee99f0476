/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that a schedule's copies touch: what the caches must have room for. */
#include "collectives/schedule/builder.h"
#include "tests/unit/expect.h"

static tti_place at(enum tti_space space)
{
    return tti_place_at(space, 0);
}

static size_t touched(tti_builder *builder)
{
    tti_schedule *schedule;
    EXPECT(tti_build_finish(builder, &schedule) == 0);
    const size_t bytes = tti_schedule_touches(schedule);
    tti_schedule_free(schedule);
    return bytes;
}

/* The caller's own data are read, its WINDOW and OUTPUT are written; a peer's WINDOW is that one's. */
static void test_copies(void)
{
    tti_builder *b = tti_build_begin(1);
    tti_build_copy(b, at(TTI_INPUT), at(TTI_WINDOW), 100);
    tti_build_post(b, TTI_ALL);
    tti_build_await_post(b, TTI_ALL, 1);
    tti_build_copy_from(b, 1, 0, at(TTI_OUTPUT), 50);
    EXPECT(touched(b) == 100 + 100 + 50);
}

static void test_others_buffers(void)
{
    tti_builder *b = tti_build_begin(1);
    tti_build_await_post(b, TTI_ALL, 0);
    tti_build_copy_shown(b, 1, at(TTI_INPUT), at(TTI_OUTPUT), 70);
    EXPECT(touched(b) == 70 + 70);
}

/* What is combined, or a message, does not count, nor what is kept in SCRATCH. */
static void test_others(void)
{
    tti_builder *b = tti_build_begin(1);
    const tti_place room = tti_build_scratch(b, 64);
    tti_build_copy(b, at(TTI_INPUT), room, 20);
    tti_build_reduce(b, at(TTI_INPUT), at(TTI_OUTPUT), 20);
    tti_build_send(b, at(TTI_OUTPUT), 20, 1, 0);
    tti_build_recv(b, at(TTI_OUTPUT), 20, 1, 0);
    EXPECT(touched(b) == 20);
}

int main(void)
{
    test_copies();
    test_others_buffers();
    test_others();
    return 0;
}
