/* SPDX-License-Identifier: BSD-3-Clause */
/* Small messages share network operations: how many, when they leave, and that nothing else changes: each
 * message once, in order, in place, with a credit of its own, held and released by itself. */
#include <string.h>

#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define NEVER 3600000 /* ms: a deadline that does not pass */
#define FAR_MESSAGES 20000

/* Both ends, in one context. */
typedef struct {
    tutti_stream_context *context;
    tutti_stream_listener *listener;
    end near, far; /* `far` sends */
    char address[80];
} pair;

/* Network operations of the sender, counted on their way to libfabric. */
static struct fi_ops_msg counted, *real;
static int operations;

static ssize_t count_send(struct fid_ep *endpoint, const void *data, size_t bytes, void *descriptor,
                          fi_addr_t to, void *context)
{
    const ssize_t result = real->send(endpoint, data, bytes, descriptor, to, context);
    operations += result == 0 && ((tti_stream_slot *)context)->kind == TTI_FRAME_MESSAGE;
    return result;
}

static void open_pair(pair *both, const tutti_stream_options *options)
{
    memset(both, 0, sizeof *both);
    both->context = ends_context(options);
    both->listener = ends_listen(both->context, &both->near, both->address);
    both->far.most = 50;
    ends_connect(both->context, &both->far, both->address);
    ends_until(both->context, &both->near.opened, "the connection");
    real = both->far.stream->endpoint->msg;
    counted = *real;
    counted.send = count_send;
    both->far.stream->endpoint->msg = &counted;
    operations = 0;
}

static void close_pair(pair *both)
{
    if (both->far.stream != NULL) ends_close(both->context, &both->far);
    ends_until(both->context, &both->near.closed, "the close");
    EXPECT(tutti_stream_listener_close(&both->listener) == 0);
    EXPECT(tutti_stream_context_destroy(&both->context) == 0);
}

static void send_some(pair *both, int count)
{
    for (int i = 0; i < count; i++)
        EXPECT(ends_send(&both->far));
}

static void look_around(pair *both)
{
    for (int i = 0; i < 50; i++)
        EXPECT(tutti_stream_process(both->context, 0) >= 0);
}

static void leaves_by_a_flush(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    EXPECT(tutti_stream_timeout(both.context) == -1);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 0);
    send_some(&both, 10);
    const int timeout = tutti_stream_timeout(both.context);
    EXPECT(timeout > 0 && timeout <= NEVER);
    look_around(&both);
    EXPECT(operations == 0 && both.near.messages == 0);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 1);
    EXPECT(tutti_stream_timeout(both.context) == -1);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 1);
    ends_until_messages(both.context, &both.near, 10);
    EXPECT(tutti_stream_flush(NULL) == TUTTI_ERR_ARG);
    send_some(&both, 3); /* and by a close */
    close_pair(&both);
    EXPECT(operations == 2 && both.near.messages == 13 && both.near.code == 0);
}

static void leaves_by_its_deadline(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = 30});
    const int64_t begin = tti_clock_ns();
    send_some(&both, 10);
    ends_until_messages(both.context, &both.near, 10); /* waits as tutti_stream_timeout() says */
    EXPECT(tti_clock_ns() - begin >= 30 * INT64_C(1000000));
    EXPECT(operations == 1);
    close_pair(&both);
}

/* Of two that wait, each leaves by its own deadline. */
static void deadlines_of_two(void)
{
    pair both;
    end other = {.most = 50};
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = 2});
    end first = both.near;
    both.near = (end){0};
    ends_connect(both.context, &other, both.address);
    for (uint64_t i = 1; i <= 20; i++) {
        EXPECT(ends_send(&other));
        ends_until_messages(both.context, &both.near, i);
    }
    EXPECT(first.messages == 0);
    ends_close(both.context, &other);
    ends_until(both.context, &both.near.closed, "the close");
    both.near = first;
    EXPECT(tutti_stream_abort(first.stream) == 0);
    close_pair(&both);
}

static void leaves_when_full(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .buffer_bytes = 1024, .credits = 100});
    both.near.unchecked = true;
    for (int i = 0; i < 20; i++) {
        void *data;
        size_t room;
        EXPECT(tutti_stream_get_buffer(both.far.stream, &data, &room) == 0 && room == 1024);
        memset(data, i, 200);
        EXPECT(tutti_stream_send_buffer(both.far.stream, data, 200) == 0);
    }
    EXPECT(operations == 4); /* 216 bytes and 8 to fill up: four to an operation, the last four wait */
    close_pair(&both);
    EXPECT(both.near.messages == 20);
}

/* A long one goes by itself, at its place among the others; so does a short one that nothing follows. */
static void keeps_the_order(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 100});
    send_some(&both, 5);
    both.far.most = 16000;
    while (both.far.sent % 50 != 48)
        send_some(&both, 1);
    const int before = operations;
    send_some(&both, 1); /* of 16000 bytes */
    EXPECT(operations > before);
    both.far.most = 50;
    send_some(&both, 5);
    EXPECT(tutti_stream_flush(both.far.stream) == 0);
    ends_until_messages(both.context, &both.near, both.far.sent);
    close_pair(&both);
}

/* Nothing waits for company that cannot come: no credit, or no buffer, which another stream may have. */
static void leaves_when_nothing_more_can_come(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 6, .send_buffers = 2});
    while (ends_send(&both.far))
        continue;
    EXPECT(both.far.sent == 6 && operations == 1);
    ends_until_messages(both.context, &both.near, 6);
    end other = {.most = 50};
    both.near.unchecked = true;
    ends_connect(both.context, &other, both.address);
    send_some(&both, 1); /* takes a buffer, and waits */
    EXPECT(operations == 1);
    EXPECT(ends_send(&other)); /* the other one */
    EXPECT(!ends_send(&other) && operations == 2);
    ends_until(both.context, &other.ready, "a buffer");
    EXPECT(tutti_stream_abort(other.stream) == 0);
    ends_until(both.context, &other.closed, "the end");
    EXPECT(tutti_stream_abort(both.far.stream) == 0);
    ends_until(both.context, &both.far.closed, "the end");
    EXPECT(tutti_stream_context_destroy(&both.context) == 0);
}

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
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 8});
    both.near.keep = keep;
    holding = 0;
    send_some(&both, 8);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 1);
    ends_until_messages(both.context, &both.near, 8);
    EXPECT(holding == 8 && !ends_send(&both.far));
    EXPECT(tutti_stream_release(both.context, (char *)held[3] + 16) == TUTTI_ERR_ARG);
    static const int order[] = {3, 0, 7, 5}; /* four: worth a frame that gives them back */
    for (int i = 0; i < 4; i++) {
        EXPECT(number_of(held[order[i]]) == (uint64_t)order[i]);
        EXPECT(tutti_stream_release(both.context, held[order[i]]) == 0);
        EXPECT(tutti_stream_release(both.context, held[order[i]]) == TUTTI_ERR_ARG);
    }
    both.far.ready = false;
    ends_until(both.context, &both.far.ready, "credits");
    send_some(&both, 4);
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
    close_pair(&both);
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
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 8});
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
    close_pair(&both);
}

/* A budget ends in the middle of an operation, and the next call goes on there. */
static void keeps_to_a_budget(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    send_some(&both, 10);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 1);
    const int64_t limit = tti_clock_ns() + PATIENCE_NS;
    for (uint64_t whole = 0; whole < 10;) {
        const int count = tutti_stream_process(both.context, 3);
        EXPECT(count >= 0 && count <= 3);
        whole += (uint64_t)count;
        EXPECT(both.near.messages == whole && tti_clock_ns() < limit);
    }
    close_pair(&both);
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
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    both.near.keep = end_at_three;
    ends_itself = &both.near;
    send_some(&both, 10);
    EXPECT(tutti_stream_flush(both.far.stream) == 0);
    ends_until(both.context, &both.near.closed, "the end");
    EXPECT(both.near.messages == 3 && both.near.code == TUTTI_ERR_CANCELLED);
    ends_until(both.context, &both.far.closed, "the other's end");
    close_pair(&both);
}

/* Where a frame in the middle is damaged, what came before it is handed out, and nothing after it. */
static void damaged(size_t place, uint8_t by)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    send_some(&both, 2);
    tti_stream_slot *bundle = both.far.stream->bundle;
    const size_t third = tti_frame_fill(bundle->length);
    send_some(&both, 3);
    bundle->memory[third + place] ^= by;
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && operations == 1);
    ends_until(both.context, &both.near.closed, "the end");
    EXPECT(both.near.messages == 2 && both.near.code == TUTTI_ERR_FABRIC);
    EXPECT(strstr(both.near.why, "out of step") != NULL);
    ends_until(both.context, &both.far.closed, "the other's end");
    close_pair(&both);
}

static void far_end(const char *address)
{
    tutti_stream_options options = {.buffer_bytes = 4096, .credits = 200, .coalesce_ms = 1};
    tutti_stream_context *context = ends_context(&options);
    end mine = {.most = 300};
    ends_connect(context, &mine, address);
    ends_send_all(context, &mine, FAR_MESSAGES);
    ends_until_messages(context, &mine, FAR_MESSAGES);
    ends_close(context, &mine);
    EXPECT(mine.code == 0 && mine.messages == FAR_MESSAGES);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Two processes, both ways at a time, one with fewer buffers than the other has credits. */
static void between_processes(void)
{
    tutti_stream_options options = {.buffer_bytes = 3000, .credits = 50, .send_buffers = 3};
    tutti_stream_context *context = ends_context(&options);
    end mine = {.most = 300};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const pid_t child = ends_start(far_end, address);
    ends_until(context, &mine.opened, "a connection");
    ends_send_all(context, &mine, FAR_MESSAGES);
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0 && mine.messages == FAR_MESSAGES);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    ends_join(child);
}

/* By option each message is an operation of its own. */
static void uncoalesced(void)
{
    pair both;
    open_pair(&both, &(tutti_stream_options){.coalesce_ms = -1});
    send_some(&both, 10);
    EXPECT(operations == 10 && tutti_stream_timeout(both.context) == -1);
    ends_until_messages(both.context, &both.near, 10);
    close_pair(&both);
    tutti_stream_context *context;
    EXPECT(tutti_stream_context_create(&context, &(tutti_stream_options){.coalesce_ms = -2}) ==
           TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "coalesce_ms") != NULL);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    leaves_by_a_flush();
    leaves_by_its_deadline();
    deadlines_of_two();
    leaves_when_full();
    keeps_the_order();
    leaves_when_nothing_more_can_come();
    holds_each();
    releases_within();
    keeps_to_a_budget();
    ends_in_the_middle();
    damaged(0, 1);    /* its token */
    damaged(8, 0x40); /* its kind */
    damaged(14, 1);   /* its length, which now reaches beyond the operation */
    uncoalesced();
    between_processes();
    return 0;
}
