/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/streams/ends.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include "runtime/base/clock.h"
#include "runtime/fabric/fabric_library.h"
#include "tests/patience.h"

static tti_fabric_library real;
static bool uncoalesced, polling;

static int getinfo_unshared(uint32_t version, const char *node, const char *service, uint64_t flags,
                            const struct fi_info *hints, struct fi_info **info)
{
    if (hints->ep_attr->rx_ctx_cnt == FI_SHARED_CONTEXT) return -FI_ENODATA;
    return real.getinfo(version, node, service, flags, hints, info);
}

static int getinfo_registered(uint32_t version, const char *node, const char *service, uint64_t flags,
                              const struct fi_info *hints, struct fi_info **info)
{
    const int result = real.getinfo(version, node, service, flags, hints, info);
    for (struct fi_info *one = result == 0 ? *info : NULL; one != NULL; one = one->next)
        one->domain_attr->mr_mode |= FI_MR_LOCAL;
    return result;
}

void ends_setup(int argc, char **argv)
{
    const char *variant = argc == 2 ? argv[1] : "";
    uncoalesced = strcmp(variant, "uncoalesced") == 0;
    polling = strcmp(variant, "polling") == 0;
    const bool unshared = strcmp(variant, "unshared") == 0;
    if (!unshared && strcmp(variant, "registered") != 0) return;
    const tti_fabric_library *library;
    EXPECT(tti_fabric_library_load(&library) == 0);
    real = *library;
    ((tti_fabric_library *)library)->getinfo = unshared ? getinfo_unshared : getinfo_registered;
}

/* Message n: its number, then bytes that follow from it; every 50th has no room for a number and is empty. */
static size_t length_of(uint64_t n, size_t room)
{
    if (n % 50 == 49) return 0;
    if (n % 50 == 48) return room;
    return 8 + (n * 7919) % (room - 7);
}

static void fill(uint8_t *to, uint64_t n, size_t bytes)
{
    if (bytes >= 8) memcpy(to, &n, 8);
    for (size_t i = 8; i < bytes; i++)
        to[i] = (uint8_t)(n * 31 + i);
}

static void opened(tutti_stream *stream, void *user)
{
    end *mine = user;
    mine->stream = stream;
    mine->opened = true;
    mine->streams++;
}

static void check_message(const end *mine, const uint8_t *data, size_t bytes)
{
    static uint8_t expected[65536];
    EXPECT(bytes <= sizeof expected);
    EXPECT(bytes == 0 ? mine->messages % 50 == 49 : bytes >= 8);
    fill(expected, mine->messages, bytes);
    EXPECT(memcmp(data, expected, bytes) == 0);
}

static void message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    end *mine = user;
    if (!mine->unchecked) check_message(mine, data, bytes);
    EXPECT((uintptr_t)data % 16 == 0);
    mine->messages++;
    if (mine->keep != NULL && mine->keep(data)) EXPECT(tutti_stream_hold(stream, data) == 0);
}

static void ready(tutti_stream *stream, void *user)
{
    (void)stream;
    ((end *)user)->ready = true;
}

static void closed(tutti_stream *stream, int code, const char *why, void *user)
{
    end *mine = user;
    (void)stream;
    mine->streams--;
    mine->stream = NULL;
    mine->closed = true;
    mine->code = code;
    snprintf(mine->why, sizeof mine->why, "%s", why);
}

static void refused(int code, const char *why, void *user)
{
    end *mine = user;
    mine->refused = true;
    mine->code = code;
    snprintf(mine->why, sizeof mine->why, "%s", why);
}

tutti_stream_callbacks ends_callbacks(end *mine)
{
    return (tutti_stream_callbacks){.on_open = opened,
                                    .on_message = message,
                                    .on_ready = ready,
                                    .on_closed = closed,
                                    .user = mine,
                                    .on_refused = refused};
}

bool ends_send(end *mine)
{
    void *data;
    size_t room;
    const int code = tutti_stream_get_buffer(mine->stream, &data, &room);
    if (code == TUTTI_ERR_AGAIN) return false;
    EXPECT(code == 0);
    const size_t bytes = length_of(mine->sent, mine->most > 0 ? mine->most : room);
    fill(data, mine->sent, bytes);
    EXPECT(tutti_stream_send_buffer(mine->stream, data, bytes) == 0);
    mine->sent++;
    return true;
}

void ends_send_all(tutti_stream_context *context, end *mine, uint64_t count)
{
    while (mine->sent < count) {
        mine->ready = false;
        if (!ends_send(mine)) ends_until(context, &mine->ready, "room to send");
    }
}

/* One wait on the descriptor, as an event loop does. */
static void turn(tutti_stream_context *context, int64_t end_ns, const char *what)
{
    struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
    const int64_t left_ms = (end_ns - tti_clock_ns()) / 1000000;
    if (left_ms <= 0) {
        fprintf(stderr, "no progress: waiting for %s\n", what);
        exit(1);
    }
    const int timeout = tutti_stream_timeout(context);
    poll(&descriptor, 1, timeout >= 0 && timeout < left_ms ? timeout : (int)left_ms);
    EXPECT(tutti_stream_process(context, 0) >= 0);
}

void ends_until(tutti_stream_context *context, const bool *done, const char *what)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (!*done)
        turn(context, end_ns, what);
}

void ends_until_both(tutti_stream_context *context, tutti_stream_context *other, const bool *done)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (!*done) {
        EXPECT(tutti_stream_process(context, 0) >= 0 && tutti_stream_process(other, 0) >= 0);
        EXPECT(tti_clock_ns() < end_ns); /* else no progress */
    }
}

void ends_until_messages(tutti_stream_context *context, const end *mine, uint64_t count)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (mine->messages < count)
        turn(context, end_ns, "messages");
}

void ends_close(tutti_stream_context *context, end *mine)
{
    EXPECT(tutti_stream_close(mine->stream) == 0);
    ends_until(context, &mine->closed, "the close");
}

tutti_stream_context *ends_context(const tutti_stream_options *options)
{
    tutti_stream_context *context;
    tutti_stream_options wishes = {0};
    if (options != NULL) wishes = *options;
    if (uncoalesced && wishes.coalesce_ms == 0) wishes.coalesce_ms = -1;
    wishes.polling = polling;
    EXPECT(tutti_stream_context_create(&context, &wishes) == 0);
    return context;
}

tutti_stream_listener *ends_listen(tutti_stream_context *context, end *mine, char address[80])
{
    tutti_stream_listener *listener;
    const tutti_stream_callbacks callbacks = ends_callbacks(mine);
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, 80) == 0);
    return listener;
}

void ends_connect(tutti_stream_context *context, end *mine, const char *address)
{
    const tutti_stream_callbacks callbacks = ends_callbacks(mine);
    tutti_stream *stream;
    mine->opened = mine->closed = false;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    ends_until(context, &mine->opened, "the connection");
    EXPECT(mine->stream == stream && !mine->closed);
}

pid_t ends_start(void (*body)(const char *address), const char *address)
{
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    body(address);
    exit(0);
}

void ends_join(pid_t child)
{
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
