/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of the event queue, one at a time. Some are read where nothing may be done about them, since no
 * callback may run there, and who knocks may have to wait until a place is free: those words are kept, and
 * come first when they can be heard. */
#ifndef TTI_STREAMS_STREAM_EVENT_H
#define TTI_STREAMS_STREAM_EVENT_H

#include <rdma/fi_eq.h>

#include "streams/stream_state.h"

/* Connection data that is looked at: a hello, and what providers pad it with. */
#define TTI_STREAM_EVENT_DATA 256

typedef struct {
    tti_link link; /* while it is kept: in context->kept_events */
    const struct fid *fid;
    struct fi_info *info; /* of FI_CONNREQ: who took the event frees it */
    uint32_t kind;        /* FI_CONNREQ and its like, where there is no error */
    int error;            /* libfabric's, positive; 0: none */
    size_t bytes;
    uint8_t data[TTI_STREAM_EVENT_DATA];
} tti_stream_event;

/* 1, 0 if libfabric has none, or an error. */
int tti_stream_read_event(tutti_stream_context *context, tti_stream_event *event);
/* It is of somebody who knocks while all places are taken, some by streams that are about to be freed: his
 * turn comes when they are. */
bool tti_stream_event_waits(const tutti_stream_context *context, const tti_stream_event *event);
/* As tti_stream_read_event(); those that were kept come first, but for those that wait. */
int tti_stream_next_event(tutti_stream_context *context, tti_stream_event *event);
void tti_stream_keep_event(tutti_stream_context *context, const tti_stream_event *event);
/* The first one of those kept that is about `fid`: true, and it is kept no more. */
bool tti_stream_take_kept_event(tutti_stream_context *context, const struct fid *fid,
                                tti_stream_event *event);
/* Of endpoints, which are all closed. */
void tti_stream_forget_kept_events(tutti_stream_context *context);

#endif
