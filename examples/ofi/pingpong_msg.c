/* SPDX-License-Identifier: BSD-3-Clause */
/* Ping-pong over connected endpoints (FI_EP_MSG), which behave like TCP: a server listens with a passive
 * endpoint, a client connects, and each end of the connection is an endpoint that talks to that one peer.
 *
 *     fabric                       a network
 *       ├─ event queue             what becomes of connections
 *       ├─ passive endpoint        listens
 *       └─ domain                  one way into the network: an interface, a card
 *            ├─ completion queue   which operations are done
 *            ├─ memory regions     where the provider may read and write
 *            └─ endpoint           sends and receives
 *
 * The rest of it, which endpoints without connections have too, is in transfer.c; pingpong_rdm.c is the same
 * program with those. To build it by hand: cc pingpong_msg.c transfer.c pingpong.c -lfabric */
#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_eq.h>
#include <stdio.h>
#include <string.h>

#include "transfer.h"

/* Everything that is opened. */
struct side {
    struct arguments arguments;
    struct fi_info *info; /* which fabric, domain and kind of endpoint */
    struct fid_fabric *fabric;
    struct fid_eq *events;
    struct fid_pep *listener;
    struct transfer transfer;
};

/* Nothing fits: is it the provider, which would fit without an address, or the address? */
static int explain(const struct arguments *arguments, const struct fi_info *hints)
{
    struct fi_info *any = NULL;
    if (fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &any) != 0) {
        fprintf(stderr,
                "provider %s has no connected endpoints here; `fi_info -t FI_EP_MSG` lists what has\n",
                arguments->provider);
        return -1;
    }
    fi_freeinfo(any);
    fprintf(stderr, "provider %s has no way to %s, port %s: is there such a host?\n", arguments->provider,
            arguments->server != NULL ? arguments->server : "listen", arguments->port);
    return -1;
}

/* Asks libfabric what there is. Hints are wishes (kind of endpoint, capabilities, provider) and promises:
 * modes that the program can live with. What comes back can be opened as it is, the best first. */
static int choose(struct side *side)
{
    const struct arguments *arguments = &side->arguments;
    struct fi_info *hints = fi_allocinfo();
    if (hints == NULL) return failed("fi_allocinfo", -FI_ENOMEM);
    hints->ep_attr->type = FI_EP_MSG;
    hints->caps = FI_MSG;                     /* messages; not RMA, tags or atomics */
    hints->mode = FI_CONTEXT | FI_CONTEXT2;   /* contexts are of the form that providers may write into */
    hints->domain_attr->mr_mode = FI_MR_LOCAL /* buffers can be registered */
                                  | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR;
    hints->domain_attr->threading = FI_THREAD_DOMAIN; /* one thread alone: the provider needs no locks */
    hints->fabric_attr->prov_name = strdup(arguments->provider);
    /* A client names where it wants to go, a server where it is: FI_SOURCE. */
    const bool server = arguments->server == NULL;
    int result = fi_getinfo(FI_VERSION(1, 17), arguments->server, arguments->port, server ? FI_SOURCE : 0,
                            hints, &side->info);
    if (result != 0) result = explain(arguments, hints);
    fi_freeinfo(hints);
    return result;
}

static int open_fabric(struct side *side)
{
    struct fi_eq_attr attr = {.wait_obj = FI_WAIT_UNSPEC}; /* can be slept on, in whatever way */
    int result = fi_fabric(side->info->fabric_attr, &side->fabric, NULL);
    if (result != 0) return failed("fi_fabric", result);
    result = fi_eq_open(side->fabric, &attr, &side->events, NULL);
    return result == 0 ? 0 : failed("fi_eq_open", result);
}

/* An endpoint is useless until queues for its events and completions are bound to it and it is enabled. The
 * first receive is posted before there is a connection, so that no message comes before its buffer. */
static int open_endpoint(struct side *side)
{
    struct transfer *transfer = &side->transfer;
    if (open_transfer(transfer, side->fabric, side->info) != 0) return -1;
    int result = fi_endpoint(transfer->domain, side->info, &transfer->endpoint, NULL);
    if (result != 0) return failed("fi_endpoint", result);
    result = fi_ep_bind(transfer->endpoint, &side->events->fid, 0);
    if (result == 0)
        result = fi_ep_bind(transfer->endpoint, &transfer->completions->fid, FI_TRANSMIT | FI_RECV);
    if (result != 0) return failed("fi_ep_bind", result);
    result = fi_enable(transfer->endpoint);
    return result == 0 ? post_receive(transfer) : failed("fi_enable", result);
}

/* The next event, which is to be `wanted`. */
static int wait_event(struct side *side, uint32_t wanted, struct fi_eq_cm_entry *entry, size_t room)
{
    const char *other = side->arguments.server != NULL ? side->arguments.server : "the client";
    uint32_t event = 0;
    const ssize_t got = fi_eq_sread(side->events, &event, entry, room, side->arguments.limit_ms, 0);
    if (got == -FI_EAVAIL) {
        struct fi_eq_err_entry error = {0};
        fi_eq_readerr(side->events, &error, 0);
        return failed(other, -error.err);
    }
    if (got == -FI_EAGAIN || got == -FI_ETIMEDOUT) return gave_up(&side->arguments);
    if (got < 0) return failed("fi_eq_sread", got);
    return event == wanted ? 0 : failed(other, -FI_ECONNABORTED);
}

/* Whatever the kernel made of port 0. Addresses of IPv4 and IPv6 have it in the same place. */
static int tell_port(const struct side *side)
{
    struct sockaddr_in6 address;
    size_t bytes = sizeof address;
    const int result = fi_getname(&side->listener->fid, &address, &bytes);
    if (result != 0) return failed("fi_getname", result);
    printf("listening on port %d\n", ntohs(address.sin6_port));
    return fflush(stdout);
}

/* A connection request brings the fi_info for the endpoint that is to take it, and up to some 100 bytes of
 * the client's own. */
static int serve(struct side *side)
{
    union {
        struct fi_eq_cm_entry entry; /* ends with the client's bytes */
        char room[sizeof(struct fi_eq_cm_entry) + sizeof(struct request)];
    } asked = {0};
    struct request request;
    int result = fi_passive_ep(side->fabric, side->info, &side->listener, NULL);
    if (result == 0) result = fi_pep_bind(side->listener, &side->events->fid, 0);
    if (result == 0) result = fi_listen(side->listener);
    if (result != 0) return failed("fi_listen", result);
    if (tell_port(side) != 0 || wait_event(side, FI_CONNREQ, &asked.entry, sizeof asked) != 0) return -1;
    fi_freeinfo(side->info);
    side->info = asked.entry.info;
    memcpy(&request, asked.entry.data, sizeof request);
    if (!take_request(&request, &side->arguments) || open_endpoint(side) != 0) return -1;
    result = fi_accept(side->transfer.endpoint, NULL, 0);
    return result == 0 ? 0 : failed("fi_accept", result);
}

static int connect_to_server(struct side *side)
{
    if (open_endpoint(side) != 0) return -1;
    const struct request request = make_request(&side->arguments);
    const int result = fi_connect(side->transfer.endpoint, side->info->dest_addr, &request, sizeof request);
    return result == 0 ? 0 : failed("fi_connect", result);
}

/* The client has the last message and ends the connection. The server waits for that: what it sent may still
 * be on its way when its completion comes. With both queues to see to, nothing sleeps on one: reading the
 * completion queue is what lets a provider without threads of its own (FI_PROGRESS_MANUAL) see the end. */
static int disconnect(struct side *side)
{
    struct fi_eq_cm_entry entry;
    uint32_t event = 0;
    ssize_t result = 0;
    if (!side->transfer.is_server) {
        result = fi_shutdown(side->transfer.endpoint, 0);
        return result == 0 ? 0 : failed("fi_shutdown", result);
    }
    while ((result = fi_eq_read(side->events, &event, &entry, sizeof entry, 0)) == -FI_EAGAIN) {
        if (make_progress(&side->transfer) != 0) return -1;
    }
    if (result >= 0 && event == FI_SHUTDOWN) return 0;
    return failed("the end of the connection", result < 0 ? result : -FI_EOTHER);
}

static int run(struct side *side)
{
    struct fi_eq_cm_entry entry;
    if (choose(side) != 0 || open_fabric(side) != 0) return -1;
    if ((side->transfer.is_server ? serve(side) : connect_to_server(side)) != 0) return -1;
    if (wait_event(side, FI_CONNECTED, &entry, sizeof entry) != 0) return -1;
    return exchange(&side->transfer) != 0 ? -1 : disconnect(side);
}

static void close_all(struct side *side)
{
    close_transfer(&side->transfer);
    if (side->listener != NULL) fi_close(&side->listener->fid);
    if (side->events != NULL) fi_close(&side->events->fid);
    if (side->fabric != NULL) fi_close(&side->fabric->fid);
    if (side->info != NULL) fi_freeinfo(side->info);
}

int main(int argc, char **argv)
{
    struct side side = {.transfer = {.arguments = &side.arguments}};
    int status;
    if (!read_arguments(argc, argv, &side.arguments, &status)) return status;
    side.transfer.is_server = side.arguments.server == NULL;
    status = run(&side) == 0 ? 0 : 1;
    close_all(&side);
    return status;
}
