/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may be inside a context. Every public call on one begins with tti_stream_enter() (on a stream:
 * tti_stream_begin()) and ends with tti_stream_leave(). A context for one thread has no lock; a debug build
 * tells of calls by another thread than its loop's. One for many (`thread_safe`) has one lock, held by
 * whoever is inside, but not while a callback runs: that may take locks of the program's, which another
 * thread may hold while it calls. So what another thread does meanwhile is what a callback may do itself, and
 * whoever calls one expects. */
#ifndef TTI_STREAMS_STREAM_THREADS_H
#define TTI_STREAMS_STREAM_THREADS_H

#include <pthread.h>

#include "runtime/base/status.h"
#include "streams/stream_state.h"

int tti_stream_threads_open(tutti_stream_context *context);
void tti_stream_threads_close(tutti_stream_context *context);
/* Whose loop it is: the caller's. */
void tti_stream_bind(tutti_stream_context *context);
/* TUTTI_ERR_STATE: the caller is not the loop's thread. */
int tti_stream_check_thread(const tutti_stream_context *context, const char *call);
/* A deadline has come up, or a listener is gone, of which a loop that sleeps in another thread knows nothing.
 */
void tti_stream_wake(tutti_stream_context *context);

/* 0: the caller is inside. */
static inline int tti_stream_enter(const tutti_stream_context *context, const char *call)
{
    if (context->lock != NULL) {
        pthread_mutex_lock(context->lock);
        return 0;
    }
#ifdef NDEBUG
    (void)call;
    return 0;
#else
    return tti_stream_check_thread(context, call);
#endif
}

/* How a call on a stream begins. 0: there is one, and the caller is inside its context. */
static inline int tti_stream_begin(const tutti_stream *stream, const char *call)
{
    if (stream == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: there is no stream", call);
    return tti_stream_enter(stream->context, call);
}

/* `code`, so that a call ends in one line. */
static inline int tti_stream_leave(const tutti_stream_context *context, int code)
{
    if (context->lock != NULL) pthread_mutex_unlock(context->lock);
    return code;
}

/* Around a callback. */
static inline void tti_stream_step_out(const tutti_stream_context *context)
{
    if (context->lock != NULL) pthread_mutex_unlock(context->lock);
}

static inline void tti_stream_step_in(const tutti_stream_context *context)
{
    if (context->lock != NULL) pthread_mutex_lock(context->lock);
}

#endif
