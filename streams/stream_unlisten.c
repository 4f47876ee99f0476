/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a listener. Whom libfabric has let in, and has not heard yet, it keeps beside the listener;
 * libfabric 1.17 looks the listener up all the same when that one speaks, also where it is closed and its
 * memory is another's. And whose request is in the event queue waits for an answer. So first nobody more is
 * let in; then whose request is there is turned away; then the connections of all others are ended, which
 * libfabric notices and forgets them; and with nobody left the listener is closed. */
#include <limits.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <stdlib.h>

#include "runtime/base/log.h"
#include "streams/stream_event.h"
#include "streams/stream_guests.h"

#define EVENTS_MOST 65536 /* however fast others knock at other listeners */
#define LOOKS 16          /* of libfabric, without getting on: what is left is a stream that broke */

/* Without words, as where nobody listens: this is such a place by now. */
static void turn_away(const tutti_stream_listener *listener, const tti_stream_event *event)
{
    const tti_fabric_library *library = listener->context->library;
    const int result = fi_reject(listener->endpoint, event->info->handle, NULL, 0);
    if (result != 0) tti_log(TTI_LOG_WARN, "fi_reject failed: %s", library->strerror(-result));
    library->freeinfo(event->info);
}

static bool knocks_at(const tutti_stream_listener *listener, const tti_stream_event *event)
{
    return event->error == 0 && event->kind == FI_CONNREQ && event->fid == &listener->endpoint->fid;
}

/* libfabric looks, at least once, and its queue is read to its end. What concerns others is kept. */
static void turn_all_away(tutti_stream_listener *listener)
{
    tutti_stream_context *context = listener->context;
    tti_stream_event event;
    for (int i = 0; i < EVENTS_MOST && tti_stream_read_event(context, &event) > 0; i++) {
        if (knocks_at(listener, &event))
            turn_away(listener, &event);
        else
            tti_stream_keep_event(context, &event);
    }
}

static void stop_listening(tutti_stream_listener *listener)
{
    tti_stream_event event;
    tti_stream_shut_listener(listener);
    while (tti_stream_take_kept_event(listener->context, &listener->endpoint->fid, &event))
        turn_away(listener, &event);
    turn_all_away(listener);
    for (int left, fewest = INT_MAX, looks = 0; looks < LOOKS; looks++) {
        left = tti_stream_shut_guests(listener);
        if (left == 0) return;
        if (left < fewest) looks = 0;
        if (left < fewest) fewest = left;
        turn_all_away(listener);
    }
}

void tti_stream_end_listener(tutti_stream_listener *listener)
{
    if (listener->listens) stop_listening(listener);
    if (listener->endpoint != NULL) fi_close(&listener->endpoint->fid);
    tti_list_remove(&listener->link);
    free(listener);
}
