/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_silent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "runtime/base/clock.h"
#include "runtime/base/keepalive.h"
#include "runtime/base/log.h"
#include "streams/stream_guests.h"
#include "streams/stream_kick.h"

#define RETRY_NS (200 * TTI_NS_PER_MS)
/* A look costs some system calls for each descriptor: where that takes long, at most one part in so many. */
#define LOOK_SHARE 20

typedef struct {
    int descriptor;
    int64_t since; /* when it was first seen, ns */
    char peer[TTI_STREAM_TEXT];
    bool seen, ended;
} guest;

struct tti_stream_silent {
    guest *guests; /* the oldest first */
    int count, room;
    int free_one;  /* tti_stream_next_free() at the last sweep: who is let in takes it */
    bool due;      /* there is a reason to look */
    bool resting;  /* the events' descriptor is not waited on */
    int64_t next;  /* no look before, ns */
    int64_t retry; /* while it rests: when to see whether there are descriptors again, ns */
};

void tti_stream_silent_close(tti_stream_silent *silent)
{
    if (silent == NULL) return;
    free(silent->guests);
    free(silent);
}

/* Connections inherit what the listener's socket has, but for being closed at exec. libfabric 1.17 reads the
 * request of who connects from a socket that waits for it: with a limit, who sends half a request holds the
 * program up for so long, and not for ever. */
void tti_stream_silent_listen(tutti_stream_context *context, tutti_stream_listener *listener)
{
    const struct timeval most = {.tv_usec = 100000};
    for (int one = tti_stream_first_descriptor(context); one >= 0;
         one = tti_stream_next_descriptor(context)) {
        if (!tti_stream_is_socket_of(listener, one)) continue;
        setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
        tti_keepalive_begin(one);
        fcntl(one, F_SETFD, FD_CLOEXEC);
    }
    if (context->silent == NULL && context->descriptors != NULL)
        context->silent = calloc(1, sizeof *context->silent);
}

/* Whether it is the connection with this far end, and has come to a listener. */
static bool closes_at_exec(tutti_stream_context *context, int descriptor, const char *peer)
{
    char far[TTI_STREAM_TEXT];
    const int flags = fcntl(descriptor, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0) return false;
    if (tti_stream_identify(context, descriptor, far) == NULL) return false;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return strcmp(far, peer) == 0;
}

void tti_stream_close_at_exec(tutti_stream_context *context, const char *peer)
{
    if (context->silent == NULL || closes_at_exec(context, context->silent->free_one, peer)) return;
    for (int one = tti_stream_first_descriptor(context); one >= 0;
         one = tti_stream_next_descriptor(context)) {
        if (closes_at_exec(context, one, peer)) return;
    }
}

static void note(tti_stream_silent *silent, int descriptor, const char *peer)
{
    for (int i = 0; i < silent->count; i++) {
        guest *one = &silent->guests[i];
        if (one->descriptor != descriptor || strcmp(one->peer, peer) != 0) continue;
        one->seen = true;
        return;
    }
    if (silent->count == silent->room) {
        const int room = silent->room * 2 + 16;
        guest *more = realloc(silent->guests, (size_t)room * sizeof *more);
        if (more == NULL) return; /* the next look will find it again */
        silent->guests = more;
        silent->room = room;
    }
    guest *one = &silent->guests[silent->count++];
    *one = (guest){.descriptor = descriptor, .since = tti_clock_ns(), .seen = true};
    memcpy(one->peer, peer, sizeof one->peer);
}

static void look(tutti_stream_context *context)
{
    tti_stream_silent *silent = context->silent;
    for (int one = tti_stream_first_descriptor(context); one >= 0;
         one = tti_stream_next_descriptor(context)) {
        char peer[TTI_STREAM_TEXT];
        if (tti_stream_identify(context, one, peer) == NULL) continue;
        if (tti_stream_behind(context, one) != NULL) continue;
        note(silent, one, peer);
    }
}

/* The provider sees the end of the connection and closes it. */
static void end_guest(tutti_stream_context *context, guest *one, int code)
{
    char peer[TTI_STREAM_TEXT], why[TTI_STREAM_WHY];
    const tutti_stream_options *options = &context->options;
    const tutti_stream_listener *listener = tti_stream_identify(context, one->descriptor, peer);
    one->ended = true;
    if (listener == NULL || strcmp(peer, one->peer) != 0) return;
    shutdown(one->descriptor, SHUT_RDWR);
    tti_stream_kick(context);
    if (code == TUTTI_ERR_TIMEOUT)
        snprintf(why, sizeof why, "%s has said nothing for %d ms (handshake_timeout_ms)", peer,
                 options->handshake_timeout_ms);
    else
        snprintf(why, sizeof why, "%s says nothing, as do %d others (max_half_open)", peer,
                 options->max_half_open);
    tti_stream_tell_refused(context, &listener->callbacks, code, why);
}

/* Forgets who is gone or has become a stream, and ends who is here for too long, or too many. */
static void clear_out(tutti_stream_context *context)
{
    tti_stream_silent *silent = context->silent;
    const int64_t allowed = context->options.handshake_timeout_ms * TTI_NS_PER_MS, now = tti_clock_ns();
    int kept = 0, silents = 0;
    for (int i = 0; i < silent->count; i++) {
        if (silent->guests[i].seen) silent->guests[kept++] = silent->guests[i];
    }
    silent->count = kept;
    for (int i = 0; i < kept; i++)
        silents += !silent->guests[i].ended;
    for (int i = 0; i < kept; i++) {
        guest *one = &silent->guests[i];
        one->seen = false;
        if (one->ended) continue;
        if (now - one->since >= allowed)
            end_guest(context, one, TUTTI_ERR_TIMEOUT);
        else if (silents > context->options.max_half_open)
            end_guest(context, one, TUTTI_ERR_LIMIT);
        silents -= one->ended;
    }
}

/* Leaves the events' descriptor out of what the program waits on, or takes it in again. */
static void rest(tutti_stream_context *context, bool resting)
{
    int descriptor;
    struct epoll_event event = {.events = EPOLLIN};
    if (resting == context->silent->resting) return;
    if (fi_control(&context->events->fid, FI_GETWAIT, &descriptor) != 0) return;
    if (epoll_ctl(context->epoll, resting ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, descriptor, &event) != 0) return;
    context->silent->resting = resting;
    if (resting)
        tti_log(TTI_LOG_WARN, "no descriptors are left for connections that arrive: raise `ulimit -n`");
}

/* When the time of the oldest is over, ns. */
static int64_t first_deadline(const tutti_stream_context *context)
{
    const tti_stream_silent *silent = context->silent;
    for (int i = 0; i < silent->count; i++) {
        if (!silent->guests[i].ended)
            return silent->guests[i].since + context->options.handshake_timeout_ms * TTI_NS_PER_MS;
    }
    return INT64_MAX;
}

void tti_stream_sweep(tutti_stream_context *context)
{
    tti_stream_silent *silent = context->silent;
    if (silent == NULL || context->info == NULL) return;
    const bool listens = !tti_list_empty(&context->listeners);
    const int64_t now = tti_clock_ns();
    const int free_one = listens ? tti_stream_next_free(context) : 0;
    if (free_one != silent->free_one || first_deadline(context) <= now) silent->due = true;
    silent->free_one = free_one;
    if (listens && silent->due && now >= silent->next) {
        silent->due = false;
        look(context);
        const int64_t took = tti_clock_ns() - now;
        if (took > TTI_NS_PER_MS) silent->next = now + took * LOOK_SHARE;
        clear_out(context);
    }
    if (free_one < 0) silent->retry = now + RETRY_NS;
    rest(context, free_one < 0);
}

int64_t tti_stream_next_sweep(const tutti_stream_context *context)
{
    const tti_stream_silent *silent = context->silent;
    if (silent == NULL || tti_list_empty(&context->listeners)) return INT64_MAX;
    int64_t next = silent->due ? silent->next : first_deadline(context);
    if (next < silent->next) next = silent->next;
    return silent->resting && silent->retry < next ? silent->retry : next;
}
