/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/rank_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/launcher_report.h"

#define READ_BYTES 65536
/* A line may be this long before it is cut in two. */
#define LINE_BYTES_MAX (1U << 20)
/* Draining ends after so many reads: more than any pipe holds, so that a rank's own end is seen, and bounded
 * where somebody else still writes. */
#define DRAIN_READS 64
/* With so much queued a sink's streams are left alone until half of it is gone. */
#define QUEUE_BYTES_MAX (4U << 20)

static bool reserve(char **data, size_t *room, size_t need)
{
    if (need <= *room) return true;
    size_t size = *room == 0 ? 4096 : *room;
    while (size < need)
        size *= 2;
    char *grown = realloc(*data, size);
    if (grown == NULL) return false;
    *data = grown;
    *room = size;
    return true;
}

int tti_sink_open(tti_sink *sink, int fd)
{
    *sink = (tti_sink){.fd = fd, .streams = epoll_create1(EPOLL_CLOEXEC)};
    if (sink->streams < 0)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot make an epoll descriptor",
                                         "raise ulimit -n");
    struct stat is;
    if (fstat(fd, &is) != 0)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot write output", "redirect it");
    sink->socket = S_ISSOCK(is.st_mode);
    if (!S_ISFIFO(is.st_mode) && !S_ISCHR(is.st_mode)) return 0;
    /* O_NONBLOCK belongs to the open file, which we may share with our shell: open it again for ourselves. */
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const int own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (own < 0) return 0;
    sink->fd = own;
    sink->owned = true;
    return 0;
}

void tti_sink_close(tti_sink *sink)
{
    if (sink->owned) close(sink->fd);
    close(sink->streams);
    free(sink->data);
}

static ssize_t write_some(const tti_sink *sink)
{
    const char *at = sink->data + sink->start;
    const size_t bytes = sink->used - sink->start;
    if (sink->socket) return send(sink->fd, at, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    return write(sink->fd, at, bytes);
}

bool tti_sink_flush(tti_sink *sink)
{
    while (!sink->broken && sink->start < sink->used) {
        const ssize_t n = write_some(sink);
        if (n >= 0) {
            sink->start += (size_t)n;
        } else if (errno == EAGAIN) {
            return true;
        } else if (errno != EINTR) {
            sink->broken = true;
        }
    }
    sink->start = sink->used = 0;
    return false;
}

void tti_sink_append(tti_sink *sink, const char *bytes, size_t count)
{
    if (sink->broken || count == 0) return;
    if (sink->start > 0 && sink->used + count > sink->room) {
        memmove(sink->data, sink->data + sink->start, sink->used - sink->start);
        sink->used -= sink->start;
        sink->start = 0;
    }
    if (!reserve(&sink->data, &sink->room, sink->used + count)) return;
    memcpy(sink->data + sink->used, bytes, count);
    sink->used += count;
}

bool tti_sink_is_full(const tti_sink *sink)
{
    return sink->used - sink->start > (sink->paused ? QUEUE_BYTES_MAX / 2 : QUEUE_BYTES_MAX);
}

int tti_stream_open(tti_stream *stream, tti_sink *sink, const char *tag, bool keep_tail, int *rank_end)
{
    int ends[2];
    *stream = (tti_stream){.fd = -1, .sink = sink};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot make a pipe for a rank's output",
                                         "raise ulimit -n or start fewer ranks");
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    snprintf(stream->tag, sizeof stream->tag, "%s", tag);
    if (keep_tail) stream->tail = malloc(TTI_TAIL_BYTES);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    epoll_ctl(sink->streams, EPOLL_CTL_ADD, ends[0], &event);
    stream->fd = ends[0];
    *rank_end = ends[1];
    return 0;
}

static void keep_tail(tti_stream *stream, const char *bytes, size_t count)
{
    if (stream->tail == NULL) return;
    if (count > TTI_TAIL_BYTES) {
        bytes += count - TTI_TAIL_BYTES;
        count = TTI_TAIL_BYTES;
    }
    if (stream->tail_used + count > TTI_TAIL_BYTES) {
        const size_t stays = TTI_TAIL_BYTES - count;
        memmove(stream->tail, stream->tail + stream->tail_used - stays, stays);
        stream->tail_used = stays;
    }
    memcpy(stream->tail + stream->tail_used, bytes, count);
    stream->tail_used += count;
}

static void hand_over_partial(tti_stream *stream)
{
    if (stream->used == 0) return;
    tti_sink_append(stream->sink, stream->tag, strlen(stream->tag));
    tti_sink_append(stream->sink, stream->line, stream->used);
    /* Only a tagged line is completed: without tags the bytes are the rank's own, no more. */
    if (stream->tag[0] != '\0') tti_sink_append(stream->sink, "\n", 1);
    stream->used = 0;
}

/* `count` bytes that end with a newline; the first of them may continue the line that was kept. */
static void hand_over_lines(tti_stream *stream, const char *bytes, size_t count)
{
    if (stream->tag[0] == '\0') {
        tti_sink_append(stream->sink, stream->line, stream->used);
        tti_sink_append(stream->sink, bytes, count);
        stream->used = 0;
        return;
    }
    for (const char *end = bytes + count; bytes < end;) {
        const char *next = (const char *)memchr(bytes, '\n', (size_t)(end - bytes)) + 1;
        tti_sink_append(stream->sink, stream->tag, strlen(stream->tag));
        tti_sink_append(stream->sink, stream->line, stream->used);
        tti_sink_append(stream->sink, bytes, (size_t)(next - bytes));
        stream->used = 0;
        bytes = next;
    }
}

static void take(tti_stream *stream, const char *bytes, size_t count)
{
    keep_tail(stream, bytes, count);
    const char *last = memrchr(bytes, '\n', count);
    const size_t whole = last != NULL ? (size_t)(last - bytes) + 1 : 0;
    if (whole > 0) hand_over_lines(stream, bytes, whole);
    if (stream->used + count - whole > LINE_BYTES_MAX) hand_over_partial(stream);
    if (whole == count || !reserve(&stream->line, &stream->room, stream->used + count - whole)) return;
    memcpy(stream->line + stream->used, bytes + whole, count - whole);
    stream->used += count - whole;
}

static void stream_close(tti_stream *stream)
{
    if (stream->fd < 0) return;
    hand_over_partial(stream);
    close(stream->fd); /* takes it out of the epoll set as well */
    stream->fd = -1;
    free(stream->line);
    stream->line = NULL;
    stream->room = 0;
}

/* True if there may be more. */
static bool read_once(tti_stream *stream)
{
    static char buffer[READ_BYTES];
    const ssize_t n = read(stream->fd, buffer, sizeof buffer);
    if (n > 0) {
        take(stream, buffer, (size_t)n);
        return true;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR)) stream_close(stream);
    return false;
}

void tti_stream_read(tti_stream *stream)
{
    /* With nobody to read it the rank shall get SIGPIPE, as in a pipeline without a launcher. */
    if (stream->sink->broken && stream->tail == NULL) {
        stream_close(stream);
    } else if (stream->fd >= 0) {
        read_once(stream);
    }
}

void tti_stream_flush_partial(tti_stream *stream)
{
    if (stream->tag[0] == '\0') hand_over_partial(stream);
}

void tti_stream_drain(tti_stream *stream)
{
    for (int i = 0; i < DRAIN_READS && stream->fd >= 0 && read_once(stream); i++) {
    }
}

void tti_stream_finish(tti_stream *stream)
{
    tti_stream_drain(stream);
    stream_close(stream);
    free(stream->tail);
    stream->tail = NULL;
}
