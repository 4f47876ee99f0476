/* SPDX-License-Identifier: BSD-3-Clause */
/* What is needed of slots: the arithmetic of layers, and the checker on a message that is as long as numbers
 * in it say. */
#include "tests/unit/collectives/scripts.h"

#define AFTER(step) (1U << (step))
#define BYTES 100

static void test_layers(void)
{
    const tti_need message = {.count = 1, .most = 1000, .head = 64, .slots = 3};
    EXPECT(tti_need_depth(1000, 0) == 64 && tti_need_depth(1000, 64) == 64);
    EXPECT(tti_need_depth(1000, 65) == 256 && tti_need_depth(1000, 257) == 1000);
    EXPECT(tti_need_depth(1000, 1000) == 1000 && tti_need_depth(40, 1) == 40);
    EXPECT(tti_need_take(&message, 5, 1000) == 1000 && tti_need_take(&message, 5, 1001) == 5);
    EXPECT(tti_need_take(&message, 5, 4) == 5);
    EXPECT(tti_need_bytes(&message, 64 + 3000, 0) == 64 + 3 * 64);
    EXPECT(tti_need_bytes(&message, 64 + 3000, 200) == 64 + 3 * 256);
    EXPECT(tti_need_bytes(&message, 64 + 3000, 300) == 64 + 3000);
    EXPECT(tti_need_allows(&message, 64 + 3000, 64 + 3000) && tti_need_allows(&message, 64 + 3000, 64 + 192));
    EXPECT(!tti_need_allows(&message, 64 + 3000, 64) && !tti_need_allows(&message, 64 + 3000, 64 + 999));
    const tti_need layer = {.count = 1, .most = 1000, .over = 64, .head = 3 * 192};
    EXPECT(tti_need_bytes(&layer, 3 * 192, 64) == 0 && tti_need_bytes(&layer, 3 * 192, 65) == 3 * 192);
}

/* A bcast of one slot of two layers, 64 bytes and the rest, behind its number. */
static const tti_shape call = {
    .size = 2, .count = BYTES, .element = 1, .radix = 2, .chunk = 1, .window = 200};
static const script sender = {{TELL(BYTES, 0), LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 64, 64),
                               LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 64, TTI_WINDOW, 128, BYTES - 64),
                               SEND(TTI_WINDOW, 0, 64 + BYTES, 1)},
                              {0, 0, 0, AFTER(0) | AFTER(1) | AFTER(2)},
                              4};
static const script taker = {{RECV(TTI_WINDOW, 0, 64 + BYTES, 0), COMPARE_PASSED(TTI_OWN, 0, BYTES, 0),
                              LOCAL(TTI_STEP_COPY, TTI_WINDOW, 64, TTI_OUTPUT, 0, 64),
                              LOCAL(TTI_STEP_COPY, TTI_WINDOW, 128, TTI_OUTPUT, 64, BYTES - 64)},
                             {0, AFTER(0), AFTER(0), AFTER(0)},
                             4};

/* What moves, for tests to change: the message, and what both ends need of it. */
typedef struct {
    script from, to;
    tti_need needs[2];
} exchange;

static exchange open_exchange(void)
{
    const tti_need need = {.count = 1, .most = BYTES, .head = 64, .slots = 1};
    exchange e = {sender, taker, {need, need}};
    e.from.steps[3].need = e.to.steps[0].need = 1;
    return e;
}

static void expect_exchange(const exchange *e, const char *why)
{
    const script *const both[] = {&e->from, &e->to};
    expect_all(TTI_BCAST, &call, both, &(beside){.needs = e->needs}, why);
}

static void test_messages(void)
{
    exchange e = open_exchange();
    expect_exchange(&e, NULL);
    e.to.steps[0].need = 0;
    expect_exchange(&e, "as is needed, rank 1 awaits else");
    e = open_exchange();
    e.needs[0].slots = 2;
    expect_exchange(&e, "as is needed, rank 1 awaits else");
    e = open_exchange();
    e.from.steps[0].from = e.to.steps[1].to = 64; /* one layer is enough for that */
    expect_exchange(&e, "takes byte 128, which nobody wrote");
    e.from.steps[0].from = e.to.steps[1].to = BYTES + 1; /* that is not there */
    expect_exchange(&e, "takes byte 128, which nobody wrote");
}

/* The second layer moves only where it is used. */
static void test_copies(void)
{
    exchange e = {.from = sender, .to = taker};
    e.needs[1] = (tti_need){.before = 128, .count = 1, .most = BYTES, .over = 64, .head = BYTES - 64};
    e.to.steps[3].need = 1;
    expect_exchange(&e, NULL);
    e.needs[1].over = BYTES;
    expect_exchange(&e, "rank 1 ends without the data of rank 0 at byte 64");
}

static void test_form(void)
{
    exchange e = open_exchange();
    e.from.steps[0].need = 1;
    expect_exchange(&e, "step 0 has a need, and must not");
    e = open_exchange();
    e.from.steps[3].need = 2;
    expect_exchange(&e, "step 3 has a need, and must not");
    e = open_exchange();
    e.needs[0].count = 0;
    expect_exchange(&e, "step 3 has a need of no numbers");
    e = open_exchange();
    e.needs[0].before = 1;
    expect_exchange(&e, "step 3 has a need of no numbers");
    e = open_exchange();
    e.needs[0].count = 1000;
    expect_exchange(&e, "step 3 reads bytes 0 to 8000");
}

static void test_numbers(void)
{
    exchange e = open_exchange();
    e.from.steps[0].to = e.to.steps[1].from = 8; /* it stands elsewhere */
    expect_exchange(&e, "step 3 goes by a number at byte 0, where none stands");
    e = open_exchange();
    e.from.after[3] = AFTER(1) | AFTER(2); /* it may come too late */
    expect_exchange(&e, "rank 0: steps 0 and 3 touch the same bytes in no order");
    e.from.steps[3].from = 64; /* also where it stands in front of what is moved */
    e.to.steps[0].to = 64;
    e.from.steps[3].bytes = e.to.steps[0].bytes = BYTES;
    e.needs[0] = e.needs[1] = (tti_need){.before = 64, .count = 1, .most = BYTES, .slots = 1};
    expect_exchange(&e, "rank 0: steps 0 and 3 touch the same bytes in no order");
}

/* A peer's numbers are read as its data are. */
static void test_order(void)
{
    exchange e = {.from = {{LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 64, BYTES), TELL(BYTES, 0),
                            POST(1, TTI_ALL), POST(2, TTI_ALL)},
                           {0, 0, AFTER(0) | AFTER(1), AFTER(2)},
                           4},
                  .to = {{AWAIT(1, 0), FROM(TTI_STEP_COPY, 0, 64, TTI_OUTPUT, 0, BYTES), AWAIT(2, 0),
                          COMPARE(0, 0, BYTES)},
                         {0, AFTER(0), AFTER(0), AFTER(2)},
                         4}};
    e.needs[1] = (tti_need){.before = 64, .count = 1, .most = BYTES, .head = BYTES};
    e.to.steps[1].need = 1;
    expect_exchange(&e, NULL);
    e.from.after[2] = AFTER(0);
    e.from.after[3] = AFTER(1) | AFTER(2);
    expect_exchange(&e, "rank 1 step 1 reads rank 0's WINDOW in no order with step 1");
    e.to.steps[1].need = 0;
    expect_exchange(&e, NULL);
}

int main(void)
{
    test_layers();
    test_messages();
    test_copies();
    test_form();
    test_numbers();
    test_order();
    return 0;
}
