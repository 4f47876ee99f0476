/* SPDX-License-Identifier: BSD-3-Clause */
/* One listener and many senders at a time, of which some are killed: each stream in order and whole by
 * itself, and all memory that was asked for at the beginning is there for who comes later. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define SENDERS 16
#define ROUNDS 3
#define MESSAGES 2000
#define KILLED 4 /* of each round; they send for ever */

static uint64_t expected[SENDERS]; /* the next number from each, by its place in the table of streams */
static uint64_t heard;             /* from all */
static int places, whole, broken;

static void opened(tutti_stream *stream, void *user)
{
    (void)user;
    EXPECT(places < SENDERS);
    expected[places] = 0;
    tutti_stream_set_data(stream, &expected[places++]);
}

static void message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    uint64_t *next = tutti_stream_data(stream);
    (void)user;
    EXPECT(bytes == sizeof *next && memcmp(data, next, bytes) == 0);
    ++*next;
    heard++;
}

static void closed(tutti_stream *stream, int code, const char *why, void *user)
{
    const uint64_t *next = tutti_stream_data(stream);
    (void)why;
    (void)user;
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    EXPECT(code != 0 || *next == MESSAGES);
    *(code == 0 ? &whole : &broken) += 1;
}

static void send_numbers(const char *address, uint64_t count)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    for (uint64_t i = 0; i < count; i++) {
        void *data;
        size_t room;
        mine.ready = false;
        while (tutti_stream_get_buffer(mine.stream, &data, &room) == TUTTI_ERR_AGAIN) {
            ends_until(context, &mine.ready, "room to send");
            mine.ready = false;
        }
        memcpy(data, &i, sizeof i);
        EXPECT(tutti_stream_send_buffer(mine.stream, data, sizeof i) == 0);
    }
    ends_close(context, &mine);
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void sender(const char *address)
{
    send_numbers(address, MESSAGES);
}

static void endless(const char *address)
{
    send_numbers(address, UINT64_MAX);
}

static void play_round(tutti_stream_context *context, const char *address)
{
    pid_t children[SENDERS];
    int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    places = whole = broken = 0;
    for (int i = 0; i < SENDERS; i++)
        children[i] = ends_start(i < KILLED ? endless : sender, address);
    bool killed = false;
    while (whole + broken < SENDERS) {
        const uint64_t before = heard + (uint64_t)(places + whole + broken);
        EXPECT(tti_clock_ns() < end_ns); /* else no progress */
        EXPECT(tutti_stream_process(context, 5) >= 0);
        if (heard + (uint64_t)(places + whole + broken) > before) end_ns = tti_clock_ns() + PATIENCE_NS;
        if (killed || places < SENDERS) continue;
        for (int i = 0; i < KILLED; i++)
            EXPECT(kill(children[i], SIGKILL) == 0 && waitpid(children[i], NULL, 0) == children[i]);
        killed = true;
    }
    EXPECT(whole == SENDERS - KILLED && broken == KILLED);
    for (int i = KILLED; i < SENDERS; i++)
        ends_join(children[i]);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    tutti_stream_options options = {.max_streams = SENDERS, .credits = 3, .buffer_bytes = 256};
    tutti_stream_context *context = ends_context(&options);
    const tutti_stream_callbacks callbacks = {.on_open = opened, .on_message = message, .on_closed = closed};
    tutti_stream_listener *listener;
    char address[80];
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    for (int i = 0; i < ROUNDS; i++)
        play_round(context, address);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
