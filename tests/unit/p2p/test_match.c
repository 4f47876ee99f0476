/* SPDX-License-Identifier: BSD-3-Clause */
/* The match engine against a naive model under random operations, and its speed with 100,000 of either side.
 */
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/p2p/match.h"
#include "tests/unit/expect.h"

#define MOST 400
#define OPERATIONS 400000
#define FLOOD 100000

typedef struct {
    tti_match_receive receive;
    tti_match_message message;
    uint64_t context;
    int source, tag;
    bool posted, kept;
    uint64_t since;
} item;

static item items[MOST];
static uint64_t now;
static uint64_t seed = 20260101;

static unsigned next_random(unsigned below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (unsigned)(seed >> 33) % below;
}

static bool admits(const item *receive, uint64_t context, int source, int tag)
{
    return receive->context == context && (receive->source == TTI_MATCH_ANY || receive->source == source) &&
           (receive->tag == TTI_MATCH_ANY || receive->tag == tag);
}

static item *model_receive_for(uint64_t context, int source, int tag)
{
    item *best = NULL;
    for (item *i = items; i < items + MOST; i++) {
        if (i->posted && admits(i, context, source, tag) && (best == NULL || i->since < best->since))
            best = i;
    }
    return best;
}

static item *model_message_for(const item *wish)
{
    item *best = NULL;
    for (item *i = items; i < items + MOST; i++) {
        if (i->kept && admits(wish, i->context, i->source, i->tag) &&
            (best == NULL || i->since < best->since))
            best = i;
    }
    return best;
}

static item *free_item(void)
{
    for (item *i = items; i < items + MOST; i++) {
        if (!i->posted && !i->kept) return i;
    }
    return NULL;
}

static void choose(item *i, bool wildcards)
{
    /* Contexts that differ in either half. */
    i->context = (uint64_t)next_random(2) << 32 | next_random(2);
    i->source = wildcards && next_random(3) == 0 ? TTI_MATCH_ANY : (int)next_random(5);
    i->tag = wildcards && next_random(3) == 0 ? TTI_MATCH_ANY : (int)next_random(4);
    i->since = now++;
}

static void arrive(tti_match *match)
{
    item *i = free_item(), *expected;
    if (i == NULL) return;
    choose(i, false);
    expected = model_receive_for(i->context, i->source, i->tag);
    tti_match_receive *found = tti_match_arrive(match, i->context, i->source, i->tag);
    EXPECT(found == (expected != NULL ? &expected->receive : NULL));
    if (expected != NULL) {
        expected->posted = false;
        return;
    }
    tti_match_keep(match, &i->message, i->context, i->source, i->tag);
    i->kept = true;
}

static void receive(tti_match *match)
{
    item *i = free_item(), *expected;
    if (i == NULL) return;
    choose(i, true);
    expected = model_message_for(i);
    tti_match_message *found = tti_match_find(match, i->context, i->source, i->tag);
    EXPECT(found == (expected != NULL ? &expected->message : NULL));
    if (expected != NULL) {
        tti_match_drop(match, found);
        expected->kept = false;
        return;
    }
    tti_match_post(match, &i->receive, i->context, i->source, i->tag);
    i->posted = true;
}

/* Withdraws a receive, or takes a message from the middle, as cancel and matched probes do. */
static void take_out(tti_match *match)
{
    item *i = &items[next_random(MOST)];
    if (i->posted) tti_match_unpost(match, &i->receive);
    if (i->kept) tti_match_drop(match, &i->message);
    i->posted = i->kept = false;
}

static void count_posted(tti_match_receive *posted, void *context)
{
    (void)posted;
    ++*(int *)context;
}

static void count_waiting(tti_match_message *message, void *context)
{
    (void)message;
    ++*(int *)context;
}

static void test_against_model(void)
{
    tti_match match;
    EXPECT(tti_match_open(&match) == 0);
    for (int n = 0; n < OPERATIONS; n++) {
        const unsigned what = next_random(20);
        /* Now the one side prevails, now the other. */
        if (what == 0)
            take_out(&match);
        else if ((what < 14) == (n / 5000 % 2 == 0))
            arrive(&match);
        else
            receive(&match);
    }
    int posted = 0, waiting = 0, expected = 0, kept = 0;
    tti_match_each_posted(&match, count_posted, &posted);
    tti_match_each_waiting(&match, count_waiting, &waiting);
    for (int i = 0; i < MOST; i++) {
        expected += items[i].posted;
        kept += items[i].kept;
    }
    EXPECT(posted == expected && waiting == kept && match.messages_waiting == (size_t)kept);
    for (; kept > 0; kept--)
        tti_match_drop(&match, tti_match_any_waiting(&match));
    EXPECT(tti_match_any_waiting(&match) == NULL && match.waiting.keys == 0);
    tti_match_close(&match);
}

/* `tags` different tags; received last tag first, by exact tag or by wildcards. */
static void flood(tti_match *match, int tags, int source, int tag_step)
{
    tti_match_message *messages = calloc(FLOOD, sizeof *messages);
    EXPECT(messages != NULL);
    for (int i = 0; i < FLOOD; i++)
        tti_match_keep(match, &messages[i], 0, i % 100, i % tags);
    for (int i = FLOOD - 1; i >= 0; i--) {
        const int tag = tag_step == 0 ? TTI_MATCH_ANY : i % tags;
        const int from = source == TTI_MATCH_ANY ? source : i % 100;
        tti_match_message *found = tti_match_find(match, 0, from, tag);
        EXPECT(found != NULL);
        tti_match_drop(match, found);
    }
    EXPECT(match->messages_waiting == 0);
    free(messages);
}

static void flood_receives(tti_match *match, int tags, int any_every)
{
    tti_match_receive *receives = calloc(FLOOD, sizeof *receives);
    EXPECT(receives != NULL);
    for (int i = 0; i < FLOOD; i++)
        tti_match_post(match, &receives[i], 0, i % any_every == 0 ? TTI_MATCH_ANY : i % 100, i % tags);
    for (int i = FLOOD - 1; i >= 0; i--)
        EXPECT(tti_match_arrive(match, 0, i % 100, i % tags) != NULL);
    free(receives);
}

static void test_floods(void)
{
    tti_match match;
    EXPECT(tti_match_open(&match) == 0);
    const clock_t began = clock();
    flood(&match, FLOOD, 0, 1);
    flood(&match, 1, 0, 1);
    flood(&match, 7, TTI_MATCH_ANY, 1);
    flood(&match, 10, TTI_MATCH_ANY, 0);
    flood_receives(&match, FLOOD, 3);
    flood_receives(&match, 1, 1);
    /* Quadratic work would be minutes of processor time; a second is much even under a sanitizer. */
    EXPECT((clock() - began) / CLOCKS_PER_SEC < 60);
    tti_match_close(&match);
}

int main(void)
{
    test_against_model();
    test_floods();
    return 0;
}
