/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_kick.h"

void tti_stream_kick(tutti_stream_context *context)
{
    tti_stream_raise(context);
    context->kicked = true;
}

void tti_stream_unkick(tutti_stream_context *context)
{
    eventfd_t count;
    if (context->raised) eventfd_read(context->kick, &count);
    context->raised = context->kicked = false;
}
