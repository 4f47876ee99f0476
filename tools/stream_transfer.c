/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending and receiving. What ends it is one on_closed, whatever happened before; the first error is told. */
#include "stream_transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <tutti/stream.h>
#include <unistd.h>

#define SLICES 20 /* parts of a second in which a limited rate is dealt out */

typedef struct {
    const transfer_request *request;
    transfer_result *result;
    tutti_stream_listener *listener; /* receiving, until somebody has come */
    tutti_stream *stream;            /* while it is open */
    int file;
    bool may_send, over;
    double next; /* when the rate allows more */
} transfer;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The first one counts: what follows is its consequence. */
static void fail(transfer *t, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void fail(transfer *t, int status, const char *format, ...)
{
    va_list args;
    if (t->result->status != TRANSFER_DONE) return;
    t->result->status = status;
    va_start(args, format);
    vsnprintf(t->result->error, sizeof t->result->error, format, args);
    va_end(args);
}

static const char *name_of_file(const transfer *t)
{
    return t->request->file != NULL ? t->request->file
           : t->request->sends      ? "standard input"
                                    : "standard output";
}

/* ---- callbacks ---- */

/* What the file had is lost only now that something comes to take its place. True: also where it is no file
 * that can be emptied, as a pipe. */
static bool make_empty(const transfer *t)
{
    struct stat state;
    if (t->request->sends || t->request->file == NULL) return true;
    if (fstat(t->file, &state) != 0) return false;
    return !S_ISREG(state.st_mode) || ftruncate(t->file, 0) == 0;
}

static void on_open(tutti_stream *stream, void *user)
{
    transfer *t = user;
    if (t->stream != NULL || t->result->started > 0) { /* two came at a time */
        tutti_stream_abort(stream);
        return;
    }
    if (t->listener != NULL) tutti_stream_listener_close(&t->listener);
    t->stream = stream;
    t->may_send = t->request->sends;
    t->result->started = t->next = now();
    snprintf(t->result->peer, sizeof t->result->peer, "%s", tutti_stream_peer(stream));
    if (make_empty(t)) return;
    fail(t, TRANSFER_LOCAL, "emptying %s: %s", name_of_file(t), strerror(errno));
    tutti_stream_abort(stream);
}

/* All of it, also where the descriptor does not wait by itself; counts what is written. */
static bool write_all(transfer *t, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t count = write(t->file, data, bytes);
        struct pollfd room = {.fd = t->file, .events = POLLOUT};
        if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (count < 0 && errno == EAGAIN) poll(&room, 1, -1);
        if (count <= 0) continue;
        t->result->bytes += (uint64_t)count;
        data += count;
        bytes -= (size_t)count;
    }
    return true;
}

static void on_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    transfer *t = user;
    if (stream != t->stream || t->request->sends) return;
    if (!write_all(t, data, bytes)) {
        fail(t, TRANSFER_LOCAL, "writing %s: %s: of what came only the first %llu bytes are written",
             name_of_file(t), strerror(errno), (unsigned long long)t->result->bytes);
        tutti_stream_abort(stream);
        return;
    }
    t->result->messages++;
}

static void on_ready(tutti_stream *stream, void *user)
{
    (void)stream;
    ((transfer *)user)->may_send = true;
}

static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    transfer *t = user;
    if (!t->request->sends && stream != t->stream) return; /* who was not taken */
    t->over = true;
    t->stream = NULL;
    t->result->ended = now();
    t->result->code = code;
    if (code != 0)
        fail(t, TRANSFER_STREAM, "%s: %s (%llu bytes were %s)", tutti_strerror(code), why,
             (unsigned long long)t->result->bytes, t->request->sends ? "sent" : "received");
}

static void on_refused(int code, const char *why, void *user)
{
    (void)user;
    fprintf(stderr, "tutti-stream: turned away: %s: %s\n", tutti_strerror(code), why);
}

/* ---- sending ---- */

/* Milliseconds until the rate allows more, 0: now. */
static int until_rate(const transfer *t)
{
    const double left = t->request->rate > 0 ? t->next - now() : 0;
    return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

/* What was not used of the rate is lost, but for one slice. */
static void count_rate(transfer *t, size_t bytes)
{
    const double least = now() - 1.0 / SLICES;
    if (t->request->rate <= 0) return;
    if (t->next < least) t->next = least;
    t->next += (double)bytes / (double)t->request->rate;
}

static size_t slice(const transfer *t, size_t room)
{
    const int64_t part = t->request->rate / SLICES;
    if (t->request->rate <= 0 || (uint64_t)part >= room) return room;
    return part > 0 ? (size_t)part : 1;
}

/* Straight from the input into a registered buffer; at the end of the input the stream is closed. */
static void pass_on(transfer *t)
{
    void *data;
    size_t room;
    const int code = tutti_stream_get_buffer(t->stream, &data, &room);
    if (code != 0) t->may_send = false; /* on_ready will tell, or on_closed */
    if (code != 0) return;
    const ssize_t bytes = read(t->file, data, slice(t, room));
    if (bytes > 0) {
        if (tutti_stream_send_buffer(t->stream, data, (size_t)bytes) != 0) return; /* on_closed tells why */
        t->result->bytes += (uint64_t)bytes;
        t->result->messages++;
        count_rate(t, (size_t)bytes);
        return;
    }
    const int error = errno;
    tutti_stream_return_buffer(t->stream, data);
    if (bytes < 0 && (error == EINTR || error == EAGAIN)) return;
    t->may_send = false;
    if (bytes == 0) {
        tutti_stream_close(t->stream);
        return;
    }
    fail(t, TRANSFER_LOCAL, "reading %s: %s: the receiver has only a part", name_of_file(t), strerror(error));
    tutti_stream_abort(t->stream);
}

/* ---- both ---- */

static void turn(transfer *t, tutti_stream_context *context)
{
    const bool wants = t->stream != NULL && t->may_send;
    const int rest = wants ? until_rate(t) : 0;
    struct pollfd descriptors[] = {{.fd = tutti_stream_fd(context), .events = POLLIN},
                                   {.fd = t->file, .events = POLLIN}};
    int timeout = tutti_stream_timeout(context);
    if (rest > 0 && (timeout < 0 || rest < timeout)) timeout = rest;
    if (poll(descriptors, wants && rest == 0 ? 2 : 1, timeout) < 0 && errno != EINTR) {
        fail(t, TRANSFER_LOCAL, "waiting: %s", strerror(errno));
        t->over = true;
    }
    if (wants && rest == 0 && descriptors[1].revents != 0) pass_on(t);
    if (tutti_stream_process(context, 0) < 0) {
        fail(t, TRANSFER_STREAM, "%s", tutti_error_detail());
        t->over = true;
    }
}

static int begin(transfer *t, tutti_stream_context *context)
{
    const tutti_stream_callbacks callbacks = {.on_open = on_open,
                                              .on_message = on_message,
                                              .on_ready = on_ready,
                                              .on_closed = on_closed,
                                              .on_refused = on_refused,
                                              .user = t};
    tutti_stream *stream;
    char address[80];
    if (t->request->sends) return tutti_stream_connect(context, t->request->address, &callbacks, &stream);
    int code = tutti_stream_listen(context, t->request->address, &callbacks, &t->listener);
    if (code == 0) code = tutti_stream_listener_address(t->listener, address, sizeof address);
    if (code == 0) fprintf(stderr, "tutti-stream: listening at %s\n", address);
    return code;
}

static void transfer_all(transfer *t)
{
    const tutti_stream_options options = {.buffer_bytes = t->request->buffer_bytes,
                                          .connect_timeout_ms = t->request->timeout_ms,
                                          .close_timeout_ms =
                                              INT32_MAX, /* a receiver may take long to write */
                                          .secret_file = t->request->secret_file};
    tutti_stream_context *context = NULL;
    int code = tutti_stream_context_create(&context, &options);
    if (code == 0) code = begin(t, context);
    if (code != 0) {
        const int status = code == TUTTI_ERR_ARG ? TRANSFER_USAGE
                           : context == NULL     ? TRANSFER_LOCAL
                                                 : TRANSFER_STREAM;
        t->result->code = code;
        fail(t, status, "%s: %s", tutti_strerror(code), tutti_error_detail());
        t->over = true;
    }
    while (!t->over)
        turn(t, context);
    t->over = true;
    if (context != NULL) tutti_stream_context_destroy(&context);
}

static int open_file(transfer *t)
{
    const transfer_request *request = t->request;
    if (request->file == NULL) return request->sends ? STDIN_FILENO : STDOUT_FILENO;
    const int file = request->sends ? open(request->file, O_RDONLY | O_CLOEXEC)
                                    : open(request->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) fail(t, TRANSFER_LOCAL, "opening %s: %s", request->file, strerror(errno));
    return file;
}

void transfer_run(const transfer_request *request, transfer_result *result)
{
    transfer t = {.request = request, .result = result};
    *result = (transfer_result){0};
    t.file = open_file(&t);
    if (t.file < 0) return;
    transfer_all(&t);
    if (close(t.file) != 0 && !request->sends)
        fail(&t, TRANSFER_LOCAL, "closing %s: %s: some of it may be lost", name_of_file(&t), strerror(errno));
}
