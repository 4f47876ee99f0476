/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending from registered regions: what arrives is header and pieces, from where they lie; each key comes
 * back once; and all that is refused. Streams that end meanwhile: stream_keys.c. */
#include <string.h>

#include "streams/stream_state.h"
#include "tests/streams/ends.h"

#define KEYS 64
#define ROOM ((size_t)256 * 1024)
#define FIRST_KEY UINT64_C(0xfedcba9800000000)

static uint8_t *memory; /* of 8 * ROOM */
static int returned[KEYS], back;
static bool closed_before_a_key;
static end far, near;

static void expect_key(tutti_stream *stream, uint64_t key, void *user)
{
    (void)stream;
    EXPECT(user == &far && key >= FIRST_KEY && key < FIRST_KEY + KEYS);
    returned[key - FIRST_KEY]++;
    back++;
    closed_before_a_key |= far.closed;
}

/* Takes each message for what `wanted` says: its header, then the memory from `from` on. */
typedef struct {
    uint8_t header[16];
    size_t header_bytes, from, bytes;
} wanted;
static wanted queue[KEYS];
static int asked, arrived;

static void compare(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    const wanted *one = &queue[arrived];
    (void)stream;
    EXPECT(user == &near && arrived < asked && (uintptr_t)data % 16 == 0);
    EXPECT(bytes == one->header_bytes + one->bytes);
    EXPECT(memcmp(data, one->header, one->header_bytes) == 0);
    EXPECT(memcmp((uint8_t *)data + one->header_bytes, memory + one->from, one->bytes) == 0);
    arrived++;
    near.messages++;
}

static ssize_t (*real_sendv)(struct fid_ep *, const struct iovec *, void **, size_t, fi_addr_t, void *);
static struct fi_ops_msg spied;
static int gathered;
static bool wants_descriptors;

/* The pieces go to libfabric as they are. */
static ssize_t spy(struct fid_ep *endpoint, const struct iovec *parts, void **descriptors, size_t count,
                   fi_addr_t to, void *context)
{
    for (size_t i = 1; i < count; i++) {
        const uint8_t *at = parts[i].iov_base;
        EXPECT(at >= memory && at + parts[i].iov_len <= memory + 8 * ROOM);
        EXPECT((descriptors[i] != NULL) == wants_descriptors);
    }
    gathered++;
    return real_sendv(endpoint, parts, descriptors, count, to, context);
}

static void spy_on(tutti_stream *stream)
{
    spied = *stream->endpoint->msg;
    real_sendv = spied.sendv;
    spied.sendv = spy;
    stream->endpoint->msg = &spied;
}

static void begin(void)
{
    far = near = (end){0};
    memset(returned, 0, sizeof returned);
    back = asked = arrived = gathered = 0;
    closed_before_a_key = false;
}

/* Both ends in `context`; `far` sends. */
static void connect_far(tutti_stream_context *context, const char *address)
{
    tutti_stream_callbacks callbacks = ends_callbacks(&far);
    tutti_stream *stream;
    callbacks.on_sent = expect_key;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    ends_until(context, &far.opened, "the connection");
    spy_on(stream);
}

static tutti_stream_listener *meet(tutti_stream_context *context)
{
    tutti_stream_callbacks callbacks = ends_callbacks(&near);
    tutti_stream_listener *listener;
    char address[80];
    callbacks.on_message = compare;
    begin();
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    connect_far(context, address);
    ends_until(context, &near.opened, "the connection");
    return listener;
}

static void part(tutti_stream_context *context, tutti_stream_listener *listener)
{
    if (far.stream != NULL) EXPECT(tutti_stream_close(far.stream) == 0);
    ends_until(context, &far.closed, "the close");
    ends_until(context, &near.closed, "the close");
    EXPECT(!closed_before_a_key);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Sends `bytes` from `from` on in `count` pieces, with a header that is overwritten at once. */
static int send_pieces(size_t header_bytes, size_t from, size_t bytes, int count)
{
    uint8_t header[16];
    struct iovec pieces[4] = {{0}};
    memset(header, 'a' + asked, sizeof header);
    size_t at = from;
    for (int i = 0; i < count; i++) {
        const size_t length = i + 1 < count ? bytes / (size_t)count : from + bytes - at;
        pieces[i] = (struct iovec){memory + at, length};
        at += length;
    }
    const uint64_t key = FIRST_KEY + (uint64_t)asked;
    const int code = tutti_stream_send(far.stream, header, header_bytes, pieces, count, key);
    if (code != 0) return code;
    wanted *one = &queue[asked++];
    *one = (wanted){.header_bytes = header_bytes, .from = from, .bytes = bytes};
    memcpy(one->header, header, sizeof header);
    memset(header, 0, sizeof header);
    memset(pieces, 0, sizeof pieces);
    return 0;
}

static void expect_each_once(int count)
{
    EXPECT(back == count);
    for (int i = 0; i < KEYS; i++)
        EXPECT(returned[i] == (i < count));
}

static tutti_stream_context *new_context(void)
{
    const tutti_stream_options options = {.buffer_bytes = ROOM, .credits = 32, .coalesce_ms = 3600000};
    tutti_stream_context *context = ends_context(&options);
    EXPECT(tutti_stream_register(context, memory, 4 * ROOM) == 0); /* before there is a network */
    return context;
}

static void send_small(uint8_t letter)
{
    void *data;
    size_t room;
    EXPECT(tutti_stream_get_buffer(far.stream, &data, &room) == 0);
    memset(data, letter, 5);
    EXPECT(tutti_stream_send_buffer(far.stream, data, 5) == 0);
    queue[asked] = (wanted){.header_bytes = 5};
    memset(queue[asked++].header, letter, 5);
}

static void arrives_whole(void)
{
    tutti_stream_context *context = new_context();
    tutti_stream_listener *listener = meet(context);
    EXPECT(tutti_stream_register(context, memory + 4 * ROOM, 4 * ROOM) == 0); /* and when there is one */
    EXPECT(send_pieces(16, 0, ROOM - 16, 1) == 0);
    EXPECT(send_pieces(0, 7, 1000, 3) == 0);
    EXPECT(send_pieces(5, 4 * ROOM, 4096, 2) == 0);
    EXPECT(send_pieces(9, 0, 0, 0) == 0);
    EXPECT(send_pieces(0, 0, 0, 0) == 0);
    EXPECT(send_pieces(1, ROOM, 0, 2) == 0);
    EXPECT(send_pieces(16, 4 * ROOM - 100, 100, 1) == 0);
    ends_until_messages(context, &near, 7);
    while (back < 7)
        EXPECT(tutti_stream_process(context, 0) >= 0);
    expect_each_once(7);
    EXPECT(gathered == 7);
    part(context, listener);
    expect_each_once(7);
}

/* Small ones that wait for others go before it. */
static void keeps_the_order(void)
{
    tutti_stream_context *context = new_context();
    tutti_stream_listener *listener = meet(context);
    send_small('x');
    send_small('y');
    EXPECT(send_pieces(16, 100, 100000, 2) == 0);
    send_small('z');
    EXPECT(tutti_stream_flush(far.stream) == 0);
    ends_until_messages(context, &near, 4);
    EXPECT(gathered == 1);
    part(context, listener);
    EXPECT(back == 1 && returned[2] == 1);
}

static void expect_outside(const void *at, size_t bytes, int regions)
{
    char text[64];
    const struct iovec pieces[2] = {{memory, 1}, {(void *)(uintptr_t)at, bytes}};
    EXPECT(tutti_stream_send(far.stream, NULL, 0, pieces, 2, FIRST_KEY) == TUTTI_ERR_ARG);
    snprintf(text, sizeof text, "%zu bytes at %p", bytes, at);
    EXPECT(strstr(tutti_error_detail(), text) != NULL);
    snprintf(text, sizeof text, "there are %d: %zu bytes at %p, ", regions, 4 * ROOM, (void *)memory);
    EXPECT(strstr(tutti_error_detail(), text) != NULL);
}

static void refuses_what_is_not_registered(void)
{
    tutti_stream_context *context = new_context();
    tutti_stream_listener *listener = meet(context);
    uint8_t *end_of_first = memory + 4 * ROOM;
    EXPECT(tutti_stream_register(context, end_of_first, 100) == 0);
    static const uint8_t elsewhere[10];
    expect_outside(elsewhere, 10, 2);
    expect_outside(end_of_first - 1, 2, 2); /* of both, and in neither */
    expect_outside(end_of_first + 100, 1, 2);
    expect_outside(end_of_first + 99, 2, 2);
    expect_outside(end_of_first, SIZE_MAX, 2);
    EXPECT(tutti_stream_register(context, end_of_first + 99, 2) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_register(context, memory - 1, 2) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_register(context, memory + 1, 2) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_register(context, memory, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_register(context, memory, SIZE_MAX) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_unregister(context, memory + 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_unregister(context, end_of_first) == 0);
    EXPECT(tutti_stream_unregister(context, end_of_first) == TUTTI_ERR_ARG);
    EXPECT(send_pieces(0, 4 * ROOM, 10, 1) == TUTTI_ERR_ARG);
    for (int i = 5; i > 0; i--)
        EXPECT(tutti_stream_register(context, end_of_first + i * 20, 10) == 0);
    expect_outside(end_of_first + 30, 1, 6);
    EXPECT(strstr(tutti_error_detail(), "…") != NULL);
    part(context, listener);
    expect_each_once(0);
}

static void refuses_wrong_use(void)
{
    tutti_stream_context *context = new_context();
    tutti_stream_listener *listener = meet(context);
    EXPECT(send_pieces(17, 0, 1, 1) == TUTTI_ERR_ARG);
    EXPECT(send_pieces(16, 0, ROOM - 15, 1) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "buffer_bytes") != NULL);
    EXPECT(send_pieces(0, 0, 100, 4) == TUTTI_ERR_LIMIT); /* tcp takes four, and the header is one */
    EXPECT(strstr(tutti_error_detail(), "takes 3") != NULL);
    EXPECT(tutti_stream_send(far.stream, NULL, 1, NULL, 0, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_send(far.stream, NULL, 0, NULL, 1, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_send(far.stream, NULL, 0, NULL, -1, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_send(NULL, NULL, 0, NULL, 0, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_close(far.stream) == 0);
    EXPECT(send_pieces(0, 0, 1, 1) == TUTTI_ERR_STATE);
    part(context, listener);
    expect_each_once(0);
}

/* Neither credits nor header slots can be overdrawn, and on_ready tells of both. */
static void waits_for_room(int credits, int sends)
{
    const tutti_stream_options options = {.buffer_bytes = ROOM, .credits = credits, .zero_copy_sends = sends};
    tutti_stream_context *context = ends_context(&options);
    EXPECT(tutti_stream_register(context, memory, 4 * ROOM) == 0);
    tutti_stream_listener *listener = meet(context);
    while (asked < 40) {
        far.ready = false;
        const int code = send_pieces(8, (size_t)asked * 1000, 100000, 1);
        if (code == 0) continue;
        EXPECT(code == TUTTI_ERR_AGAIN && asked - arrived <= credits && asked - back <= sends);
        ends_until(context, &far.ready, "room");
    }
    ends_until_messages(context, &near, 40);
    part(context, listener);
    expect_each_once(40);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    wants_descriptors = argc == 2 && strcmp(argv[1], "registered") == 0;
    memory = malloc(8 * ROOM);
    EXPECT(memory != NULL);
    for (size_t i = 0; i < 8 * ROOM; i++)
        memory[i] = (uint8_t)(i * 31 ^ i >> 9);
    arrives_whole();
    keeps_the_order();
    refuses_what_is_not_registered();
    refuses_wrong_use();
    waits_for_room(3, 50);
    waits_for_room(50, 2);
    free(memory);
    return 0;
}
