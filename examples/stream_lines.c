/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream in a program's own event loop, here plain epoll. One side prints what comes, until the other
 * closes:
 *
 *   stream_lines listen 4711
 *   some-program | stream_lines send 4711
 *
 * The sender waits for its standard input and for the stream at a time. Where the listener is slow it stops
 * reading the input until a buffer may be had again, so that a pipe slows the program before it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <tutti/stream.h>
#include <unistd.h>

static tutti_stream *the_stream; /* while it is open */
static bool sends, may_send, over;
static int status;

static void on_open(tutti_stream *stream, void *user)
{
    (void)user;
    the_stream = stream;
    may_send = sends;
}

static void lose_output(void)
{
    fprintf(stderr, "stream_lines: the output: %s\n", strerror(errno));
    status = 1;
    over = true;
}

static void on_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    (void)stream;
    (void)user;
    if (fwrite(data, 1, bytes, stdout) != bytes) lose_output();
}

static void on_ready(tutti_stream *stream, void *user)
{
    (void)stream;
    (void)user;
    may_send = true;
}

static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    (void)stream;
    (void)user;
    if (code != 0 && !over) fprintf(stderr, "stream_lines: %s: %s\n", tutti_strerror(code), why);
    if (code != 0) status = 1;
    the_stream = NULL;
    may_send = false;
    over = true;
}

static int fail(const char *what)
{
    fprintf(stderr, "stream_lines: %s: %s\n", what, tutti_error_detail());
    return 1;
}

/* Straight from the input into a registered buffer; at the end of the input the stream is closed. */
static int pass_on(void)
{
    void *data;
    size_t room;
    const int code = tutti_stream_get_buffer(the_stream, &data, &room);
    may_send = code != TUTTI_ERR_AGAIN;
    if (code != 0) return code == TUTTI_ERR_AGAIN ? 0 : fail("no buffer");
    const ssize_t bytes = read(STDIN_FILENO, data, room);
    if (bytes > 0)
        return tutti_stream_send_buffer(the_stream, data, (size_t)bytes) != 0 ? fail("sending") : 0;
    const int error = errno;
    tutti_stream_return_buffer(the_stream, data);
    if (bytes < 0 && (error == EINTR || error == EAGAIN)) return 0;
    if (bytes < 0) {
        fprintf(stderr, "stream_lines: the input: %s\n", strerror(error));
        return 1;
    }
    may_send = false;
    tutti_stream_close(the_stream);
    return 0;
}

/* The input counts only while it can be passed on. */
static int watch_input(int loop, bool wanted)
{
    static bool watched;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
    if (wanted == watched) return 0;
    watched = wanted;
    if (epoll_ctl(loop, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, STDIN_FILENO, &event) == 0) return 0;
    fprintf(stderr, "stream_lines: the input cannot be waited for; pipe it in, as in `cat file | ...`\n");
    return 1;
}

static int run(tutti_stream_context *context)
{
    const int loop = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event one = {.events = EPOLLIN, .data.fd = tutti_stream_fd(context)}, events[2];
    epoll_ctl(loop, EPOLL_CTL_ADD, tutti_stream_fd(context), &one);
    int failed = 0;
    while (!over && !failed) {
        failed = watch_input(loop, may_send);
        const int count = failed ? 0 : epoll_wait(loop, events, 2, tutti_stream_timeout(context));
        for (int i = 0; i < count && !failed; i++) {
            if (events[i].data.fd == STDIN_FILENO) failed = pass_on();
        }
        if (tutti_stream_process(context, 0) < 0) failed = fail("streams");
    }
    close(loop);
    if (fflush(stdout) != 0 && status == 0) lose_output();
    return failed || status;
}

int main(int argc, char **argv)
{
    sends = argc == 3 && strcmp(argv[1], "send") == 0;
    if (argc != 3 || (!sends && strcmp(argv[1], "listen") != 0)) {
        fprintf(stderr, "usage: stream_lines listen|send ADDRESS    (host:port, or a port of 127.0.0.1)\n");
        return 2;
    }
    const tutti_stream_callbacks callbacks = {
        .on_open = on_open, .on_message = on_message, .on_ready = on_ready, .on_closed = on_closed};
    tutti_stream_context *context;
    tutti_stream_listener *listener;
    tutti_stream *stream;
    char address[80];
    if (tutti_stream_context_create(&context, NULL) != 0) return fail("no context");
    if (sends) {
        if (tutti_stream_connect(context, argv[2], &callbacks, &stream) != 0) return fail(argv[2]);
    } else {
        if (tutti_stream_listen(context, argv[2], &callbacks, &listener) != 0) return fail(argv[2]);
        if (tutti_stream_listener_address(listener, address, sizeof address) != 0) return fail(argv[2]);
        fprintf(stderr, "listening at %s\n", address);
    }
    const int failed = run(context);
    tutti_stream_context_destroy(&context);
    return failed;
}
