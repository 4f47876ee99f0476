/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds, and sleeping without missing anything: the user's descriptor is an epoll one, behind which are
 * those of both queues and an eventfd. tutti_stream_process() goes round, asks libfabric whether one may
 * sleep (fi_trywait), and goes round once more, until such a last round has found nothing: what came in
 * between is found, and what comes later makes the descriptor readable. */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "streams/stream_completions.h"
#include "streams/stream_kick.h"
#include "streams/stream_reuse.h"
#include "streams/stream_silent.h"
#include "streams/stream_threads.h"

#define ROUNDS 64 /* then the loop of the program has its turn, and comes back at once */
#define LOOKS 256 /* of tutti_stream_poll(): one of so many is a whole round */

static void flush_all(tutti_stream_context *context)
{
    tti_link *at = context->streams.next;
    while (at != &context->streams) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, link);
        at = at->next; /* flushing may end the stream, and this one alone */
        if (!tti_list_empty(&stream->pending)) tti_stream_flush(stream);
    }
}

/* One look at everything; whether there was anything, or an error. The event queue has its turn after the
 * other one: what a peer sent comes before the word that it is gone. */
static int go_round(tutti_stream_context *context, int budget)
{
    int any = 0;
    if (!tti_list_empty(&context->bundled)) tti_stream_send_bundles(context, tti_clock_ns());
    if (context->info != NULL) {
        any = tti_stream_drain_completions(context, budget);
        if (any < 0) return any;
        tti_stream_end_gone(context);
        const int events = tti_stream_drain_events(context);
        if (events < 0) return events;
        context->work += events;
        any |= events > 0;
        tti_stream_retry_posts(context);
        flush_all(context);
    }
    any |= tti_stream_tell_shared(context);
    any |= tti_stream_reap(context, false);
    tti_stream_tell_ready(context);
    return any;
}

static bool may_sleep(tutti_stream_context *context)
{
    if (context->info == NULL) return true; /* there is no network yet */
    struct fid *queues[] = {&context->events->fid, &context->completions->fid};
    return fi_trywait(context->fabric, queues, 2) == 0;
}

static int go_on(tutti_stream_context *context, int budget)
{
    bool armed = false;
    const bool polling = context->options.polling != 0; /* nobody sleeps: there is nothing to make ready */
    const int code = tti_stream_watch(context);
    if (code < 0) return code;
    tti_stream_unkick(context);
    for (int round = 0; round < ROUNDS; round++) {
        const int any = go_round(context, budget);
        if (any < 0) return any;
        if (tti_stream_is_spent(context, budget) || (any == 0 && polling)) break;
        if (any == 0 && armed) return 0;
        armed = !polling && may_sleep(context); /* at once: where nothing more comes this saves a round */
    }
    tti_stream_kick(context);
    return 0;
}

static int whole_turn(tutti_stream_context *context, int budget)
{
    const int code = go_on(context, budget);
    if (code == 0) tti_stream_end_late(context);
    tti_stream_sweep(context);
    return code;
}

/* One look at the completion queue; at everything now and then, and where a callback has left work. The
 * descriptor stays readable meanwhile, so that a program which waits all the same comes to process(). */
static int look(tutti_stream_context *context, int budget)
{
    (void)budget;
    tti_stream_raise(context);
    const int count = context->info != NULL ? tti_stream_read_completions(context) : 0;
    if (count < 0) return count;
    tti_stream_hand_out(context, 0);
    tti_stream_tell_ready(context);
    if (!context->kicked && ++context->looks < LOOKS) return 0;
    context->looks = 0;
    context->kicked = false;
    const int any = go_round(context, 0);
    if (any < 0) return any;
    if (tti_stream_is_spent(context, 0)) context->kicked = true;
    tti_stream_end_late(context);
    tti_stream_unwatch(context);
    tti_stream_sweep(context);
    return 0;
}

/* Messages handed out by `turn`, or an error. */
static int process(tutti_stream_context *context, int budget,
                   int (*turn)(tutti_stream_context *context, int budget))
{
    if (context->inside)
        return tti_fail(TUTTI_ERR_STATE,
                        "processing streams: called from a callback, or by two threads at a time");
    tti_stream_bind(context);
    context->inside = true;
    context->handed = context->work = 0;
    const int code = turn(context, budget);
    context->inside = false;
    return code < 0 ? code : context->handed;
}

int tutti_stream_process(tutti_stream_context *context, int budget)
{
    if (context == NULL || budget < 0)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_process: no context, or a budget of %d", budget);
    const int code = tti_stream_enter(context, "tutti_stream_process");
    return code < 0 ? code : tti_stream_leave(context, process(context, budget, whole_turn));
}

int tutti_stream_poll(tutti_stream_context *context)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_poll: there is no context");
    const int code = tti_stream_enter(context, "tutti_stream_poll");
    return code < 0 ? code : tti_stream_leave(context, process(context, 0, look));
}

int tutti_stream_fd(const tutti_stream_context *context)
{
    return context != NULL ? context->epoll : -1;
}

static int64_t sooner(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int time_left(const tutti_stream_context *context)
{
    int64_t first = sooner(tti_stream_next_sweep(context), tti_stream_first_deadline(context));
    if (!tti_list_empty(&context->bundled))
        first = sooner(first, TTI_OWNER(context->bundled.next, tutti_stream, bundled)->bundle_deadline);
    if (first == INT64_MAX) return -1;
    const int64_t left = (first - tti_clock_ns() + TTI_NS_PER_MS - 1) / TTI_NS_PER_MS;
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

int tutti_stream_timeout(const tutti_stream_context *context)
{
    if (context == NULL) return -1;
    if (tti_stream_enter(context, "tutti_stream_timeout") < 0)
        return 0; /* tutti_stream_process() will tell */
    return tti_stream_leave(context, time_left(context));
}

static bool has_work(tutti_stream_context *context)
{
    if (tti_stream_enter(context, "tutti_stream_run") < 0) return true; /* tutti_stream_process() will tell */
    const bool any = context->live > 0 || !tti_list_empty(&context->listeners);
    tti_stream_leave(context, 0);
    return any;
}

int tutti_stream_run(tutti_stream_context *context)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_run: there is no context");
    int code = 0;
    while (code >= 0 && has_work(context)) {
        struct pollfd descriptors[] = {{.fd = context->epoll, .events = POLLIN},
                                       {.fd = context->stop, .events = POLLIN}};
        if (poll(descriptors, 2, tutti_stream_timeout(context)) < 0 && errno != EINTR)
            return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "waiting for streams");
        if (descriptors[1].revents != 0) break;
        code = tutti_stream_process(context, 0);
    }
    eventfd_t count; /* it was asked to stop, or is over otherwise: either way nobody is left to be stopped */
    eventfd_read(context->stop, &count);
    return code < 0 ? code : 0;
}

void tutti_stream_stop(tutti_stream_context *context)
{
    if (context != NULL) eventfd_write(context->stop, 1);
}
