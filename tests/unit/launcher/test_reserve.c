/* SPDX-License-Identifier: BSD-3-Clause */
/* Who gets which process: two claims at a time, one made again, spares that die, and too few. */
#include "launcher/reserve.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/claim_wire.h"
#include "tests/unit/expect.h"

#define WORLD 4

static const int one_program[WORLD + 2];

/* What came of a question; [0] is how many members there are, -1 if it was not granted, -2 if not answered.
 */
static int members[16], dead[16], dead_count;

static int read_members(void *record, size_t bytes)
{
    tti_wire_in in = {record, (const uint8_t *)record + bytes, false};
    const bool granted = tti_wire_take_uint(&in, 1) != 0;
    const int count = (int)tti_wire_take_uint(&in, 4);
    EXPECT(count <= 16);
    for (int i = 0; i < count; i++)
        members[i] = (int)(tti_wire_take_uint(&in, 4) & ~TTI_CLAIM_LOST);
    dead_count = 0;
    while (in.at < in.end && dead_count < 16)
        dead[dead_count++] = (int)tti_wire_take_uint(&in, 4);
    EXPECT(!in.failed);
    free(record);
    return granted ? count : -1;
}

/* `lost` are the places of those of the world's ranks that have died, `count` may be 0. */
static int ask(int asker, uint64_t context, uint64_t instead, const uint32_t *ranks, int count)
{
    uint8_t record[100];
    void *answer;
    size_t bytes;
    tti_wire_out out = {record, record + sizeof record, false};
    tti_wire_put_uint(&out, context, 8);
    tti_wire_put_uint(&out, instead, 8);
    tti_wire_put_uint(&out, (uint64_t)count, 4);
    for (int i = 0; i < count; i++)
        tti_wire_put_uint(&out, ranks[i], 4);
    if (!tti_reserve_ask(asker, record, (size_t)(out.at - record), &answer, &bytes)) return -2;
    return read_members(answer, bytes);
}

static void test_all_get_the_same(void)
{
    const uint32_t ranks[] = {0, 1 | TTI_CLAIM_LOST, 2, 3};
    EXPECT(ask(0, 10, 0, ranks, 4) == 4 && members[0] == 0 && members[1] == 4 && members[3] == 3);
    EXPECT(dead_count == 1 && dead[0] == 1);
    EXPECT(ask(2, 10, 0, ranks, 4) == 4 && members[1] == 4);
    EXPECT(tti_reserve_state_of(4) == TTI_RESERVE_CLAIMED && tti_reserve_place_of(4) == 1);
    EXPECT(ask(4, 10, 0, NULL, 0) == 4 && members[1] == 4);
    EXPECT(tti_reserve_state_of(4) == TTI_RESERVE_IN_USE);
    EXPECT(ask(4, 11, 0, NULL, 0) == -2); /* of which nobody has heard */
}

/* Another rank dies before the claim has come to its end; it gets what it had, and one more. */
static void test_made_again(void)
{
    const uint32_t first[] = {0, 4, 2 | TTI_CLAIM_LOST, 3},
                   next[] = {0, 4, 2 | TTI_CLAIM_LOST, 3 | TTI_CLAIM_LOST};
    EXPECT(ask(0, 20, 0, first, 4) == 4 && members[2] == 5);
    EXPECT(ask(0, 21, 20, next, 4) == 4 && members[2] == 5 && members[3] == 6);
    EXPECT(ask(4, 21, 20, next, 4) == 4 && members[2] == 5 && members[3] == 6);
}

/* 6 was to be started; 7 can be, and no more. */
static void test_births(void)
{
    int process = -1, place = -1;
    EXPECT(tti_reserve_next_birth(&process, &place) && process == 6 && place == 3);
    EXPECT(!tti_reserve_next_birth(&process, &place));
    tti_reserve_died(6);
    EXPECT(tti_reserve_state_of(6) == TTI_RESERVE_DEAD);
    const uint32_t again[] = {0, 4, 5, 6 | TTI_CLAIM_LOST};
    EXPECT(ask(0, 30, 0, again, 4) == 4 && members[3] == 7);
    EXPECT(tti_reserve_next_birth(&process, &place) && process == 7 && place == 6);
}

static void test_none_left(void)
{
    const uint32_t many[] = {0, 4 | TTI_CLAIM_LOST, 5, 7};
    void *answer;
    size_t bytes;
    EXPECT(ask(0, 40, 0, many, 4) == -1 && ask(5, 40, 0, many, 4) == -1);
    EXPECT(tti_reserve_call_of(7, &answer, &bytes) && read_members(answer, bytes) == 4 && members[3] == 7);
    EXPECT(!tti_reserve_call_of(0, &answer, &bytes));
}

static void test_bad_questions(void)
{
    const uint32_t beyond[] = {0, 1, 2, 8};
    const uint8_t shorter[] = {1, 0, 0};
    void *answer;
    size_t bytes;
    EXPECT(ask(0, 50, 0, beyond, 4) == -2 && ask(0, 0, 0, beyond, 3) == -2);
    EXPECT(!tti_reserve_ask(0, shorter, sizeof shorter, &answer, &bytes));
}

/* A spare that died asleep is passed over; what a claim that was refused had before is free again. */
static void test_spares_alone(int wake)
{
    const uint32_t one[] = {0 | TTI_CLAIM_LOST, 1}, two[] = {0 | TTI_CLAIM_LOST, 1 | TTI_CLAIM_LOST};
    EXPECT(tti_reserve_open(2, 2, 0, one_program, wake));
    tti_reserve_died(2);
    EXPECT(ask(1, 5, 0, one, 2) == 2 && members[0] == 3);
    EXPECT(ask(1, 6, 5, two, 2) == -1 && tti_reserve_state_of(3) == TTI_RESERVE_FREE);
    EXPECT(ask(1, 7, 6, one, 2) == 2 && members[0] == 3);
    tti_reserve_close();
}

/* What came to nothing is given back by all who had it: once it has gone to others it stays there. Who asks
 * only after that takes nothing. */
static void test_given_back(int wake)
{
    const uint32_t one[] = {0 | TTI_CLAIM_LOST, 1};
    EXPECT(tti_reserve_open(2, 1, 0, one_program, wake));
    EXPECT(ask(1, 5, 0, one, 2) == 2 && members[0] == 2);
    EXPECT(ask(1, 6, 0, one, 2) == -1);
    tti_reserve_return(5);
    EXPECT(tti_reserve_state_of(2) == TTI_RESERVE_FREE);
    EXPECT(ask(1, 7, 0, one, 2) == 2 && members[0] == 2);
    tti_reserve_return(5);
    EXPECT(tti_reserve_state_of(2) == TTI_RESERVE_CLAIMED);
    tti_reserve_return(7);
    tti_reserve_return(8);
    EXPECT(ask(1, 8, 0, one, 2) == -1 && tti_reserve_state_of(2) == TTI_RESERVE_FREE);
    tti_reserve_close();
}

/* A process of another program takes nobody's place, though it is free; and where that leaves too few none is
 * taken, nor started. */
static void test_programs(int wake)
{
    static const int program_of[WORLD] = {0, 0, 0, 1};
    const uint32_t last[] = {0, 1, 2, 3 | TTI_CLAIM_LOST},
                   both[] = {0 | TTI_CLAIM_LOST, 1, 2, 3 | TTI_CLAIM_LOST},
                   many[] = {0 | TTI_CLAIM_LOST, 1 | TTI_CLAIM_LOST, 2 | TTI_CLAIM_LOST, 3};
    int process = -1, place = -1;
    EXPECT(tti_reserve_open(WORLD, 0, 3, program_of, wake));
    EXPECT(ask(1, 20, 0, last, 4) == 4 && members[3] == 4);
    EXPECT(tti_reserve_next_birth(&process, &place) && process == 4 && place == 3);
    EXPECT(ask(1, 21, 20, both, 4) == 4 && members[0] == 5 && members[3] == 4);
    EXPECT(tti_reserve_next_birth(&process, &place) && process == 5 && place == 0);
    tti_reserve_return(21); /* 4, of the other program, and 5 are free, 6 can be started */
    EXPECT(ask(1, 22, 0, many, 4) == -1 && tti_reserve_state_of(5) == TTI_RESERVE_FREE);
    EXPECT(tti_reserve_state_of(6) == TTI_RESERVE_UNBORN && !tti_reserve_next_birth(&process, &place));
    EXPECT(ask(1, 23, 22, both, 4) == 4 && members[0] == 5 && members[3] == 4);
    tti_reserve_close();
}

int main(void)
{
    const int wake = eventfd(0, EFD_NONBLOCK);
    eventfd_t births = 0;
    EXPECT(wake >= 0 && tti_reserve_open(WORLD, 2, 2, one_program, wake));
    test_all_get_the_same();
    test_made_again();
    test_births();
    test_none_left();
    test_bad_questions();
    tti_reserve_close();
    EXPECT(eventfd_read(wake, &births) == 0 && births == 2);
    test_spares_alone(wake);
    test_given_back(wake);
    test_programs(wake);
    close(wake);
    return 0;
}
