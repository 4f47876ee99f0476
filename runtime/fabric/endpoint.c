/* SPDX-License-Identifier: BSD-3-Clause */
/* Fabric, domain, address vector, completion queue, endpoint: opened in the order in which they depend on
 * each other. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/base/descriptor_room.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/provider.h"
#include "runtime/fabric/shared_folder.h"

/* libfabric allocates and touches room for `count` addresses at the first insertion, and as much again
 * whenever that is full: of a million ranks, few are ever talked to. */
#define ADDRESS_CHUNK 256
/* What an endpoint takes at least, over all providers. */
#define ENDPOINT_FILES 4

static int refuse(const tti_fabric *fabric, int result, const char *call)
{
    const int error = -result;
    const char *provider = fabric->info->fabric_attr->prov_name;
    char shared[TTI_FABRIC_SHARED_TEXT] = "";
    if (strstr(provider, "shm") != NULL) tti_fabric_describe_shared(shared);
    /* net gives up its descriptors and says EIO where it found too few. */
    const bool few = tti_descriptors_short(error) || !tti_descriptors_left(ENDPOINT_FILES);
    return tti_fail(few ? TUTTI_ERR_LIMIT : TUTTI_ERR_FABRIC, "provider %s, domain %s: %s failed: %s%s%s",
                    provider, fabric->info->domain_attr->name, call, fabric->library->strerror(error), shared,
                    few ? tti_descriptors_remedy(EMFILE) : tti_fabric_remedy(error));
}

/* Behind a queue whose own descriptor is stuck are two: the one that stays set, and the one of the sockets.
 */
static void get_wait_fd(tti_fabric *fabric, enum fi_wait_obj kind)
{
    struct pollfd behind[4];
    struct fi_wait_pollfd list = {.nfds = 4, .fd = behind};
    void *const into = kind == FI_WAIT_POLLFD ? (void *)&list : (void *)&fabric->wait_fd;
    if (fi_control(&fabric->completions->fid, FI_GETWAIT, into) != 0)
        fabric->wait_fd = -1;
    else if (kind == FI_WAIT_POLLFD)
        fabric->wait_fd = list.nfds == 2 ? behind[1].fd : -1;
}

static int open_completions(tti_fabric *fabric)
{
    const enum fi_wait_obj kind = (fabric->quirks & TTI_FABRIC_WAIT_STUCK) != 0 ? FI_WAIT_POLLFD : FI_WAIT_FD;
    struct fi_cq_attr attr = {.format = FI_CQ_FORMAT_MSG, .wait_obj = kind};
    int result = fi_cq_open(fabric->domain, &attr, &fabric->completions, NULL);
    if (result == 0) {
        get_wait_fd(fabric, kind);
        return 0;
    }
    attr.wait_obj = FI_WAIT_NONE;
    result = fi_cq_open(fabric->domain, &attr, &fabric->completions, NULL);
    return result == 0 ? 0 : refuse(fabric, result, "fi_cq_open");
}

static int open_addresses(tti_fabric *fabric)
{
    const size_t size = (size_t)fabric->job->size;
    struct fi_av_attr attr = {.type = FI_AV_TABLE, .count = size < ADDRESS_CHUNK ? size : ADDRESS_CHUNK};
    const int result = fi_av_open(fabric->domain, &attr, &fabric->addresses, NULL);
    return result == 0 ? 0 : refuse(fabric, result, "fi_av_open");
}

/* Over shared memory that makes a file: at the limit of files' length (ulimit -f) the kernel sends a signal
 * that ends the process, besides the error, which is enough. */
static int enable(struct fid_ep *endpoint)
{
    const struct timespec none = {0};
    sigset_t too_long, before, pending;
    sigemptyset(&too_long);
    sigaddset(&too_long, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &too_long, &before);
    const int result = fi_enable(endpoint);
    if (!sigismember(&pending, SIGXFSZ)) sigtimedwait(&too_long, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

static int open_active(tti_fabric *fabric)
{
    int result = fi_endpoint(fabric->domain, fabric->info, &fabric->endpoint, NULL);
    if (result != 0) return refuse(fabric, result, "fi_endpoint");
    result = fi_ep_bind(fabric->endpoint, &fabric->addresses->fid, 0);
    if (result == 0) result = fi_ep_bind(fabric->endpoint, &fabric->completions->fid, FI_TRANSMIT | FI_RECV);
    if (result != 0) return refuse(fabric, result, "fi_ep_bind");
    result = enable(fabric->endpoint);
    return result == 0 ? 0 : refuse(fabric, result, "fi_enable");
}

int tti_fabric_open_endpoint(tti_fabric *fabric)
{
    int result = fabric->library->fabric(fabric->info->fabric_attr, &fabric->fabric, NULL);
    if (result != 0) return refuse(fabric, result, "fi_fabric");
    result = fi_domain(fabric->fabric, fabric->info, &fabric->domain, NULL);
    if (result != 0) return refuse(fabric, result, "fi_domain");
    int code = open_addresses(fabric);
    if (code == 0) code = open_completions(fabric);
    if (code == 0) code = open_active(fabric);
    return code;
}

void tti_fabric_close_endpoint(tti_fabric *fabric)
{
    struct fid *const order[] = {
        fabric->endpoint != NULL ? &fabric->endpoint->fid : NULL,
        fabric->completions != NULL ? &fabric->completions->fid : NULL,
        fabric->addresses != NULL ? &fabric->addresses->fid : NULL,
        fabric->domain != NULL ? &fabric->domain->fid : NULL,
        fabric->fabric != NULL ? &fabric->fabric->fid : NULL,
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i] == NULL) continue;
        tti_fabric_enter(fabric->watch);
        fi_close(order[i]);
        tti_fabric_leave(fabric->watch);
    }
}
