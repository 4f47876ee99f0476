/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/rank_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "launcher/launcher_report.h"
#include "runtime/base/clock.h"

#define READ_BYTES 65536
/* A line may be this long before it is cut in two. */
#define LINE_BYTES_MAX (1U << 20)
/* Draining ends after so many reads: more than any pipe holds, so that a rank's own end is seen, and bounded
 * where somebody else still writes. */
#define DRAIN_READS 64
/* How long an unfinished line waits for its end before it is shown: a prompt. */
#define PROMPT_NS (TTI_NS_PER_SECOND / 5)
/* The same where somebody else's unfinished line stands: it would have to be broken off. */
#define BREAK_NS (TTI_NS_PER_SECOND)

/* Without the way into the sink the rank would block once its pipe is full. */
static int refuse_stream(int ends[2])
{
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return tti_launcher_refuse_errno(TTI_STATUS_USAGE, error, "cannot wait for a rank's output",
                                     error == ENOSPC
                                         ? "raise fs.epoll.max_user_watches (sysctl) or start fewer ranks"
                                         : "free some memory or start fewer ranks");
}

int tti_rank_output_open(tti_rank_output *stream, tti_sink *sink, const char *tag, bool keep_tail,
                         int *rank_end)
{
    int ends[2];
    *stream = (tti_rank_output){.fd = -1, .sink = sink};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot make a pipe for a rank's output",
                                         "raise ulimit -n or start fewer ranks");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    if (epoll_ctl(sink->streams, EPOLL_CTL_ADD, ends[0], &event) != 0) return refuse_stream(ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    snprintf(stream->tag, sizeof stream->tag, "%s", tag);
    if (keep_tail) stream->tail = malloc(TTI_TAIL_BYTES);
    stream->fd = ends[0];
    *rank_end = ends[1];
    return 0;
}

static void keep_tail(tti_rank_output *stream, const char *bytes, size_t count)
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

static void append(tti_rank_output *stream, const char *bytes, size_t count)
{
    tti_sink_append(stream->sink, &stream->source, bytes, count);
}

/* The tag, if there is one, and what of the line was kept. */
static void hand_over_kept(tti_rank_output *stream)
{
    append(stream, stream->tag, strlen(stream->tag));
    append(stream, stream->line, stream->used);
    stream->used = 0;
}

static void hand_over_partial(tti_rank_output *stream)
{
    if (stream->used == 0) return;
    hand_over_kept(stream);
    /* Only a tagged line is completed: without tags the bytes are the rank's own, no more. */
    if (stream->tag[0] != '\0') append(stream, "\n", 1);
}

/* `count` bytes that end with a newline; the first of them may continue the line that was kept. */
static void hand_over_lines(tti_rank_output *stream, const char *bytes, size_t count)
{
    if (stream->tag[0] == '\0') {
        hand_over_kept(stream);
        append(stream, bytes, count);
        return;
    }
    for (const char *end = bytes + count; bytes < end;) {
        const char *next = (const char *)memchr(bytes, '\n', (size_t)(end - bytes)) + 1;
        hand_over_kept(stream);
        append(stream, bytes, (size_t)(next - bytes));
        bytes = next;
    }
}

static void take(tti_rank_output *stream, const char *bytes, size_t count)
{
    keep_tail(stream, bytes, count);
    const char *last = memrchr(bytes, '\n', count);
    const size_t whole = last != NULL ? (size_t)(last - bytes) + 1 : 0;
    if (whole > 0) hand_over_lines(stream, bytes, whole);
    const size_t rest = count - whole;
    if (stream->used + rest > LINE_BYTES_MAX) hand_over_partial(stream);
    if (rest == 0) return;
    if (stream->used == 0) stream->held_since = tti_clock_ns();
    if (!tti_sink_reserve((void **)&stream->line, &stream->room, stream->used + rest, 1)) {
        hand_over_partial(stream); /* no memory to keep it */
        append(stream, bytes + whole, rest);
        return;
    }
    memcpy(stream->line + stream->used, bytes + whole, rest);
    stream->used += rest;
}

static void stream_close(tti_rank_output *stream)
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
static bool read_once(tti_rank_output *stream)
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

void tti_rank_output_read(tti_rank_output *stream)
{
    /* With nobody to read it the rank shall get SIGPIPE, as in a pipeline without a launcher. */
    if (stream->sink->error == EPIPE && stream->tail == NULL) {
        stream_close(stream);
    } else if (stream->fd >= 0) {
        read_once(stream);
    }
}

static bool has_unread(const tti_rank_output *stream)
{
    int bytes = 0;
    return stream->fd >= 0 && ioctl(stream->fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

int64_t tti_rank_output_show_partial(tti_rank_output *stream, int64_t now)
{
    if (stream->used == 0 || stream->tag[0] != '\0') return INT64_MAX;
    /* It is we who stopped in the middle of the line: the rank's time to end it begins when we read on. */
    if (stream->sink->paused) stream->held_since = now;
    const bool taken = tti_sink_is_taken(stream->sink, &stream->source);
    if (now < stream->held_since + (taken ? BREAK_NS : PROMPT_NS)) {
        /* Whose line it is may end it at any moment. */
        return taken ? now + PROMPT_NS : stream->held_since + PROMPT_NS;
    }
    if (has_unread(stream)) return now + PROMPT_NS; /* its end may be there */
    hand_over_partial(stream);
    return INT64_MAX;
}

void tti_rank_output_drain(tti_rank_output *stream)
{
    for (int i = 0; i < DRAIN_READS && stream->fd >= 0 && read_once(stream); i++) {
    }
}

void tti_rank_output_finish(tti_rank_output *stream)
{
    tti_rank_output_drain(stream);
    stream_close(stream);
    free(stream->tail);
    stream->tail = NULL;
}
