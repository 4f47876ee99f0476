/* SPDX-License-Identifier: BSD-3-Clause */
/* Provider, fabric, domain and queues: those of the first address that a context listens at or connects to.
 */
#include <errno.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "runtime/base/descriptor_room.h"
#include "runtime/base/status.h"
#include "runtime/fabric/signal_keeper.h"
#include "streams/stream_state.h"

static struct fi_info *make_hints(const tutti_stream_context *context, bool shared)
{
    struct fi_info *hints = context->library->dupinfo(NULL);
    if (hints == NULL) return NULL;
    const char *provider =
        context->info != NULL ? context->info->fabric_attr->prov_name : context->options.provider;
    hints->caps = FI_MSG;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_MSG;
    hints->ep_attr->rx_ctx_cnt = shared ? FI_SHARED_CONTEXT : 0;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    if (provider == NULL) return hints;
    hints->fabric_attr->prov_name = strdup(provider);
    if (hints->fabric_attr->prov_name != NULL) return hints;
    context->library->freeinfo(hints); /* without it libfabric would take any provider */
    return NULL;
}

static int ask(tutti_stream_context *context, const char *host, const char *port, uint64_t flags, bool shared,
               struct fi_info **info)
{
    struct fi_info *hints = make_hints(context, shared);
    if (hints == NULL) return -FI_ENOMEM;
    const int result = context->library->getinfo(TTI_FABRIC_API, host, port, flags, hints, info);
    context->library->freeinfo(hints);
    return result;
}

/* Without shared queues where a provider has none. */
static int ask_twice(tutti_stream_context *context, const char *host, const char *port, uint64_t flags,
                     struct fi_info **info)
{
    int result = -FI_ENODATA;
    if (context->info == NULL || context->shared != NULL)
        result = ask(context, host, port, flags, true, info);
    if (result != 0 && context->shared == NULL) result = ask(context, host, port, flags, false, info);
    return result;
}

/* Loading and the first question take over the program's signals, which wait until that is over. So the first
 * one is about no host: who wants to stop the program while a name is looked up need not wait for that. */
static int load(tutti_stream_context *context)
{
    tti_fabric_handlers handlers;
    struct fi_info *info;
    tti_fabric_save_handlers(&handlers);
    const int code = tti_fabric_library_load(&context->library);
    if (code == 0 && ask(context, NULL, NULL, 0, false, &info) == 0) context->library->freeinfo(info);
    tti_fabric_restore_handlers(&handlers);
    return code;
}

int tti_stream_lookup(tutti_stream_context *context, const char *address, uint64_t flags,
                      struct fi_info **info)
{
    char host[TTI_STREAM_TEXT * 4], port[8];
    if (!tti_stream_split_address(address, host, port))
        return tti_fail(TUTTI_ERR_ARG,
                        "address \"%.100s\": write host:port, [IPv6]:port, or a port of 0 to 65535 alone",
                        address);
    const int code = context->library == NULL ? load(context) : 0;
    if (code < 0) return code;
    const int result = ask_twice(context, host, port, flags, info);
    if (result == 0) return 0;
    const char *provider = context->options.provider;
    return tti_fail(TUTTI_ERR_FABRIC,
                    "libfabric has no connected endpoint%s%.40s for %.100s (%s): is the host's name known%s?",
                    provider != NULL ? " of provider " : "", provider != NULL ? provider : "", address,
                    context->library->strerror(-result),
                    (flags & FI_SOURCE) != 0 ? " and the address this host's" : "");
}

int tti_stream_refuse(const tutti_stream_context *context, int result, const char *call, const char *where)
{
    return tti_fail(tti_descriptors_short(-result) ? TUTTI_ERR_LIMIT : TUTTI_ERR_FABRIC,
                    "%s over %s: %s failed: %s%s", where, context->info->fabric_attr->prov_name, call,
                    context->library->strerror(-result), tti_descriptors_remedy(-result));
}

/* One descriptor for the user, behind which are both queues'. */
static int watch(tutti_stream_context *context, struct fid *queue, const char *call)
{
    int descriptor;
    const int result = fi_control(queue, FI_GETWAIT, &descriptor);
    if (result != 0)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "provider %s has no descriptor to wait on (%s: %s)",
                        context->info->fabric_attr->prov_name, call, context->library->strerror(-result));
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(context->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "watching the descriptor of %s", call);
    return 0;
}

int tti_stream_watch(tutti_stream_context *context)
{
    if (context->watching || context->info == NULL || context->options.polling != 0) return 0;
    const int code = watch(context, &context->completions->fid, "the completion queue");
    context->watching = code == 0;
    return code;
}

void tti_stream_unwatch(tutti_stream_context *context)
{
    int descriptor;
    if (!context->watching || fi_control(&context->completions->fid, FI_GETWAIT, &descriptor) != 0) return;
    context->watching = epoll_ctl(context->epoll, EPOLL_CTL_DEL, descriptor, NULL) != 0;
}

static int open_queues(tutti_stream_context *context)
{
    struct fi_eq_attr event_attr = {.wait_obj = FI_WAIT_FD};
    int result = fi_eq_open(context->fabric, &event_attr, &context->events, NULL);
    if (result != 0) return tti_stream_refuse(context, result, "fi_eq_open", "streams");
    struct fi_cq_attr attr = {.format = FI_CQ_FORMAT_MSG,
                              .wait_obj = context->options.polling != 0 ? FI_WAIT_NONE : FI_WAIT_FD};
    attr.size = (size_t)(context->receive.count + context->send.count + context->control.count +
                         context->headers.count);
    const size_t most = (size_t)1 << 20;
    context->queue_room = attr.size; /* beyond its size providers let it grow */
    if (attr.size > most) attr.size = most;
    result = fi_cq_open(context->domain, &attr, &context->completions, NULL);
    if (result != 0) return tti_stream_refuse(context, result, "fi_cq_open", "streams");
    const int code = watch(context, &context->events->fid, "the event queue");
    return code < 0 ? code : tti_stream_watch(context);
}

static int open_shared(tutti_stream_context *context)
{
    if (context->info->ep_attr->rx_ctx_cnt != FI_SHARED_CONTEXT) return 0;
    int result = fi_srx_context(context->domain, context->info->rx_attr, &context->shared, NULL);
    if (result != 0) return tti_stream_refuse(context, result, "fi_srx_context", "streams");
    /* Providers differ in whether it needs the queue itself; its connections have it in any case. */
    result = fi_ep_bind(context->shared, &context->completions->fid, FI_RECV);
    if (result != 0 && result != -FI_ENOSYS)
        return tti_stream_refuse(context, result, "fi_ep_bind", "streams");
    return 0;
}

static int open_all(tutti_stream_context *context)
{
    int result = context->library->fabric(context->info->fabric_attr, &context->fabric, NULL);
    if (result != 0) return tti_stream_refuse(context, result, "fi_fabric", "streams");
    result = fi_domain(context->fabric, context->info, &context->domain, NULL);
    if (result != 0) return tti_stream_refuse(context, result, "fi_domain", "streams");
    int code = open_queues(context);
    if (code == 0) code = open_shared(context);
    if (code == 0) code = tti_stream_pool_activate(context, &context->send, context->send.count);
    if (code == 0) code = tti_stream_pool_activate(context, &context->control, context->control.count);
    if (code == 0) code = tti_stream_pool_activate(context, &context->headers, context->headers.count);
    if (code == 0) code = tti_stream_regions_open(context);
    return code;
}

int tti_stream_network_open(tutti_stream_context *context, const struct fi_info *info)
{
    if (context->info != NULL) return 0;
    context->info = context->library->dupinfo(info);
    if (context->info == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to open a network");
    const int code = open_all(context);
    if (code < 0) tti_stream_network_close(context);
    return code;
}

/* Of a pool that is closed down no slot is in use, and all can be put into use again. */
static void forget_slots(tti_stream_pool *pool)
{
    tti_stream_pool_unregister(pool);
    tti_list_init(&pool->free);
    pool->active = 0;
    for (int i = 0; i < pool->count; i++)
        tti_list_init(&pool->slots[i].link);
}

void tti_stream_network_close(tutti_stream_context *context)
{
    forget_slots(&context->send);
    forget_slots(&context->control);
    forget_slots(&context->headers);
    tti_stream_regions_close(context);
    struct fid *const order[] = {
        context->shared != NULL ? &context->shared->fid : NULL,
        context->completions != NULL ? &context->completions->fid : NULL,
        context->events != NULL ? &context->events->fid : NULL,
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (order[i] != NULL) fi_close(order[i]);
    forget_slots(&context->receive);
    if (context->domain != NULL) fi_close(&context->domain->fid);
    if (context->fabric != NULL) fi_close(&context->fabric->fid);
    if (context->info != NULL) context->library->freeinfo(context->info);
    context->shared = NULL;
    context->posted = 0;
    context->watching = false;
    context->completions = NULL;
    context->events = NULL;
    context->domain = NULL;
    context->fabric = NULL;
    context->info = NULL;
}
