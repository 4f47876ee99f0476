/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_threads.h"

#include <stdlib.h>

#include "runtime/base/status.h"
#include "streams/stream_kick.h"

int tti_stream_threads_open(tutti_stream_context *context)
{
    if (context->options.thread_safe == 0) return 0;
    context->lock = malloc(sizeof *context->lock);
    if (context->lock == NULL || pthread_mutex_init(context->lock, NULL) != 0) {
        free(context->lock);
        context->lock = NULL;
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the lock of a stream context");
    }
    return 0;
}

void tti_stream_threads_close(tutti_stream_context *context)
{
    if (context->lock == NULL) return;
    pthread_mutex_destroy(context->lock);
    free(context->lock);
}

void tti_stream_bind(tutti_stream_context *context)
{
    context->loop = pthread_self();
    context->bound = true;
}

int tti_stream_check_thread(const tutti_stream_context *context, const char *call)
{
    if (!context->bound || pthread_equal(context->loop, pthread_self())) return 0;
    return tti_fail(TUTTI_ERR_STATE,
                    "%s: called from another thread than the one that processes the context, which was made "
                    "for one: call it from there, or set the option thread_safe",
                    call);
}

void tti_stream_wake(tutti_stream_context *context)
{
    if (context->lock == NULL || context->inside) return; /* who is in process() looks afterwards */
    if (context->bound && pthread_equal(context->loop, pthread_self())) return;
    tti_stream_kick(context);
}
