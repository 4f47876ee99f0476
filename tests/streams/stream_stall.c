/* SPDX-License-Identifier: BSD-3-Clause */
/* A receiver that stalls: back-pressure on the sender, exactly at its credits; nothing lost, no memory
 * growing. */
#include <poll.h>
#include <unistd.h>

#include "tests/patience.h"
#include "tests/streams/ends.h"

#define CREDITS 5
#define MESSAGES 1000

static void *held[MESSAGES];
static uint64_t holding;
static bool stalls = true;

static bool keep(void *data)
{
    if (stalls) held[holding++] = data;
    return stalls;
}

static void far_end(const char *address)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    ends_send_all(context, &mine, MESSAGES);
    ends_close(context, &mine);
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Both ends in this process: the sender gets as far as its credits, and not one further. */
static void stops_at_the_credits(void)
{
    tutti_stream_options options = {.credits = CREDITS};
    tutti_stream_context *context = ends_context(&options);
    end receiver = {.keep = keep}, sender = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &receiver, address);
    ends_connect(context, &sender, address);
    while (ends_send(&sender))
        continue;
    EXPECT(sender.sent == CREDITS);
    ends_until_messages(context, &receiver, CREDITS);
    for (int i = 0; i < 100; i++) {
        EXPECT(tutti_stream_process(context, 0) >= 0);
        EXPECT(!sender.ready && !ends_send(&sender));
    }
    EXPECT(tutti_stream_release(context, held[0]) == 0);
    EXPECT(tutti_stream_release(context, held[0]) == TUTTI_ERR_ARG);
    for (uint64_t i = 1; i < holding; i++)
        EXPECT(tutti_stream_release(context, held[i]) == 0);
    ends_until(context, &sender.ready, "room after the release");
    EXPECT(ends_send(&sender));
    holding = 0;
    ends_until_messages(context, &receiver, CREDITS + 1);
    EXPECT(holding == 1);
    /* What is held outlives its stream. */
    ends_close(context, &sender);
    ends_until(context, &receiver.closed, "the close");
    EXPECT(*(uint64_t *)held[0] == CREDITS);
    EXPECT(tutti_stream_release(context, held[0]) == 0);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    holding = 0;
}

static void send_and_hold(tutti_stream_context *context, end *receiver, const char *address)
{
    end sender = {0};
    *receiver = (end){.keep = keep};
    ends_connect(context, &sender, address);
    ends_send_all(context, &sender, CREDITS);
    ends_until_messages(context, receiver, CREDITS);
    ends_close(context, &sender);
    ends_until(context, &receiver->closed, "the close");
    EXPECT(receiver->code == 0);
}

static void expect_refusal(tutti_stream_context *context, const char *address)
{
    end sender = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&sender);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    ends_until(context, &sender.closed, "the refusal");
    EXPECT(!sender.opened && sender.code == TUTTI_ERR_LIMIT);
}

/* What is held of streams that are gone leaves room for the next, as long as it is no more than all streams
 * have. */
static void makes_room_for_the_next(void)
{
    tutti_stream_options options = {.credits = CREDITS, .max_streams = 2}; /* buffers for 2 x (CREDITS + 3) */
    tutti_stream_context *context = ends_context(&options);
    end receiver;
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &receiver, address);
    for (int i = 0; i < 4; i++)
        send_and_hold(context, &receiver, address);
    receiver = (end){0};
    expect_refusal(context, address);
    EXPECT(holding == (uint64_t)4 * CREDITS);
    for (uint64_t i = 0; i < holding; i++) {
        EXPECT(*(uint64_t *)held[i] == i % CREDITS);
        EXPECT(tutti_stream_release(context, held[i]) == 0);
    }
    holding = 0;
    send_and_hold(context, &receiver, address);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    holding = 0;
}

static tutti_stream_context *keeper;

/* Always the last few, and of what comes later each gives back the oldest. */
static bool keep_the_last(void *data)
{
    held[holding++] = data;
    if (holding > CREDITS) EXPECT(tutti_stream_release(keeper, held[holding - 1 - CREDITS]) == 0);
    return true;
}

/* Who holds more than half of the credits all the time, and never sends, still gives the sender the others
 * back. */
static void goes_on_with_most_held(void)
{
    tutti_stream_options options = {.credits = 8};
    keeper = ends_context(&options);
    end receiver = {.keep = keep_the_last}, sender = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(keeper, &receiver, address);
    ends_connect(keeper, &sender, address);
    ends_send_all(keeper, &sender, 100);
    ends_until_messages(keeper, &receiver, 100);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&keeper) == 0);
    holding = 0;
}

/* A receiver in another process holds what it gets, does not even look for a while, and gets it all. */
static void goes_on_after_a_stall(void)
{
    tutti_stream_options options = {.credits = CREDITS};
    tutti_stream_context *context = ends_context(&options);
    end mine = {.keep = keep};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const pid_t child = ends_start(far_end, address);
    ends_until_messages(context, &mine, CREDITS);
    usleep(100000);
    stalls = false;
    for (uint64_t i = 0; i < holding; i++) {
        EXPECT(tutti_stream_release(context, held[holding - 1 - i]) == 0);
        usleep(10000);
    }
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0 && mine.messages == MESSAGES);
    ends_join(child);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* A budget ends the call in time, and the descriptor tells that there is more. */
static void keeps_to_a_budget(void)
{
    tutti_stream_context *context = ends_context(NULL), *other = ends_context(NULL);
    end receiver = {0}, sender = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &receiver, address);
    const tutti_stream_callbacks callbacks = ends_callbacks(&sender);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(other, address, &callbacks, &stream) == 0);
    ends_until_both(context, other, &sender.opened);
    while (sender.sent < 10)
        EXPECT(ends_send(&sender));
    for (int whole = 0; whole < 10;) {
        struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
        EXPECT(poll(&descriptor, 1, PATIENCE_S * 1000) == 1); /* else no progress */
        const int count = tutti_stream_process(context, 3);
        EXPECT(count >= 0 && count <= 3);
        whole += count;
    }
    EXPECT(receiver.messages == 10);
    EXPECT(tutti_stream_context_destroy(&other) == 0);
    EXPECT(sender.closed && sender.code == TUTTI_ERR_CANCELLED);
    ends_until(context, &receiver.closed, "the end of the peer");
    EXPECT(receiver.code == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    stops_at_the_credits();
    makes_room_for_the_next();
    goes_on_with_most_held();
    goes_on_after_a_stall();
    keeps_to_a_budget();
    return 0;
}
