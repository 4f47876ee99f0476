/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream in libuv's event loop. It does what stream_lines does on plain epoll, and the two talk to each
 * other:
 *
 *   stream_uv listen 4711
 *   some-program | stream_uv send 4711
 *
 * A stream's context needs three handles of libuv's: a poll on its descriptor, a timer, and a prepare handle,
 * which sets the timer before the loop goes to sleep. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tutti/stream.h>
#include <uv.h>

static tutti_stream_context *context;
static tutti_stream *the_stream; /* while it is open */
static uv_poll_t arrival;
static uv_timer_t timer;
static uv_prepare_t before_sleep;
static uv_pipe_t input;
static bool sends;
static int status;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "stream_uv: %s: %s\n", what, why);
    status = 1;
    uv_stop(uv_default_loop());
}

/* libuv reads straight into a registered buffer; where there is none it reads nothing. */
static void lend(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    void *data;
    size_t room;
    (void)handle;
    (void)suggested;
    const bool lent = tutti_stream_get_buffer(the_stream, &data, &room) == 0;
    *buffer = lent ? uv_buf_init(data, (unsigned)room) : uv_buf_init(NULL, 0);
}

/* What has been read is sent; at the end of the input the stream is closed. UV_ENOBUFS: `lend` had none, and
 * on_ready tells when there is one again. So a slow listener slows the program before the pipe. */
static void pass_on(uv_stream_t *from, ssize_t bytes, const uv_buf_t *buffer)
{
    if (bytes > 0) {
        if (tutti_stream_send_buffer(the_stream, buffer->base, (size_t)bytes) != 0)
            fail("sending", tutti_error_detail());
        return;
    }
    if (buffer->base != NULL) tutti_stream_return_buffer(the_stream, buffer->base);
    if (bytes == 0) return; /* nothing yet */
    uv_read_stop(from);
    if (bytes == UV_ENOBUFS) return;
    if (bytes != UV_EOF) fail("the input", uv_strerror((int)bytes));
    tutti_stream_close(the_stream);
}

static void read_on(tutti_stream *stream, void *user)
{
    (void)stream;
    (void)user;
    const int code = sends ? uv_read_start((uv_stream_t *)&input, lend, pass_on) : 0;
    if (code != 0 && code != UV_EALREADY) fail("the input", uv_strerror(code));
}

static void on_open(tutti_stream *stream, void *user)
{
    the_stream = stream;
    read_on(stream, user);
}

static void on_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    (void)stream;
    (void)user;
    if (fwrite(data, 1, bytes, stdout) != bytes) fail("the output", strerror(errno));
}

static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    (void)stream;
    (void)user;
    if (sends) uv_read_stop((uv_stream_t *)&input);
    if (code != 0) fail(tutti_strerror(code), why);
    uv_stop(uv_default_loop());
}

static void process(void)
{
    if (tutti_stream_process(context, 0) < 0) fail("streams", tutti_error_detail());
}

static void on_arrival(uv_poll_t *handle, int code, int events)
{
    (void)handle;
    (void)events;
    if (code < 0)
        fail("the context's descriptor", uv_strerror(code));
    else
        process();
}

static void on_timer(uv_timer_t *handle)
{
    (void)handle;
    process();
}

/* All that is sent has been sent by now: how long may the loop sleep? */
static void set_timer(uv_prepare_t *handle)
{
    (void)handle;
    const int milliseconds = tutti_stream_timeout(context);
    if (milliseconds >= 0)
        uv_timer_start(&timer, on_timer, (uint64_t)milliseconds, 0);
    else
        uv_timer_stop(&timer);
}

static int watch(uv_loop_t *loop)
{
    int code = uv_poll_init(loop, &arrival, tutti_stream_fd(context));
    if (code == 0) code = uv_timer_init(loop, &timer);
    if (code == 0) code = uv_prepare_init(loop, &before_sleep);
    if (code == 0) code = uv_poll_start(&arrival, UV_READABLE, on_arrival);
    if (code == 0) code = uv_prepare_start(&before_sleep, set_timer);
    if (code == 0 && sends) code = uv_pipe_init(loop, &input, 0);
    if (code == 0 && sends) code = uv_pipe_open(&input, 0);
    if (code != 0) fail("the loop (pipe the input in, as in `cat file | ...`)", uv_strerror(code));
    return code;
}

static void begin(const char *address)
{
    const tutti_stream_callbacks callbacks = {
        .on_open = on_open, .on_message = on_message, .on_ready = read_on, .on_closed = on_closed};
    tutti_stream_listener *listener;
    char at[80] = "";
    int code;
    if (sends) {
        tutti_stream *stream;
        code = tutti_stream_connect(context, address, &callbacks, &stream);
    } else {
        code = tutti_stream_listen(context, address, &callbacks, &listener);
        if (code == 0) code = tutti_stream_listener_address(listener, at, sizeof at);
        if (code == 0) fprintf(stderr, "listening at %s\n", at);
    }
    if (code != 0) fail(address, tutti_error_detail());
}

int main(int argc, char **argv)
{
    sends = argc == 3 && strcmp(argv[1], "send") == 0;
    if (argc != 3 || (!sends && strcmp(argv[1], "listen") != 0)) {
        fprintf(stderr, "usage: stream_uv listen|send ADDRESS    (host:port, or a port of 127.0.0.1)\n");
        return 2;
    }
    if (tutti_stream_context_create(&context, NULL) != 0) {
        fail("no context", tutti_error_detail());
        return 1;
    }
    begin(argv[2]);
    if (status == 0 && watch(uv_default_loop()) == 0) uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    if (uv_is_active((uv_handle_t *)&arrival)) uv_poll_stop(&arrival);
    if (fflush(stdout) != 0) fail("the output", strerror(errno));
    tutti_stream_context_destroy(&context);
    return status;
}
