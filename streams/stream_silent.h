/* SPDX-License-Identifier: BSD-3-Clause */
/* What a provider lets in by itself: connections that say nothing. Each takes a descriptor of the process and
 * no word of it comes to this library, so it looks for them among the process's descriptors, and ends those
 * that are too many or have been silent for too long. Of a provider that has no sockets none is found.
 *
 * Where descriptors have run out a provider cannot take the next connection, which goes on knocking: the
 * queue's descriptor stays readable and a program's loop would spin. Then nobody waits on that descriptor for
 * a while. */
#ifndef TTI_STREAMS_STREAM_SILENT_H
#define TTI_STREAMS_STREAM_SILENT_H

#include <stdint.h>

#include "tutti/stream.h"

typedef struct tti_stream_silent tti_stream_silent;

/* To be called for each new listener. Without memory or descriptors for it nobody is looked for. */
void tti_stream_silent_listen(tutti_stream_context *context, tutti_stream_listener *listener);
/* Of who has come to a listener: programs that this one starts do not get the connection, which else would
 * outlive it with them. Where many come at a time it is looked for, with a system call for each descriptor.
 */
void tti_stream_close_at_exec(tutti_stream_context *context, const char *peer);
void tti_stream_silent_close(tti_stream_silent *silent);
/* Looks, if it is time to. Calls on_refused. */
void tti_stream_sweep(tutti_stream_context *context);
/* When it will be time to look (ns); INT64_MAX: when something happens. */
int64_t tti_stream_next_sweep(const tutti_stream_context *context);

#endif
