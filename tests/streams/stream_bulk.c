/* SPDX-License-Identifier: BSD-3-Clause */
/* Much data, in place, from one process to another, whose memory stays as it is on both ends.
 *
 *   stream_bulk [MIB]        10240 is 10 GiB */
#include <string.h>

#include "tests/streams/ends.h"
#include "tests/streams/memory.h"

#define MIB ((size_t)1 << 20)
#define PIECES 4 /* different ones, in turn */
#define GROWTH_MOST (2 * (long)MIB)

static uint8_t data[PIECES * MIB]; /* what is sent, and what should come */
static uint64_t count = 256, ours;

static void fill(void)
{
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 31 + (i >> 12));
}

static void came_one(tutti_stream *stream, void *message, size_t bytes, void *user)
{
    static long before;
    uint64_t head[2], *came = &((end *)user)->messages;
    (void)stream;
    EXPECT(bytes == sizeof head + MIB);
    memcpy(head, message, sizeof head);
    EXPECT(head[0] == *came && head[1] == ~*came);
    EXPECT(memcmp((uint8_t *)message + sizeof head, data + *came % PIECES * MIB, MIB) == 0);
    if (++*came == count / 8) before = memory_resident();
    if (*came == count) EXPECT(memory_resident() - before < GROWTH_MOST);
}

static void ours_again(tutti_stream *stream, uint64_t key, void *user)
{
    (void)stream;
    (void)user;
    EXPECT(key == ours); /* one stream gives them back in order */
    ours++;
}

static tutti_stream_context *context_of_long_buffers(void)
{
    return ends_context(&(tutti_stream_options){.buffer_bytes = MIB + 16, .credits = 4});
}

static void far_end(const char *address)
{
    tutti_stream_context *context = context_of_long_buffers();
    end mine = {0};
    long before = 0;
    tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    callbacks.on_sent = ours_again;
    EXPECT(tutti_stream_register(context, data, sizeof data) == 0);
    EXPECT(tutti_stream_connect(context, address, &callbacks, &mine.stream) == 0);
    ends_until(context, &mine.opened, "the connection");
    for (uint64_t i = 0; i < count;) {
        const uint64_t head[2] = {i, ~i};
        const struct iovec piece = {data + i % PIECES * MIB, MIB};
        mine.ready = false;
        const int code = tutti_stream_send(mine.stream, head, sizeof head, &piece, 1, i);
        EXPECT(code == 0 || code == TUTTI_ERR_AGAIN);
        if (code != 0) ends_until(context, &mine.ready, "room to send");
        if (code == 0 && ++i == count / 8) before = memory_resident();
    }
    ends_close(context, &mine);
    EXPECT(mine.code == 0 && ours == count && memory_resident() - before < GROWTH_MOST);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(int argc, char **argv)
{
    if (argc > 1) count = strtoull(argv[1], NULL, 10);
    EXPECT(count >= 8);
    fill();
    tutti_stream_context *context = context_of_long_buffers();
    end mine = {0};
    char address[80];
    tutti_stream_listener *listener;
    tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    callbacks.on_message = came_one;
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    const pid_t child = ends_start(far_end, address);
    ends_until(context, &mine.opened, "the connection");
    for (uint64_t i = 8; i <= count; i += 8) /* patient with each part, not with the whole */
        ends_until_messages(context, &mine, i);
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0 && mine.messages == count);
    ends_join(child);
    printf("%llu MiB, %ld KiB resident at the receiver\n", (unsigned long long)count,
           memory_resident() / 1024);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
