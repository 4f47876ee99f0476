/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that the program holds beyond their callback: their buffer stays theirs, and each keeps its
 * credit, until they are released. */
#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_state.h"
#include "streams/stream_threads.h"

/* Over the head of a message that is held stands the message's address. */
static void set_mark(const void *data, uint64_t mark)
{
    memcpy((uint8_t *)(uintptr_t)data - TTI_FRAME_HEAD, &mark, sizeof mark);
}

static bool is_marked(const void *data)
{
    uint64_t mark;
    memcpy(&mark, (const uint8_t *)data - TTI_FRAME_HEAD, sizeof mark);
    return mark == (uintptr_t)data;
}

static int hold(tutti_stream *stream, const void *data)
{
    tti_stream_slot *slot = tti_stream_pool_find(&stream->context->receive, data);
    if (slot == NULL || data != stream->context->handing || slot->creditor != stream || is_marked(data))
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_hold: %p is not the message of a running on_message",
                        data);
    set_mark(data, (uintptr_t)data);
    slot->holds++;
    return 0;
}

int tutti_stream_hold(tutti_stream *stream, const void *data)
{
    const int code = tti_stream_begin(stream, "tutti_stream_hold");
    return code < 0 ? code : tti_stream_leave(stream->context, hold(stream, data));
}

static int release(tutti_stream_context *context, const void *data)
{
    tti_stream_slot *slot = tti_stream_pool_find(&context->receive, data);
    if (slot == NULL || (slot->use != TTI_SLOT_HELD && slot->use != TTI_SLOT_HANDED) || !is_marked(data))
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_release: %p is not held", data);
    set_mark(data, 0);
    slot->holds--;
    if (slot->use == TTI_SLOT_HANDED) return 0; /* the rest of it is handed out first */
    if (slot->holds > 0) {
        slot->taken--;
        tti_stream_give_credits(slot->creditor, 1);
        return 0;
    }
    if (slot->creditor == NULL) context->held_orphan--;
    tti_stream_repost(context, slot);
    return 0;
}

int tutti_stream_release(tutti_stream_context *context, const void *data)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_release: there is no context");
    const int code = tti_stream_enter(context, "tutti_stream_release");
    return code < 0 ? code : tti_stream_leave(context, release(context, data));
}
