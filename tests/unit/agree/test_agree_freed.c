/* SPDX-License-Identifier: BSD-3-Clause */
/* In the last agreement of a communicator, in which ranks say that they have freed it, a rank that has said
 * so and left counts as failed. A rank that is asked for what it says hears of that, and believes it in any
 * other agreement, but not in that one: what the rank that left has sent it may still be on its way. */
#include <string.h>

#include "collectives/agree/agree_state.h"
#include "collectives/agree/agree_tree.h"
#include "tests/unit/expect.h"

#define RANKS 4
#define WORDS 64

enum { FIRST, ASKER, ASKED, GONE }; /* the ranks */

static tti_agree_branch tree[RANKS];
static tti_agree_state asker, asked;
static uint64_t memory[2][WORDS];
static struct {
    enum tti_agree_message message;
    uint64_t number;
    tti_agree_value value;
    uint64_t failed;
} sent; /* to the one that is asked, last */
static int cast_out;

static void keep(void *context, int to, enum tti_agree_message message, uint64_t number,
                 const tti_agree_value *value)
{
    (void)context;
    if (to != ASKED) return;
    sent.message = message;
    sent.number = number;
    sent.value = *value;
    sent.failed = value->failed[0];
    sent.value.failed = &sent.failed;
}

static void ignore(void *context, int to, enum tti_agree_message message, uint64_t number,
                   const tti_agree_value *value)
{
    (void)context, (void)to, (void)message, (void)number, (void)value;
}

static void note(void *context, int rank)
{
    (void)context;
    cast_out |= 1 << rank;
}

static void open_rank(tti_agree_state *s, int rank, uint64_t *sets)
{
    EXPECT(tti_agree_memory(RANKS) <= WORDS);
    tti_agree_open(s, rank, RANKS, tree, sets);
    s->send = rank == ASKER ? keep : ignore;
    s->cast_out = note;
}

/* The first rank and the last one have gone when the asker, which is the first one then, begins. */
static void ask(uint32_t kind)
{
    uint64_t none = 0;
    const tti_agree_value said = {.kind = kind, .failed = &none};
    open_rank(&asker, ASKER, memory[0]);
    open_rank(&asked, ASKED, memory[1]);
    cast_out = 0;
    tti_agree_begin(&asker, &said);
    tti_agree_died(&asker, GONE);
    tti_agree_died(&asker, FIRST);
    EXPECT(sent.message == TTI_AGREE_ASK && sent.failed == (1U << FIRST | 1U << GONE));
    EXPECT(tti_agree_heard(&asked, ASKER, sent.message, sent.number, &sent.value));
}

int main(void)
{
    tti_agree_plant(tree, RANKS, NULL);
    ask(TTI_AGREE_FLAGS);
    EXPECT(cast_out == 1 << GONE); /* of the first, which is before it, the asker is not believed */
    ask(TTI_AGREE_FREED);
    EXPECT(cast_out == 0);
    return 0;
}
