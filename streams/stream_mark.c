/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the completion queue has been read. Where it never comes to its end, as many completions as it may
 * hold lie behind all that there were: context->seen counts those that were read. */
#include "streams/stream_state.h"

uint64_t tti_stream_mark(const tutti_stream_context *context)
{
    return context->seen + context->queue_room;
}

bool tti_stream_is_past(const tutti_stream_context *context, uint64_t mark)
{
    const tti_link *first = context->arrived.next;
    if (first == &context->arrived) return context->seen >= mark;
    return TTI_OWNER(first, tti_stream_slot, link)->seen > mark;
}
