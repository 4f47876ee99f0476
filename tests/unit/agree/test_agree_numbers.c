/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator that has agreed for days: its agreements go on past the number 2^32, and so they do if a
 * rank dies in any of them or behind it. */
#include "collectives/agree/agree_state.h"
#include "collectives/agree/agree_tree.h"
#include "tests/unit/expect.h"

#define RANKS 5
#define WORDS 64
#define QUEUE 256
#define BEFORE ((uint64_t)UINT32_MAX - 3) /* the last agreement before the test's */
#define AGREEMENTS 8

typedef struct {
    int from, to;
    enum tti_agree_message message;
    uint64_t number, failed;
    tti_agree_value value;
} mail;

static int size, dead; /* -1: nobody */
static tti_agree_branch tree[RANKS];
static tti_agree_state ranks[RANKS];
static uint64_t memory[RANKS][WORDS];
static mail queue[QUEUE];
static int sent, taken;

static void send(void *context, int to, enum tti_agree_message message, uint64_t number,
                 const tti_agree_value *value)
{
    const int from = ((const tti_agree_state *)context)->rank;
    EXPECT(sent < QUEUE);
    queue[sent++] = (mail){from, to, message, number, value->failed[0], *value};
}

static void cast_out(void *context, int rank)
{
    (void)context;
    EXPECT(rank == dead);
}

/* It has begun and decided all agreements up to `number`. */
static void open_rank(int rank, uint64_t number)
{
    tti_agree_state *s = &ranks[rank];
    EXPECT(tti_agree_memory(size) <= WORDS);
    tti_agree_open(s, rank, size, tree, memory[rank]);
    s->send = send;
    s->cast_out = cast_out;
    s->context = s;
    s->number = number;
    for (uint64_t n = number - 1; n <= number + 1; n++) {
        tti_agree_round *r = &s->rounds[n % TTI_AGREE_ROUNDS];
        r->number = n;
        r->begun = r->decided = n <= number;
    }
}

static void deliver(void)
{
    for (; taken < sent; taken++) {
        mail *m = &queue[taken];
        m->value.failed = &m->failed;
        if (m->from == dead || m->to == dead) continue;
        EXPECT(tti_agree_heard(&ranks[m->to], m->from, m->message, m->number, &m->value));
    }
    sent = taken = 0;
}

static void die(int rank)
{
    dead = rank;
    for (int r = 0; r < size; r++)
        if (r != rank) tti_agree_died(&ranks[r], rank);
    deliver();
}

/* A rank dies in the midst of agreement `death`, or behind it. */
static void agree(uint64_t number, int victim, uint64_t death, bool behind)
{
    uint64_t failed = dead >= 0 ? UINT64_C(1) << dead : 0;
    const tti_agree_value said = {.flags = number, .kind = TTI_AGREE_FLAGS, .failed = &failed};
    for (int r = 0; r < size; r++)
        if (r != dead) tti_agree_begin(&ranks[r], &said);
    if (number == death && !behind) die(victim);
    deliver();
    if (number == death && behind) die(victim);
    for (int r = 0; r < size; r++) {
        const tti_agree_value *decision = tti_agree_decision(&ranks[r], number);
        if (r == dead) continue;
        EXPECT(decision != NULL && decision->flags == number);
        EXPECT(tti_agree_decision(&ranks[r], number - 1) != NULL);
    }
}

static void run(int victim, uint64_t death, bool behind)
{
    dead = -1;
    for (int r = 0; r < size; r++)
        open_rank(r, BEFORE);
    for (uint64_t n = 1; n <= AGREEMENTS; n++)
        agree(BEFORE + n, victim, death, behind);
    EXPECT(dead == victim);
}

int main(void)
{
    const int sizes[] = {2, 3, RANKS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size = sizes[i];
        tti_agree_plant(tree, size, NULL);
        run(-1, 0, false);
        for (int victim = 0; victim < size; victim++)
            for (uint64_t death = 1; death <= AGREEMENTS; death++) {
                run(victim, BEFORE + death, false);
                run(victim, BEFORE + death, true);
            }
    }
    return 0;
}
