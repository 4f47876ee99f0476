/* SPDX-License-Identifier: BSD-3-Clause */
/* What all that live do together in a mixture of which ranks die: agree, in both forms, take note of deaths,
 * and shrink the world, while everything else is under way. The survivors compare what they were told. */
#ifndef TESTS_JOB_AGREEING_H
#define TESTS_JOB_AGREEING_H

#include "tests/job/mixture/steps.h"

#define BIT_OF_DEATHS 63 /* among what survivors compare; no rank's */

static uint64_t agreed;
static tutti_request *agreeing; /* begun and not waited for */

/* All survivors have the same. */
static inline void compare_words(tutti_comm *survivors, uint64_t word)
{
    uint64_t mine[2] = {word, ~word}, all[2];
    OK(tutti_allreduce(survivors, mine, all, 2, TUTTI_UINT64, TUTTI_BAND));
    EXPECT(all[0] == word && all[1] == ~word);
}

/* Only they are told to have failed. */
static inline void expect_failed_are_doomed(void)
{
    int ranks[MOST_RANKS], count = 0;
    OK(tutti_comm_failed(world, ranks, MOST_RANKS, &count));
    EXPECT(count <= doomed_count);
    for (int i = 0; i < count; i++)
        EXPECT(is_doomed(ranks[i]));
}

/* Each rank has cleared its own bit: those of survivors are clear, those of the dead may be. */
static inline void check_agreement(tutti_comm *survivors, int code)
{
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    for (int r = 0; r < size; r++)
        EXPECT((agreed >> r & 1) == 0 || is_doomed(r));
    expect_failed_are_doomed();
    if (!is_doomed(rank)) compare_words(survivors, agreed & ~(code == 0 ? UINT64_C(1) << BIT_OF_DEATHS : 0));
}

static inline void finish_agreeing(tutti_comm *survivors)
{
    if (agreeing != NULL) check_agreement(survivors, tutti_wait(&agreeing, NULL));
}

/* The members of what is left are the survivors, in their order, and whoever lives yet. */
static inline void check_left(tutti_comm *left)
{
    const int n = tutti_comm_size(left);
    int ranks[MOST_RANKS];
    EXPECT(n >= size - doomed_count && n <= size);
    const int code = tutti_allgather(left, &rank, ranks, sizeof rank);
    EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && n > size - doomed_count));
    for (int r = 0, i = 0; r < size && code == 0; r++) {
        const int is_next = i < n && ranks[i] == r;
        EXPECT(is_next || is_doomed(r));
        i += is_next;
    }
}

/* Shrinks the world. Once all that were to die are dead, what is left takes part in the mixture. */
static inline void shrink_world(tutti_comm *survivors)
{
    int places[MOST_RANKS], n = 0;
    tutti_comm *left;
    OK(tutti_comm_shrink(world, &left));
    if (!is_doomed(rank)) compare_words(survivors, (uint64_t)tutti_comm_size(left));
    check_left(left);
    for (int r = 0; r < size; r++)
        if (!is_doomed(r)) places[n++] = r;
    if (tutti_comm_size(left) == n && group_count() < group_limit)
        group_add(&groups[0], places, n, left);
    else
        OK(tutti_comm_free(&left));
}

/* One of these, as all ranks draw it; each takes note of deaths as it likes. */
static inline void step_agree(tutti_comm *survivors)
{
    const uint64_t what = draw_below(&common, 5);
    finish_agreeing(survivors);
    if (draw_below(&own, 3) == 0) OK(tutti_comm_acknowledge(world));
    agreed = ~(UINT64_C(1) << rank);
    if (what < 2)
        check_agreement(survivors, tutti_comm_agree(world, &agreed));
    else if (what < 4)
        OK(tutti_comm_iagree(world, &agreed, &agreeing));
    else
        shrink_world(survivors);
}

/* At the end no victim comes any more, and whoever lives yet is waited for until it has died. */
static inline void agree_last(tutti_comm *survivors)
{
    finish_agreeing(survivors);
    shrink_world(survivors);
}

#endif
