/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_event.h"

#include <errno.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/log.h"
#include "streams/stream_kick.h"

static int read_error(tutti_stream_context *context, tti_stream_event *event)
{
    struct fi_eq_err_entry entry = {.err_data = event->data, .err_data_size = sizeof event->data};
    const ssize_t result = fi_eq_readerr(context->events, &entry, 0);
    if (result < 0) return 0;
    const bool untouched = entry.err_data == event->data && entry.err_data_size == sizeof event->data;
    event->fid = entry.fid;
    event->error = entry.err < 0 ? -entry.err : entry.err;
    if (event->error == 0) event->error = FI_EIO;
    event->bytes = untouched ? 0 : entry.err_data_size;
    if (event->bytes > sizeof event->data) event->bytes = sizeof event->data;
    if (event->bytes > 0 && entry.err_data != event->data) memcpy(event->data, entry.err_data, event->bytes);
    return 1;
}

int tti_stream_read_event(tutti_stream_context *context, tti_stream_event *event)
{
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[sizeof(struct fi_eq_cm_entry) + TTI_STREAM_EVENT_DATA];
    } words;
    *event = (tti_stream_event){.fid = NULL};
    /* libfabric 1.17 looks at it where a connection ended early, and on EAGAIN waits on for ever. */
    errno = 0;
    const ssize_t bytes = fi_eq_read(context->events, &event->kind, &words, sizeof words, 0);
    if (bytes == -FI_EAVAIL) return read_error(context, event);
    if (bytes == -FI_EAGAIN) return 0;
    if (bytes < 0) return tti_stream_refuse(context, (int)bytes, "fi_eq_read", "streams");
    if ((size_t)bytes < sizeof words.entry) return 1; /* of nothing that is known here */
    event->fid = words.entry.fid;
    event->info = event->kind == FI_CONNREQ ? words.entry.info : NULL;
    event->bytes = (size_t)bytes - sizeof words.entry;
    memcpy(event->data, words.entry.data, event->bytes);
    return 1;
}

static void take(tti_stream_event *kept, tti_stream_event *event)
{
    tti_list_remove(&kept->link);
    *event = *kept;
    free(kept);
}

bool tti_stream_event_waits(const tutti_stream_context *context, const tti_stream_event *event)
{
    return event->error == 0 && event->kind == FI_CONNREQ && context->live == context->options.max_streams &&
           (context->gone_due || !tti_list_empty(&context->ended));
}

int tti_stream_next_event(tutti_stream_context *context, tti_stream_event *event)
{
    for (tti_link *at = context->kept_events.next; at != &context->kept_events; at = at->next) {
        tti_stream_event *one = TTI_OWNER(at, tti_stream_event, link);
        if (tti_stream_event_waits(context, one)) continue;
        take(one, event);
        return 1;
    }
    return tti_stream_read_event(context, event);
}

void tti_stream_keep_event(tutti_stream_context *context, const tti_stream_event *event)
{
    tti_stream_event *kept = malloc(sizeof *kept);
    if (kept == NULL) { /* of an end the stream hears when it sends next */
        tti_log(TTI_LOG_WARN, "no memory for a word about a connection: it is lost");
        context->library->freeinfo(event->info);
        return;
    }
    *kept = *event;
    tti_list_append(&context->kept_events, &kept->link);
    tti_stream_kick(context);
}

bool tti_stream_take_kept_event(tutti_stream_context *context, const struct fid *fid, tti_stream_event *event)
{
    for (tti_link *at = context->kept_events.next; at != &context->kept_events; at = at->next) {
        tti_stream_event *one = TTI_OWNER(at, tti_stream_event, link);
        if (one->fid != fid) continue;
        take(one, event);
        return true;
    }
    return false;
}

void tti_stream_forget_kept_events(tutti_stream_context *context)
{
    while (!tti_list_empty(&context->kept_events)) {
        tti_stream_event event;
        take(TTI_OWNER(context->kept_events.next, tti_stream_event, link), &event);
        context->library->freeinfo(event.info);
    }
}
