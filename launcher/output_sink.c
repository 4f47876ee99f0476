/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/output_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/launcher_report.h"

/* With so much queued a sink's streams are left alone until half of it is gone. */
#define QUEUE_BYTES_MAX (4U << 20)

bool tti_sink_reserve(void **items, size_t *room, size_t need, size_t size)
{
    if (need <= *room) return true;
    size_t grown_room = *room == 0 ? 64 : *room;
    while (grown_room < need)
        grown_room *= 2;
    void *grown = realloc(*items, grown_room * size);
    if (grown == NULL) return false;
    *items = grown;
    *room = grown_room;
    return true;
}

int tti_sink_open(tti_sink *sink, int fd, const char *name)
{
    *sink = (tti_sink){.fd = fd, .name = name, .streams = epoll_create1(EPOLL_CLOEXEC)};
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
    sink->owned = own >= 0;
    sink->blocking = own < 0; /* another user's pipe or terminal */
    if (own >= 0) sink->fd = own;
    return 0;
}

void tti_sink_close(tti_sink *sink)
{
    if (sink->owned) close(sink->fd);
    close(sink->streams);
    free(sink->data);
    free(sink->pieces);
}

/* Moves the array's items from `start` on to its front. Returns how many they are. */
static size_t to_front(void *items, size_t start, size_t used, size_t size)
{
    memmove(items, (char *)items + start * size, (used - start) * size);
    return used - start;
}

/* Without memory for one more piece the last one's account takes the bytes. */
static void account(tti_sink *sink, tti_source *from, size_t bytes)
{
    if (sink->first > 0 && sink->pieces_used == sink->pieces_room) {
        sink->pieces_used = to_front(sink->pieces, sink->first, sink->pieces_used, sizeof *sink->pieces);
        sink->first = 0;
    }
    tti_piece *last = sink->pieces_used > sink->first ? &sink->pieces[sink->pieces_used - 1] : NULL;
    if (last != NULL && last->from == from) {
        last->bytes += bytes;
    } else if (tti_sink_reserve((void **)&sink->pieces, &sink->pieces_room, sink->pieces_used + 1,
                                sizeof *sink->pieces)) {
        sink->pieces[sink->pieces_used++] = (tti_piece){from, bytes};
    } else if (last != NULL) {
        last->bytes += bytes;
    }
}

/* The oldest `bytes` of the queue are settled: written, or lost. */
static void settle(tti_sink *sink, size_t bytes, bool lost)
{
    sink->start += bytes;
    while (bytes > 0 && sink->first < sink->pieces_used) {
        tti_piece *piece = &sink->pieces[sink->first];
        const size_t part = bytes < piece->bytes ? bytes : piece->bytes;
        if (lost) piece->from->lost += part;
        piece->bytes -= part;
        bytes -= part;
        if (piece->bytes == 0) sink->first++;
    }
    if (sink->start < sink->used) return;
    sink->start = sink->used = 0;
    sink->first = sink->pieces_used = 0;
}

void tti_sink_give_up(tti_sink *sink, int error)
{
    sink->error = error == ECONNRESET ? EPIPE : error;
    settle(sink, sink->used - sink->start, true);
}

/* What is writable takes so much at once: a pipe without waiting, unless somebody else fills it meanwhile. */
static ssize_t write_little(const tti_sink *sink, const char *at, size_t bytes)
{
    struct pollfd room = {.fd = sink->fd, .events = POLLOUT};
    if (poll(&room, 1, 0) > 0) return write(sink->fd, at, bytes < PIPE_BUF ? bytes : PIPE_BUF);
    errno = EAGAIN;
    return -1;
}

static ssize_t write_some(const tti_sink *sink)
{
    const char *at = sink->data + sink->start;
    const size_t bytes = sink->used - sink->start;
    if (sink->socket) return send(sink->fd, at, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sink->blocking ? write_little(sink, at, bytes) : write(sink->fd, at, bytes);
}

bool tti_sink_flush(tti_sink *sink)
{
    while (sink->start < sink->used) {
        const ssize_t n = write_some(sink);
        if (n >= 0) {
            settle(sink, (size_t)n, false);
        } else if (errno == EAGAIN) {
            return true;
        } else if (errno != EINTR) {
            tti_sink_give_up(sink, errno);
        }
    }
    return false;
}

static void queue(tti_sink *sink, tti_source *from, const char *bytes, size_t count)
{
    if (sink->start > 0 && sink->used + count > sink->room) {
        sink->used = to_front(sink->data, sink->start, sink->used, 1);
        sink->start = 0;
    }
    if (sink->error == 0 && !tti_sink_reserve((void **)&sink->data, &sink->room, sink->used + count, 1))
        tti_sink_give_up(sink, ENOMEM);
    if (sink->error != 0) {
        from->lost += count;
        return;
    }
    memcpy(sink->data + sink->used, bytes, count);
    sink->used += count;
    account(sink, from, count);
}

void tti_sink_append(tti_sink *sink, tti_source *from, const char *bytes, size_t count)
{
    if (count == 0) return;
    if (tti_sink_is_taken(sink, from)) queue(sink, &sink->own, "\n", 1);
    queue(sink, from, bytes, count);
    sink->unfinished = bytes[count - 1] == '\n' ? NULL : from;
}

bool tti_sink_is_taken(const tti_sink *sink, const tti_source *from)
{
    return sink->unfinished != NULL && sink->unfinished != from;
}

bool tti_sink_is_full(const tti_sink *sink)
{
    return sink->used - sink->start > (sink->paused ? QUEUE_BYTES_MAX / 2 : QUEUE_BYTES_MAX);
}
