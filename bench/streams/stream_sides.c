/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ends of a stream of the benchmark, in two processes. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

#define SILENCE_MS 120000 /* then the other side is taken for stuck */
#define LOOKS 4096        /* of a side that polls, between two looks at the clock */

double stream_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void stream_side_fail(stream_side *side, const char *what)
{
    if (!side->failed) stream_fail(what, tutti_error_detail());
    side->failed = true;
}

static void on_open(tutti_stream *stream, void *user)
{
    stream_side *side = user;
    side->stream = stream;
    side->open = true;
}

static void on_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    stream_side *side = user;
    (void)stream;
    side->got(side, data, bytes);
}

static void on_ready(tutti_stream *stream, void *user)
{
    stream_side *side = user;
    (void)stream;
    if (side->ready != NULL) side->ready(side);
}

static void on_sent(tutti_stream *stream, uint64_t key, void *user)
{
    stream_side *side = user;
    (void)stream;
    (void)key;
    if (side->sent != NULL) side->sent(side);
}

static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    stream_side *side = user;
    (void)stream;
    side->stream = NULL;
    side->over = true;
    if (code == 0) return;
    if (!side->failed) stream_fail("the stream has ended", why);
    side->failed = true;
}

static tutti_stream_callbacks callbacks_of(stream_side *side)
{
    return (tutti_stream_callbacks){.on_open = on_open,
                                    .on_message = on_message,
                                    .on_ready = on_ready,
                                    .on_sent = on_sent,
                                    .on_closed = on_closed,
                                    .user = side};
}

static int checked(stream_side *side, int count)
{
    if (count < 0) stream_side_fail(side, "streams");
    return count;
}

/* Until something comes; the clock is read seldom, so that it does not count. */
static bool turn_by_polling(stream_side *side)
{
    const double end = stream_now() + SILENCE_MS / 1e3;
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (checked(side, tutti_stream_poll(side->context)) != 0 || side->over) return !side->failed;
        }
    } while (stream_now() < end);
    stream_fail("waiting", "no word from the other side for two minutes");
    side->failed = true;
    return false;
}

bool stream_side_turn(stream_side *side)
{
    if (side->polls && side->open) return turn_by_polling(side);
    struct pollfd descriptor = {.fd = tutti_stream_fd(side->context), .events = POLLIN};
    const int timeout = tutti_stream_timeout(side->context);
    const bool ours = timeout < 0 || timeout > SILENCE_MS;
    const int count = poll(&descriptor, 1, ours ? SILENCE_MS : timeout);
    if (count == 0 && ours) {
        stream_fail("waiting", "no word from the other side for two minutes");
        side->failed = true;
    }
    return checked(side, tutti_stream_process(side->context, 0)) >= 0 && !side->failed;
}

static int listen_and_tell(stream_side *side, const tutti_stream_options *options, int pipe_end)
{
    const tutti_stream_callbacks callbacks = callbacks_of(side);
    tutti_stream_listener *listener;
    char address[80] = "";
    if (tutti_stream_context_create(&side->context, options) != 0 ||
        tutti_stream_listen(side->context, "0", &callbacks, &listener) != 0 ||
        tutti_stream_listener_address(listener, address, sizeof address) != 0)
        return stream_fail("listening", tutti_error_detail());
    if (write(pipe_end, address, sizeof address) != sizeof address)
        return stream_fail("telling the address", strerror(errno));
    close(pipe_end);
    return 0;
}

static int run_server(stream_side side, const tutti_stream_options *options, int pipe_end)
{
    if (listen_and_tell(&side, options, pipe_end) != 0) return 1;
    while (!side.over && stream_side_turn(&side))
        continue;
    tutti_stream_context_destroy(&side.context);
    return side.failed;
}

static int connect_to(stream_side *side, const tutti_stream_options *options, const char *address)
{
    const tutti_stream_callbacks callbacks = callbacks_of(side);
    tutti_stream *stream;
    if (tutti_stream_context_create(&side->context, options) != 0)
        return stream_fail("a context", tutti_error_detail());
    if (tutti_stream_connect(side->context, address, &callbacks, &stream) != 0)
        return stream_fail("connecting", tutti_error_detail());
    while (!side->open && !side->over && stream_side_turn(side))
        continue;
    return side->open && !side->failed ? 0 : -1;
}

pid_t stream_side_start(stream_side *side, const tutti_stream_options *options, const stream_side *server)
{
    int end;
    char address[80];
    const pid_t child = stream_fork(&end);
    if (child < 0) return -1;
    if (child == 0) {
        stream_pin(server->core);
        exit(run_server(*server, options, end));
    }
    const bool told = read(end, address, sizeof address) == sizeof address;
    close(end);
    if (told && connect_to(side, options, address) == 0) return child;
    side->failed = true;
    stream_side_end(side, child);
    return -1;
}

bool stream_side_end(stream_side *side, pid_t server)
{
    if (side->stream != NULL && !side->failed) tutti_stream_close(side->stream);
    while (side->stream != NULL && !side->failed && stream_side_turn(side))
        continue;
    if (side->context != NULL) tutti_stream_context_destroy(&side->context);
    int status;
    if (side->failed) kill(server, SIGKILL);
    if (waitpid(server, &status, 0) != server) return false;
    return !side->failed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
