/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of one network operation at their receiver: each is handed out, held, and given back by
 * itself, with its credit; what is damaged ends the stream. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/pair.h"

static void *held[16];
static int holding;

static bool keep(void *data)
{
    held[holding++] = data;
    return true;
}

static uint64_t number_of(const void *data)
{
    uint64_t number;
    memcpy(&number, data, sizeof number);
    return number;
}

/* Messages of one operation, held and given back one by one: so go their credits. */
static void holds_each(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 8});
    both.near.keep = keep;
    holding = 0;
    pair_send(&both, 8);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 1);
    ends_until_messages(both.context, &both.near, 8);
    EXPECT(holding == 8 && !ends_send(&both.far));
    EXPECT(tutti_stream_release(both.context, (char *)held[3] + 16) == TUTTI_ERR_ARG);
    static const int order[] = {3, 0, 7, 5};
    for (int i = 0; i < 4; i++) {
        EXPECT(number_of(held[order[i]]) == (uint64_t)order[i]);
        EXPECT(tutti_stream_release(both.context, held[order[i]]) == 0);
        EXPECT(tutti_stream_release(both.context, held[order[i]]) == TUTTI_ERR_ARG);
    }
    ends_send_all(both.context, &both.far, 12);
    EXPECT(!ends_send(&both.far));
    ends_until_messages(both.context, &both.near, 12);
    EXPECT(holding == 12);
    ends_close(both.context, &both.far);
    ends_until(both.context, &both.near.closed, "the close");
    static const int rest[] = {1, 2, 4, 6, 8, 9, 10, 11}; /* also after the end of the stream */
    for (int i = 0; i < 8; i++) {
        EXPECT(number_of(held[rest[i]]) == (uint64_t)rest[i]);
        EXPECT(tutti_stream_release(both.context, held[rest[i]]) == 0);
    }
    EXPECT(both.context->held_orphan == 0);
    pair_close(&both);
}

static tutti_stream_context *releases_in;

static bool pass_on(void *data)
{
    if (holding > 0) EXPECT(tutti_stream_release(releases_in, held[--holding]) == 0);
    return keep(data);
}

/* The one before is given back while the next of the same operation is handed out. */
static void releases_within(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 8});
    both.near.keep = pass_on;
    releases_in = both.context;
    holding = 0;
    for (uint64_t round = 1; round <= 20; round++) {
        for (int i = 0; i < 4; i++)
            ends_send_all(both.context, &both.far, both.far.sent + 1);
        EXPECT(tutti_stream_flush(both.far.stream) == 0);
        ends_until_messages(both.context, &both.near, 4 * round);
    }
    EXPECT(holding == 1 && tutti_stream_release(both.context, held[0]) == 0);
    pair_close(&both);
}

/* A budget ends in the middle of an operation, and the next call goes on there. */
static void keeps_to_a_budget(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    pair_send(&both, 10);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 1);
    const int64_t limit = tti_clock_ns() + PATIENCE_NS;
    for (uint64_t whole = 0; whole < 10;) {
        const int count = tutti_stream_process(both.context, 3);
        EXPECT(count >= 0 && count <= 3);
        whole += (uint64_t)count;
        EXPECT(both.near.messages == whole && tti_clock_ns() < limit);
    }
    pair_close(&both);
}

static end *ends_itself;

static bool end_at_three(void *data)
{
    (void)data;
    if (ends_itself->messages == 3) EXPECT(tutti_stream_abort(ends_itself->stream) == 0);
    return false;
}

/* Who ends a stream in the middle of an operation gets no more of it. */
static void ends_in_the_middle(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    both.near.keep = end_at_three;
    ends_itself = &both.near;
    pair_send(&both, 10);
    EXPECT(tutti_stream_flush(both.far.stream) == 0);
    ends_until(both.context, &both.near.closed, "the end");
    EXPECT(both.near.messages == 3 && both.near.code == TUTTI_ERR_CANCELLED);
    ends_until(both.context, &both.far.closed, "the other's end");
    pair_close(&both);
}

/* Where a frame in the middle is damaged, what came before it is handed out, and nothing after it. */
static void damaged(size_t place, uint8_t by)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    pair_send(&both, 2);
    tti_stream_slot *bundle = both.far.stream->bundle;
    const size_t third = tti_frame_fill(bundle->length);
    pair_send(&both, 3);
    bundle->memory[third + place] ^= by;
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 1);
    ends_until(both.context, &both.near.closed, "the end");
    EXPECT(both.near.messages == 2 && both.near.code == TUTTI_ERR_FABRIC);
    EXPECT(strstr(both.near.why, "out of step") != NULL);
    ends_until(both.context, &both.far.closed, "the other's end");
    pair_close(&both);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    holds_each();
    releases_within();
    keeps_to_a_budget();
    ends_in_the_middle();
    damaged(0, 1);    /* its token */
    damaged(8, 0x40); /* its kind */
    damaged(14, 1);   /* its length, which now reaches beyond the operation */
    return 0;
}
