/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/streams/stranger.h"

#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"

void stranger_find(stranger *one, const char *port, uint64_t flags)
{
    EXPECT(tti_fabric_library_load(&one->library) == 0);
    struct fi_info *hints = one->library->dupinfo(NULL);
    hints->ep_attr->type = FI_EP_MSG;
    hints->caps = FI_MSG;
    EXPECT(one->library->getinfo(TTI_FABRIC_API, "127.0.0.1", port, flags, hints, &one->info) == 0);
    one->library->freeinfo(hints);
    struct fi_eq_attr events = {.wait_obj = FI_WAIT_UNSPEC};
    struct fi_cq_attr completions = {.format = FI_CQ_FORMAT_CONTEXT};
    EXPECT(one->library->fabric(one->info->fabric_attr, &one->fabric, NULL) == 0);
    EXPECT(fi_eq_open(one->fabric, &events, &one->events, NULL) == 0);
    EXPECT(fi_domain(one->fabric, one->info, &one->domain, NULL) == 0);
    EXPECT(fi_cq_open(one->domain, &completions, &one->completions, NULL) == 0);
}

void stranger_make_endpoint(stranger *one, struct fi_info *info)
{
    EXPECT(fi_endpoint(one->domain, info, &one->endpoint, NULL) == 0);
    EXPECT(fi_ep_bind(one->endpoint, &one->events->fid, 0) == 0);
    EXPECT(fi_ep_bind(one->endpoint, &one->completions->fid, FI_TRANSMIT | FI_RECV) == 0);
    EXPECT(fi_enable(one->endpoint) == 0);
}

void stranger_leave(stranger *one)
{
    if (one->endpoint != NULL) fi_close(&one->endpoint->fid);
    if (one->listener != NULL) fi_close(&one->listener->fid);
    fi_close(&one->completions->fid);
    fi_close(&one->events->fid);
    fi_close(&one->domain->fid);
    fi_close(&one->fabric->fid);
    one->library->freeinfo(one->info);
}

/* The answer, if the event queue has one. */
static bool has_answer(stranger *one, bool *let_in, tti_hello *answer)
{
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[512];
    } event;
    uint8_t data[256] = {0};
    struct fi_eq_err_entry error = {.err_data = data, .err_data_size = sizeof data};
    uint32_t kind;
    const ssize_t bytes = fi_eq_read(one->events, &kind, &event, sizeof event, 0);
    if (bytes == -FI_EAGAIN) return false;
    *let_in = bytes > 0;
    if (*let_in) {
        EXPECT(kind == FI_CONNECTED);
        EXPECT(tti_hello_read(answer, event.entry.data, (size_t)bytes - sizeof event.entry, "the listener") ==
               0);
        return true;
    }
    EXPECT(bytes == -FI_EAVAIL && fi_eq_readerr(one->events, &error, 0) > 0);
    EXPECT(error.err == FI_ECONNREFUSED);
    EXPECT(tti_hello_read(answer, error.err_data, error.err_data_size, "the listener") == 0);
    return true;
}

bool stranger_knock(stranger *one, tutti_stream_context *context, const char *address, const void *words,
                    size_t bytes, tti_hello *answer)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    bool let_in;
    stranger_find(one, strrchr(address, ':') + 1, 0);
    stranger_make_endpoint(one, one->info);
    EXPECT(fi_connect(one->endpoint, one->info->dest_addr, words, bytes) == 0);
    while (!has_answer(one, &let_in, answer)) {
        EXPECT(tutti_stream_process(context, 0) >= 0);
        EXPECT(tti_clock_ns() < end_ns);
    }
    return let_in;
}
