/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/viewer.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <tutti/tutti.h>

#include "examples/common/mishap.h"

#define RETRY_SECONDS 0.5
#define MOST_SECONDS 1.0 /* to let a viewer in, to let it take the last frame, and to let it take leave */

static void on_open(tutti_stream *stream, void *user)
{
    struct viewer *v = user;
    (void)stream;
    v->open = true;
    v->full = false;
    v->told = 0;
}

static void on_ready(tutti_stream *stream, void *user)
{
    (void)stream;
    ((struct viewer *)user)->full = false;
}

static void on_sent(tutti_stream *stream, uint64_t key, void *user)
{
    (void)stream;
    ((struct viewer *)user)->under_way[key] = false;
}

/* That a viewer is not there, or goes, is nothing to tell. What the user may want to mend is told once. */
static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    struct viewer *v = user;
    const bool usual = code == 0 || code == TUTTI_ERR_REFUSED || code == TUTTI_ERR_TIMEOUT ||
                       code == TUTTI_ERR_PEER_FAILED || code == TUTTI_ERR_CANCELLED;
    (void)stream;
    v->open = false;
    v->stream = NULL;
    if (!usual && code != v->told)
        complain("viewer at %s: %s: %s; trying again, frames are dropped meanwhile", v->address,
                 tutti_strerror(code), why);
    if (!usual) v->told = code;
}

static int knock(struct viewer *v)
{
    const tutti_stream_callbacks callbacks = {
        .on_open = on_open, .on_ready = on_ready, .on_sent = on_sent, .on_closed = on_closed, .user = v};
    v->next_try = tutti_wtime() + RETRY_SECONDS;
    return tutti_stream_connect(v->context, v->address, &callbacks, &v->stream);
}

static bool gone_wrong(struct viewer *v)
{
    complain("viewer at %s: %s", v->address, tutti_error_detail());
    tutti_stream_context_destroy(&v->context);
    return false;
}

static void process(struct viewer *v)
{
    /* The network as a whole: the simulation goes on without a viewer. */
    if (tutti_stream_process(v->context, 0) < 0) gone_wrong(v);
}

/* Looks until that is so, or there is no viewer, or the time is over. */
static void wait_until(struct viewer *v, bool (*so)(const struct viewer *))
{
    const double end = tutti_wtime() + MOST_SECONDS;
    while (v->stream != NULL && !so(v) && tutti_wtime() < end) {
        struct pollfd fd = {.fd = tutti_stream_fd(v->context), .events = POLLIN};
        const int most = (int)((end - tutti_wtime()) * 1000) + 1, wish = tutti_stream_timeout(v->context);
        poll(&fd, 1, wish >= 0 && wish < most ? wish : most);
        process(v);
    }
}

static bool is_open(const struct viewer *v)
{
    return v->open;
}

static bool has_room(const struct viewer *v)
{
    return !v->open || (!v->full && !(v->under_way[0] && v->under_way[1]));
}

static bool has_left(const struct viewer *v)
{
    return v->stream == NULL;
}

bool viewer_open(struct viewer *v, const struct parameters *p, char *frames[VIEWER_FRAMES], size_t bytes)
{
    *v = (struct viewer){.bytes = bytes, .address = p->live};
    const tutti_stream_options options = {
        .buffer_bytes = bytes,
        .send_buffers = 1,
        .credits = 1,
        .max_streams = 1,
        .zero_copy_sends = VIEWER_FRAMES,
        .secret_file = p->live_secret[0] != '\0' ? p->live_secret : NULL,
    };
    if (tutti_stream_context_create(&v->context, &options) != 0) return gone_wrong(v);
    for (int i = 0; i < VIEWER_FRAMES; i++) {
        v->frames[i] = frames[i];
        if (tutti_stream_register(v->context, frames[i], bytes) != 0) return gone_wrong(v);
    }
    if (knock(v) != 0) return gone_wrong(v);
    wait_until(v, is_open);
    return true;
}

void viewer_look(struct viewer *v)
{
    if (v->context == NULL) return;
    if (v->stream == NULL && tutti_wtime() >= v->next_try && knock(v) != 0)
        gone_wrong(v);
    else
        process(v);
}

int viewer_choose(struct viewer *v, bool last)
{
    if (last && v->open) wait_until(v, has_room);
    for (int i = 0; i < VIEWER_FRAMES && v->open && !v->full; i++) {
        if (!v->under_way[i]) return i;
    }
    if (v->open)
        v->dropped++;
    else
        v->without++;
    return -1;
}

void viewer_send(struct viewer *v, int frame)
{
    const struct iovec piece = {v->frames[frame], v->bytes};
    const int code = tutti_stream_send(v->stream, NULL, 0, &piece, 1, (uint64_t)frame);
    v->under_way[frame] = code == 0;
    v->full = code == TUTTI_ERR_AGAIN;
    if (code == 0)
        v->sent++;
    else
        v->dropped++;
    if (code != 0 && code != TUTTI_ERR_AGAIN && code != v->told)
        complain("viewer at %s: %s", v->address, tutti_error_detail());
    if (code != 0 && code != TUTTI_ERR_AGAIN) v->told = code;
    viewer_look(v);
}

void viewer_close(struct viewer *v)
{
    if (v->stream != NULL) {
        tutti_stream_close(v->stream);
        wait_until(v, has_left);
    }
    tutti_stream_context_destroy(&v->context);
    printf("viewer   %ld frames sent, %ld dropped for want of room, %ld with nobody there\n", v->sent,
           v->dropped, v->without);
}
