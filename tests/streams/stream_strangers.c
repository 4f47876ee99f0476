/* SPDX-License-Identifier: BSD-3-Clause */
/* Who speaks libfabric and no stream, or another version of one, on either side: told apart and told so. The
 * stranger is plain libfabric. */
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/fabric/fabric_library.h"
#include "streams/frame.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

typedef struct {
    const tti_fabric_library *library;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_eq *events;
    struct fid_cq *completions;
    struct fid_ep *endpoint;
    struct fid_pep *listener;
} stranger;

static void find(stranger *one, const char *port, uint64_t flags)
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

static void make_endpoint(stranger *one, struct fi_info *info)
{
    EXPECT(fi_endpoint(one->domain, info, &one->endpoint, NULL) == 0);
    EXPECT(fi_ep_bind(one->endpoint, &one->events->fid, 0) == 0);
    EXPECT(fi_ep_bind(one->endpoint, &one->completions->fid, FI_TRANSMIT | FI_RECV) == 0);
    EXPECT(fi_enable(one->endpoint) == 0);
}

static void leave(stranger *one)
{
    if (one->endpoint != NULL) fi_close(&one->endpoint->fid);
    if (one->listener != NULL) fi_close(&one->listener->fid);
    fi_close(&one->completions->fid);
    fi_close(&one->events->fid);
    fi_close(&one->domain->fid);
    fi_close(&one->fabric->fid);
    one->library->freeinfo(one->info);
}

/* The refusal that a stream's listener answers to `words`. */
static uint8_t knock(tutti_stream_context *context, const char *address, const void *words, size_t bytes)
{
    stranger one = {0};
    find(&one, strrchr(address, ':') + 1, 0);
    make_endpoint(&one, one.info);
    EXPECT(fi_connect(one.endpoint, one.info->dest_addr, words, bytes) == 0);
    uint8_t data[256] = {0};
    struct fi_eq_err_entry entry = {.err_data = data, .err_data_size = sizeof data};
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    uint32_t event;
    struct fi_eq_cm_entry ignored;
    while (fi_eq_read(one.events, &event, &ignored, sizeof ignored, 0) != -FI_EAVAIL) {
        EXPECT(tutti_stream_process(context, 0) >= 0);
        EXPECT(tti_clock_ns() < end_ns);
    }
    EXPECT(fi_eq_readerr(one.events, &entry, 0) > 0);
    EXPECT(entry.err == FI_ECONNREFUSED && entry.err_data_size >= TTI_HELLO_BYTES);
    tti_hello hello;
    EXPECT(tti_hello_read(&hello, data, entry.err_data_size, "the listener") == 0);
    leave(&one);
    return hello.refusal;
}

static tti_hello of_version(int version)
{
    return (tti_hello){.version = (uint16_t)version, .buffer_bytes = 4096, .credits = 4, .token = 1};
}

static void strangers_knock(void)
{
    tutti_stream_context *context = ends_context(NULL);
    end near = {0};
    char address[80];
    uint8_t words[TTI_HELLO_BYTES];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    const tti_hello other = of_version(TTI_STREAM_VERSION + 1), none = {.version = TTI_STREAM_VERSION};
    EXPECT(knock(context, address, "hello there", 11) == TTI_REFUSAL_NOT_A_STREAM);
    EXPECT(knock(context, address, NULL, 0) == TTI_REFUSAL_NOT_A_STREAM);
    tti_hello_write(&none, words);
    EXPECT(knock(context, address, words, sizeof words) == TTI_REFUSAL_NOT_A_STREAM);
    tti_hello_write(&other, words);
    EXPECT(knock(context, address, words, sizeof words) == TTI_REFUSAL_VERSION);
    EXPECT(!near.opened && !near.closed);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Lets a stream in with these words, or turns it away with them, and tells how that ends for the stream. */
static int knock_at_stranger(const tti_hello *answer, bool accepts)
{
    stranger one = {0};
    find(&one, "0", FI_SOURCE);
    EXPECT(fi_passive_ep(one.fabric, one.info, &one.listener, NULL) == 0);
    EXPECT(fi_pep_bind(one.listener, &one.events->fid, 0) == 0 && fi_listen(one.listener) == 0);
    uint8_t name[128], words[TTI_HELLO_BYTES];
    size_t length = sizeof name;
    EXPECT(fi_getname(&one.listener->fid, name, &length) == 0);
    char port[16];
    snprintf(port, sizeof port, "%d", name[2] << 8 | name[3]); /* of a struct sockaddr_in */
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, port, &callbacks, &stream) == 0);
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[512];
    } event;
    uint32_t kind;
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (fi_eq_read(one.events, &kind, &event, sizeof event, 0) <= 0)
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
    EXPECT(kind == FI_CONNREQ);
    tti_hello_write(answer, words);
    if (accepts) make_endpoint(&one, event.entry.info);
    EXPECT((accepts ? fi_accept(one.endpoint, words, sizeof words)
                    : fi_reject(one.listener, event.entry.info->handle, words, sizeof words)) == 0);
    one.library->freeinfo(event.entry.info);
    while (!mine.closed) {
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
        fi_eq_read(one.events, &kind, &event, sizeof event, FI_PEEK);
    }
    EXPECT(!mine.opened);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    leave(&one);
    return mine.code;
}

int main(void)
{
    strangers_knock();
    const tti_hello other = of_version(TTI_STREAM_VERSION + 1), refusal = of_version(TTI_STREAM_VERSION);
    tti_hello full = {.version = TTI_STREAM_VERSION, .refusal = TTI_REFUSAL_FULL}, bad = refusal;
    bad.credits = 0;
    EXPECT(knock_at_stranger(&other, true) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(&other, false) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(&bad, true) == TUTTI_ERR_FABRIC);
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_LIMIT);
    full.refusal = TTI_REFUSAL_VERSION;
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_VERSION);
    full.refusal = TTI_REFUSAL_NOT_A_STREAM;
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_REFUSED);
    return 0;
}
