/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams that end while they send from regions: the peer is killed, the stream aborted, the context
 * destroyed. Each key comes back once, before the word that the stream has ended. */
#include <rdma/fi_errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "streams/stream_state.h"
#include "tests/streams/ends.h"

#define KEYS 32
#define TAKEN 25 /* sends for which libfabric has room */
#define ROOM ((size_t)1 << 20)

static uint8_t *memory; /* of ROOM */
static int returned[KEYS], back, gathered;
static bool closed_before_a_key;
static end far;

static void expect_key(tutti_stream *stream, uint64_t key, void *user)
{
    (void)stream;
    EXPECT(user == &far && key < KEYS);
    returned[key]++;
    back++;
    closed_before_a_key |= far.closed;
}

static void expect_each_once(void)
{
    EXPECT(back == KEYS && !closed_before_a_key);
    for (int i = 0; i < KEYS; i++)
        EXPECT(returned[i] == 1);
}

static struct fi_ops_msg full, *real;

static ssize_t send_while_there_is_room(struct fid_ep *endpoint, const struct iovec *parts,
                                        void **descriptors, size_t count, fi_addr_t to, void *context)
{
    if (gathered == TAKEN) return -FI_EAGAIN;
    gathered++;
    return real->sendv(endpoint, parts, descriptors, count, to, context);
}

static void send_all(void)
{
    const struct iovec piece = {memory, ROOM - 8};
    real = far.stream->endpoint->msg;
    full = *real;
    full.sendv = send_while_there_is_room;
    far.stream->endpoint->msg = &full;
    for (uint64_t i = 0; i < KEYS; i++)
        EXPECT(tutti_stream_send(far.stream, "a header", 8, &piece, 1, i) == 0);
}

static void stop(const char *address)
{
    tutti_stream_options options = {.buffer_bytes = ROOM, .credits = KEYS};
    tutti_stream_context *context = ends_context(&options);
    end mine = {0};
    ends_connect(context, &mine, address);
    raise(SIGSTOP);
    const bool never = false;
    ends_until(context, &never, "being killed");
}

/* The peer's process stands still, so that what is sent piles up: at libfabric, and before it. */
static pid_t start_stopped(tutti_stream_context *context, tutti_stream_listener **listener)
{
    char address[80];
    int status;
    tutti_stream_callbacks callbacks = ends_callbacks(&far);
    callbacks.on_sent = expect_key;
    far = (end){0};
    memset(returned, 0, sizeof returned);
    back = gathered = 0;
    closed_before_a_key = false;
    EXPECT(tutti_stream_listen(context, "0", &callbacks, listener) == 0);
    EXPECT(tutti_stream_listener_address(*listener, address, sizeof address) == 0);
    const pid_t child = ends_start(stop, address);
    ends_until(context, &far.opened, "the connection");
    EXPECT(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    send_all();
    for (int i = 0; i < 100; i++)
        EXPECT(tutti_stream_process(context, 0) >= 0);
    EXPECT(back < TAKEN && gathered == TAKEN); /* more than sockets take, and some that nobody has */
    EXPECT(tutti_stream_unregister(context, memory) == TUTTI_ERR_STATE);
    EXPECT(strstr(tutti_error_detail(), "on_sent") != NULL);
    return child;
}

static tutti_stream_context *long_context(void)
{
    tutti_stream_options options = {.buffer_bytes = ROOM};
    tutti_stream_context *context = ends_context(&options);
    EXPECT(tutti_stream_register(context, memory, ROOM) == 0);
    return context;
}

static void reap(pid_t child)
{
    EXPECT(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

static void keys_come_back_from_the_dead(void)
{
    tutti_stream_context *context = long_context();
    tutti_stream_listener *listener;
    reap(start_stopped(context, &listener));
    ends_until(context, &far.closed, "the death of the peer");
    EXPECT(far.code == TUTTI_ERR_PEER_FAILED);
    expect_each_once();
    EXPECT(tutti_stream_unregister(context, memory) == 0);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void keys_come_back_after_an_abort(void)
{
    tutti_stream_context *context = long_context();
    tutti_stream_listener *listener;
    const pid_t child = start_stopped(context, &listener);
    EXPECT(tutti_stream_abort(far.stream) == 0);
    ends_until(context, &far.closed, "the end");
    EXPECT(far.code == TUTTI_ERR_CANCELLED);
    expect_each_once();
    reap(child);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void keys_come_back_with_the_end_of_the_context(void)
{
    tutti_stream_context *context = long_context();
    tutti_stream_listener *listener;
    const pid_t child = start_stopped(context, &listener);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(far.closed);
    expect_each_once();
    reap(child);
}

static ssize_t fail_to_read(struct fid_cq *queue, void *entries, size_t count)
{
    (void)queue;
    (void)entries;
    (void)count;
    return -FI_EOTHER;
}

/* Nothing more is heard of any completion: what is owed comes with the end of the context. */
static void keys_come_back_where_the_network_fails(void)
{
    tutti_stream_context *context = long_context();
    tutti_stream_listener *listener;
    const pid_t child = start_stopped(context, &listener);
    struct fi_ops_cq broken = *context->completions->ops;
    broken.read = fail_to_read;
    context->completions->ops = &broken;
    EXPECT(tutti_stream_process(context, 0) == TUTTI_ERR_FABRIC);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(far.closed);
    expect_each_once();
    reap(child);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    memory = calloc(1, ROOM);
    EXPECT(memory != NULL);
    keys_come_back_from_the_dead();
    keys_come_back_after_an_abort();
    keys_come_back_with_the_end_of_the_context();
    keys_come_back_where_the_network_fails();
    free(memory);
    return 0;
}
