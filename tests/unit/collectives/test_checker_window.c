/* SPDX-License-Identifier: BSD-3-Clause */
/* The checker on shared memory, against schedules written by hand: right ones, and each way to be wrong. */
#include "tests/unit/collectives/scripts.h"

#define AFTER(step) (1U << (step))

static const tti_shape pair = {.size = 2, .count = 8, .element = 1, .radix = 2, .chunk = 1, .window = 16};

/* A bcast of 8 bytes in two blocks of 4, by way of one place of 4 bytes that is used twice. */
static const script writer = {{LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 0, 4), POST(1, TTI_ALL),
                               AWAIT(1, 1), LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 4, TTI_WINDOW, 0, 4),
                               POST(2, 1)},
                              {0, AFTER(0), AFTER(1), AFTER(0) | AFTER(2), AFTER(3) | AFTER(2)},
                              5};
static const script reader = {{AWAIT(1, 0), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 4), POST(1, 0),
                               AWAIT(2, TTI_ALL), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 4, 4)},
                              {0, AFTER(0), AFTER(0) | AFTER(1), AFTER(2), AFTER(3)},
                              5};

static void expect_writer(const script *bad, const char *why)
{
    expect(TTI_BCAST, &pair, bad, &reader, why);
}

static void expect_reader(const script *bad, const char *why)
{
    expect(TTI_BCAST, &pair, &writer, bad, why);
}

static void test_order_between_ranks(void)
{
    const char *first = "rank 1 step 1 reads rank 0's WINDOW in no order with step 0";
    const char *again = "rank 1 step 1 reads rank 0's WINDOW in no order with step 3";
    expect(TTI_BCAST, &pair, &writer, &reader, NULL);
    script bad = reader;
    bad.after[1] = 0; /* no AWAIT before the read */
    bad.after[2] = AFTER(0) | AFTER(1);
    expect_reader(&bad, first);
    bad = reader;
    bad.steps[3].tag = 1; /* the second block is awaited by the first one's post */
    expect_reader(&bad, "rank 1 step 4 reads rank 0's WINDOW in no order with step 3");
    bad = writer;
    bad.after[1] = 0; /* the POST does not wait for the data */
    bad.after[2] = AFTER(0) | AFTER(1);
    expect_writer(&bad, first);
    bad = writer;
    bad.after[3] = AFTER(0); /* the place is used again before it has been read */
    expect_writer(&bad, again);
    bad = reader;
    bad.after[2] = AFTER(0); /* the reader shows that it has read before it has */
    bad.after[3] = AFTER(1) | AFTER(2);
    expect_reader(&bad, again);
    bad = writer;
    bad.after[3] = AFTER(2); /* others imply the order of the two writes */
    expect_writer(&bad, NULL);
}

/* The same in one block, whose size the writer tells. */
static void test_numbers(void)
{
    const tti_shape larger = {.size = 2, .count = 8, .element = 1, .radix = 2, .chunk = 1, .window = 16};
    const script teller = {
        {TELL(8, 0), LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 8, 8), POST(1, TTI_ALL)},
        {0, 0, AFTER(0) | AFTER(1)},
        3};
    const script comparer = {{AWAIT(1, 0), COMPARE(0, 0, 8), FROM(TTI_STEP_COPY, 0, 8, TTI_OUTPUT, 0, 8)},
                             {0, AFTER(0), AFTER(0)},
                             3};
    expect(TTI_BCAST, &larger, &teller, &comparer, NULL);
    script bad = teller;
    bad.steps[0].from = 7;
    expect(TTI_BCAST, &larger, &bad, &comparer, "expects the number 8 of rank 0, which tells another");
    bad = teller;
    bad.after[2] = AFTER(1); /* shown before it is told */
    expect(TTI_BCAST, &larger, &bad, &comparer, "rank 1 step 1 reads rank 0's WINDOW in no order");
    bad = teller;
    bad.steps[0] = (tti_step)POST(1, TTI_ALL);
    bad.steps[2].tag = 2;
    expect(TTI_BCAST, &larger, &bad, &comparer, "0 numbers are told, 1 taken");
    bad = comparer;
    bad.steps[1].from = 8;
    expect(TTI_BCAST, &larger, &teller, &bad, "expects the number 8 of rank 0, which tells another");
    bad = comparer;
    bad.steps[2].from = 0;
    expect(TTI_BCAST, &larger, &teller, &bad, "takes byte 0, which nobody wrote");
    bad = comparer;
    bad.steps[1].from_space = TTI_OUTPUT;
    expect(TTI_BCAST, &larger, &teller, &bad, "for a number");
    bad = comparer;
    bad.steps[1].peer = TTI_OWN; /* where nobody has put it */
    expect(TTI_BCAST, &larger, &teller, &bad, "which has 0");
}

/* The same passed on in a message, with what is around it: bytes that nobody wrote, of which none may reach
 * an OUTPUT. */
static void test_passed_numbers(void)
{
    const tti_shape larger = {.size = 2, .count = 8, .element = 1, .radix = 2, .chunk = 1, .window = 32};
    const script sender = {{TELL(8, 0), LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 8, 8),
                            SEND(TTI_WINDOW, 0, 20, 1),
                            LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 20, 4)},
                           {0, 0, AFTER(0) | AFTER(1), AFTER(2)},
                           4};
    const script taker = {{RECV(TTI_WINDOW, 4, 20, 0), COMPARE_PASSED(TTI_OWN, 4, 8, 0),
                           LOCAL(TTI_STEP_COPY, TTI_WINDOW, 12, TTI_OUTPUT, 0, 8)},
                          {0, AFTER(0), AFTER(0)},
                          3};
    expect(TTI_BCAST, &larger, &sender, &taker, NULL);
    script bad = taker;
    bad.steps[2].from = 13; /* a byte beyond the data */
    expect(TTI_BCAST, &larger, &sender, &bad, "takes byte 20, which nobody wrote");
    bad = taker;
    bad.steps[1].from = 8;
    expect(TTI_BCAST, &larger, &sender, &bad, "expects the number 8 of rank 0, which tells another");
    bad = sender;
    bad.steps[0].from = 7;
    expect(TTI_BCAST, &larger, &bad, &taker, "expects the number 8 of rank 0, which tells another");
    bad = sender; /* a part of it */
    bad.steps[2].from = 4;
    script other = taker;
    other.steps[2].from = 8;
    expect(TTI_BCAST, &larger, &bad, &other, "expects the number 8 of rank 0, which tells another");
}

static void test_form(void)
{
    script bad = reader;
    bad.steps[3].tag = 3;
    expect_reader(&bad, "awaits post 3 of rank 0, which makes 2");
    bad.steps[3].tag = 0;
    expect_reader(&bad, "in no order with step 3"); /* it has begun, and no more is known of it */
    bad = writer;
    bad.steps[4].tag = 3;
    expect_writer(&bad, "is post 2 of the rank, but bears number 3");
    bad = writer;
    bad.steps[4].peer = 0;
    expect_writer(&bad, "meets rank 0 of 2");
    bad.steps[4].peer = 2;
    expect_writer(&bad, "meets rank 2 of 2");
    bad = writer;
    bad.after[2] = bad.after[4] = AFTER(0); /* POST, then AWAIT: in no order */
    bad.after[4] = AFTER(3);
    expect_writer(&bad, "of POST and AWAIT, steps 1 and 2");
    bad = writer;
    bad.steps[3].to = 13;
    expect_writer(&bad, "uses 17 bytes of WINDOW, but has 16");
    bad = writer;
    bad.steps[3] = (tti_step)LOCAL(TTI_STEP_COPY, TTI_WINDOW, 1, TTI_SCRATCH, 0, 4);
    expect_writer(&bad, "reads bytes 1 to 5 of space 3, which has 4");
    bad = reader;
    bad.steps[4].from = 1;
    expect_reader(&bad, "reads bytes 1 to 5 of space 3, which has 4");
    bad = reader;
    bad.steps[4].from_space = TTI_OUTPUT;
    expect_reader(&bad, "of space 1, which has 0"); /* that it shows */
    bad = reader;
    bad.steps[4].peer = 1;
    expect_reader(&bad, "reads of rank 1 of 2");
    bad.steps[4].peer = TTI_ALL;
    expect_reader(&bad, "reads of rank -2 of 2");
    tti_shape apart = pair;
    apart.window = 0;
    script none = reader;
    expect(TTI_BCAST, &apart, &none, &none, "which shares no memory");
    none.count = 1;
    expect(TTI_BCAST, &apart, &none, &none, "share no memory");
}

/* A rank reads of a peer's memory what another one has told it is there, by a post or by a message. */
static void test_hearsay(void)
{
    tti_shape three = pair;
    three.size = 3;
    script root = {{LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 0, 8), POST(1, 1)}, {0, AFTER(0)}, 2};
    const script middle = {
        {AWAIT(1, 0), POST(1, 2), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8)}, {0, AFTER(0), AFTER(0)}, 3};
    script last = {{AWAIT(1, 1), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8)}, {0, AFTER(0)}, 2};
    const script *const posted[] = {&root, &middle, &last};
    expect_proof(TTI_BCAST, &three, posted, NULL);
    last.steps[0].peer = 0; /* that post is not for rank 2 */
    expect_proof(TTI_BCAST, &three, posted, "awaits post 1 of rank 0, which is for rank 1 alone");
    last.steps[0].peer = 1;
    last.after[1] = 0;
    expect_proof(TTI_BCAST, &three, posted, "in no order");
    script teller = {{AWAIT(1, 0), SEND(0, 0, 0, 2), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8)},
                     {0, AFTER(0), AFTER(0)},
                     3};
    script told = {{RECV(0, 0, 0, 1), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8)}, {0, AFTER(0)}, 2};
    const script *const sent[] = {&root, &teller, &told};
    expect_proof(TTI_BCAST, &three, sent, NULL);
    teller.after[1] = 0; /* tells it before it knows */
    expect_proof(TTI_BCAST, &three, sent, "in no order");
}

/* Of three ranks the first and the last share a node: what the last hears of the first's posts through the
 * other node counts, and no other shares its memory. */
static void test_nodes(void)
{
    static const int labels[] = {0, 1, 0};
    tti_shape three = pair;
    three.size = 3;
    tti_node_map *nodes = tti_node_map_make(labels, 3);
    three.nodes = nodes;
    script root = {
        {LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 0, 8), POST(1, TTI_ALL), SEND(TTI_OUTPUT, 0, 8, 1)},
        {0, AFTER(0), AFTER(1)},
        3};
    script away = {{RECV(TTI_OUTPUT, 0, 8, 0), SEND(0, 0, 0, 2)}, {0, AFTER(0)}, 2};
    script last = {{RECV(0, 0, 0, 1), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8)}, {0, AFTER(0)}, 2};
    const script *const all[] = {&root, &away, &last};
    expect_proof(TTI_BCAST, &three, all, NULL);
    root.after[2] = 0; /* sent before it is shown */
    expect_proof(TTI_BCAST, &three, all, "in no order");
    root.after[2] = AFTER(1);
    away.after[1] = 0;
    expect_proof(TTI_BCAST, &three, all, "in no order");
    away.steps[0] = (tti_step)FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 8);
    expect_proof(TTI_BCAST, &three, all, "rank 1 step 0 reads of rank 0 of 3, which shares no memory");
    away.steps[0] = (tti_step)AWAIT(1, 0);
    expect_proof(TTI_BCAST, &three, all, "meets rank 0 of 3, with whom it shares no memory");
    tti_node_map_free(nodes);
}

/* A barrier, and two that wait for each other first. */
static void test_meeting(void)
{
    const tti_shape shape = {.size = 2, .element = 1, .radix = 2, .chunk = 1, .window = 16};
    script rank = {{POST(1, TTI_ALL), AWAIT(1, TTI_ALL)}, {0, AFTER(0)}, 2};
    expect(TTI_BARRIER, &shape, &rank, &rank, NULL);
    const script crossed = {{AWAIT(1, TTI_ALL), POST(1, TTI_ALL)}, {0, AFTER(0)}, 2};
    expect(TTI_BARRIER, &shape, &rank, &crossed, NULL);
    expect(TTI_BARRIER, &shape, &crossed, &crossed,
           "deadlock: rank 0 step 0 awaits post 1 of rank 1, which never makes it (step 1)");
    rank.count = 1;
    expect(TTI_BARRIER, &shape, &rank, &crossed, "rank 0 may leave before rank 1");
}

/* An allreduce: each takes the other's contribution where it lies, in rank order. */
static void test_values(void)
{
    const tti_shape shape = {.size = 2, .count = 2, .element = 4, .radix = 2, .chunk = 1, .window = 8};
    const script zero = {{LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_WINDOW, 0, 8), POST(1, TTI_ALL), AWAIT(1, 1),
                          FROM(TTI_STEP_COPY, 1, 0, TTI_OUTPUT, 0, 8),
                          LOCAL(TTI_STEP_REDUCE, TTI_INPUT, 0, TTI_OUTPUT, 0, 8)},
                         {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                         5};
    const script one = {{LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_WINDOW, 0, 8), POST(1, 0), AWAIT(1, TTI_ALL),
                         LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_OUTPUT, 0, 8),
                         FROM(TTI_STEP_REDUCE, 0, 0, TTI_OUTPUT, 0, 8)},
                        {0, AFTER(0), AFTER(1), 0, AFTER(2) | AFTER(3)},
                        5};
    expect(TTI_ALLREDUCE, &shape, &zero, &one, NULL);
    script bad = one;
    bad.steps[4].bytes = 6;
    expect(TTI_ALLREDUCE, &shape, &zero, &bad, "no whole elements");
    bad = one;
    bad.steps[0].from = bad.steps[0].to = bad.steps[0].bytes = 4;
    expect(TTI_ALLREDUCE, &shape, &zero, &bad, "takes byte 0, which nobody wrote");
    bad = zero;
    bad.steps[4] = one.steps[3]; /* what came of the peer is lost */
    expect(TTI_ALLREDUCE, &shape, &bad, &one, "without the combination");
}

static void expect_puts(const script *root, const script *other, const char *why)
{
    const script *const both[] = {root, other};
    expect_shown(TTI_BCAST, &pair, both, 8, why);
}

/* A bcast of 8 bytes of which the root puts 4 into the other's buffer, and the other copies 4. */
static void test_puts(void)
{
    const script root = {{AWAIT(0, 1), PUT(1, TTI_OUTPUT, 4, 4, 4), POST(1, 1), AWAIT(1, 1)},
                         {0, AFTER(0), AFTER(1), AFTER(2)},
                         4};
    script other = {{AWAIT(0, 0),
                     {.kind = TTI_STEP_COPY, .bytes = 4, .from_space = TTI_OUTPUT, .to_space = TTI_OUTPUT},
                     POST(1, 0),
                     AWAIT(1, 0),
                     LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 4, TTI_SCRATCH, 0, 4)},
                    {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                    5};
    expect_puts(&root, &other, NULL);
    script bad = root;
    bad.after[1] = 0, bad.after[2] = AFTER(0) | AFTER(1);
    expect_puts(&bad, &other, "reaches the buffers of rank 1, which may not have begun");
    bad = root;
    bad.after[2] = AFTER(0); /* it shows that the data are there before they are */
    expect_puts(&bad, &other, "rank 1 step 4 reads rank 1's buffers in no order with step 1");
    bad = root;
    bad.steps[1].to = 3;
    expect_puts(&bad, &other, "puts into rank 1's buffers in no order with step 1");
    bad.steps[1].to = 5;
    expect_puts(&bad, &other, "puts into bytes 5 to 9 of space 1, which has 8");
    bad = root;
    bad.steps[1].from = 3;
    expect_puts(&bad, &other, "rank 1 ends without the data of rank 0");
    bad = root;
    bad.steps[1].to_space = TTI_INPUT;
    expect_puts(&bad, &other, "puts into no OUTPUT");
    bad = root;
    bad.steps[1].peer = 0;
    expect_puts(&bad, &other, "puts into the memory of rank 0 of 2");
    script early = other; /* without the last AWAIT, by which it knows that its half is there */
    early.count = 3;
    bad = root;
    expect_puts(&bad, &early, "rank 1 may end before rank 0 has put into its buffers in step 1");
    early = other;
    early.after[4] = 0; /* its own read of what is put there */
    expect_puts(&root, &early, "in no order with step");
}

/* What the root puts into the other's buffer, and once more, and reads back. */
static void test_puts_in_order(void)
{
    const script other = {{AWAIT(0, 0), AWAIT(1, 0)}, {0, AFTER(0)}, 2};
    script root = {{AWAIT(0, 1), PUT(1, TTI_OUTPUT, 0, 0, 8), PUT(1, TTI_OUTPUT, 4, 4, 4), POST(1, 1)},
                   {0, AFTER(0), AFTER(0) | AFTER(1), AFTER(1) | AFTER(2)},
                   4};
    const char *why = "rank 0: steps 1 and 2 touch the same bytes of rank 1 in no order";
    expect_puts(&root, &other, NULL);
    root.after[2] = AFTER(0);
    expect_puts(&root, &other, why);
    root.steps[1].bytes = 4; /* apart */
    expect_puts(&root, &other, NULL);
    root.steps[1].bytes = 8;
    root.steps[2] = (tti_step)FROM(TTI_STEP_COPY, 1, 4, TTI_SCRATCH, 0, 4);
    root.steps[2].from_space = TTI_OUTPUT;
    expect_puts(&root, &other, why);
    root.after[2] = AFTER(1);
    expect_puts(&root, &other, NULL);
}

static void expect_told(const script *zero, const script *one, const char *why)
{
    const tti_shape shape = {.size = 2, .count = 8, .element = 1, .window = 64};
    const script *both[] = {zero, one};
    expect_all(TTI_BCAST, &shape, both, &(beside){.shows = 8, .told = true}, why);
}

/* Rank 1 tells the root by a message where to put the data. */
static void test_put_told(void)
{
    const script root = {{RECV(TTI_SCRATCH, 0, 8, 1), PUT_TOLD(1, TTI_OUTPUT, 0, 0, 8), POST(1, 1)},
                         {0, AFTER(0), AFTER(1)},
                         3};
    script other = {{TELL(0, 8), SEND(TTI_SCRATCH, 8, 8, 0), AWAIT(1, 0)}, {0, AFTER(0), AFTER(1)}, 3};
    other.steps[0].to_space = TTI_SCRATCH;
    expect_told(&root, &other, NULL);
    script bad = other;
    bad.steps[0].from = 1;
    expect_told(&root, &bad, "puts 8 bytes where nobody told it to, or beyond 8");
    bad = other;
    bad.steps[0].to = 16;
    expect_told(&root, &bad, "puts 8 bytes where nobody told it to");
    bad = other;
    bad.after[1] = 0, bad.after[2] = AFTER(0) | AFTER(1);
    expect_told(&root, &bad, "rank 1: steps 0 and 1 touch the same bytes in no order");
    bad = other;
    bad.count = 2;
    expect_told(&root, &bad, "rank 1 may end before rank 0 has put into its buffers in step 1");
    bad = root;
    bad.after[1] = 0, bad.after[2] = AFTER(0) | AFTER(1);
    expect_told(&bad, &other, "rank 0: steps 0 and 1 touch the same bytes in no order");
    bad = root;
    bad.steps[1].to = 60;
    expect_told(&bad, &other, "goes by bytes 60 to 68 of space 2, which has 64");
    bad = root;
    bad.steps[1] = (tti_step)PUT(1, TTI_OUTPUT, 0, 0, 8);
    expect_told(&bad, &other, "unlike what is shown");
}

static void expect_counted(const script *last, const char *why)
{
    const tti_shape shape = {.size = 2, .element = 1, .window = 16};
    const script rank = {{POST(1, 2), AWAIT(1, 2)}, {0, AFTER(0)}, 2};
    storage stores[3];
    for (int r = 0; r < 3; r++)
        lay_out(r < 2 ? &rank : last, 0, &stores[r]);
    for (int r = 0; r < 2; r++)
        stores[r].schedule.last = &stores[2].schedule;
    tti_schedule *schedules[] = {&stores[0].schedule, &stores[1].schedule};
    expect_schedules(TTI_BARRIER, &shape, schedules, why);
}

/* Whoever comes last makes steps that it can make, when all have come. */
static void test_counted(void)
{
    script last = {
        {AWAIT(1, TTI_ALL), LOCAL(TTI_STEP_COPY, TTI_WINDOW, 0, TTI_WINDOW, 8, 0), POST(1, TTI_ALL)},
        {0, AFTER(0), AFTER(0) | AFTER(1)},
        3};
    expect_counted(&last, NULL);
    script bad = last;
    bad.steps[0] = last.steps[1];
    bad.steps[1] = last.steps[0];
    expect_counted(&bad, "step 0 of the last to come is before its first AWAIT");
    const script alone = {{AWAIT(1, TTI_ALL), TELL(1, 0), POST(1, TTI_ALL), COMPARE(TTI_OWN, 0, 1)},
                          {0, AFTER(0), AFTER(1), AFTER(2)},
                          4};
    expect_counted(&alone, "step 1 of the last to come is of kind 6, which it cannot make");
}

int main(void)
{
    test_order_between_ranks();
    test_numbers();
    test_passed_numbers();
    test_form();
    test_hearsay();
    test_nodes();
    test_meeting();
    test_values();
    test_puts();
    test_puts_in_order();
    test_put_told();
    test_counted();
    return 0;
}
