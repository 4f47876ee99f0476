/* SPDX-License-Identifier: BSD-3-Clause */
/* Ping-pong over endpoints without connections (FI_EP_RDM: reliable datagrams): one endpoint talks to any
 * number of peers, each named by its place in an address vector. Connections, if the network has such things,
 * are the provider's affair.
 *
 *     fabric                       a network
 *       └─ domain                  one way into the network: an interface, a card
 *            ├─ address vector     the peers
 *            ├─ completion queue   which operations are done
 *            ├─ memory regions     where the provider may read and write
 *            └─ endpoint           sends and receives
 *
 * How a peer's address gets here libfabric leaves to the program: a job's launcher passes it on, and here a
 * plain TCP connection does (side_channel.c). The rest is in transfer.c; pingpong_msg.c is the same program
 * with connected endpoints. To build it by hand: cc pingpong_rdm.c side_channel.c transfer.c pingpong.c
 * -lfabric
 */
#include <rdma/fi_cm.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "side_channel.h"
#include "transfer.h"

#define ADDRESS_MOST 256
#define NAME_MOST 64

/* Everything that is opened. */
struct side {
    struct arguments arguments;
    struct fi_info *info; /* which fabric, domain and kind of endpoint */
    struct fid_fabric *fabric;
    struct fid_av *addresses;
    struct transfer transfer;
    int channel; /* -1: closed */
};

/* What each side tells the other of its endpoint. */
struct introduction {
    char provider[NAME_MOST];
    char address[ADDRESS_MOST]; /* in a form that the provider knows */
};

/* Asks libfabric what there is at `host` (NULL: on any interface). Hints are wishes (kind of endpoint,
 * capabilities, provider) and promises: modes that the program can live with. What comes back can be opened
 * as it is, the best first. */
static int ask(struct side *side, const char *host)
{
    struct fi_info *hints = fi_allocinfo();
    if (hints == NULL) return failed("fi_allocinfo", -FI_ENOMEM);
    hints->ep_attr->type = FI_EP_RDM;
    hints->caps = FI_MSG;                     /* messages; not RMA, tags or atomics */
    hints->mode = FI_CONTEXT | FI_CONTEXT2;   /* contexts are of the form that providers may write into */
    hints->domain_attr->mr_mode = FI_MR_LOCAL /* buffers can be registered */
                                  | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR;
    hints->domain_attr->threading = FI_THREAD_DOMAIN; /* one thread alone: the provider needs no locks */
    hints->fabric_attr->prov_name = strdup(side->arguments.provider);
    if (side->info != NULL) fi_freeinfo(side->info);
    side->info = NULL;
    const int result =
        fi_getinfo(FI_VERSION(1, 17), host, NULL, host != NULL ? FI_SOURCE : 0, hints, &side->info);
    fi_freeinfo(hints);
    if (result == 0) return 0;
    fprintf(
        stderr, "provider %s has no reliable datagrams here%s%s: %s; `fi_info -t FI_EP_RDM` lists what has\n",
        side->arguments.provider, host != NULL ? " at " : "", host != NULL ? host : "", fi_strerror(-result));
    return -1;
}

/* Of several interfaces, the one that leads to the other side; it has shown with the side channel. Addresses
 * of other formats than IP's, as those in shared memory, have no such choice. */
static int choose_interface(struct side *side)
{
    char host[ADDRESS_MOST];
    const uint32_t format = side->info->addr_format;
    if (format != FI_SOCKADDR && format != FI_SOCKADDR_IN && format != FI_SOCKADDR_IN6) return 0;
    return tell_own_host(side->channel, host, sizeof host) != 0 ? -1 : ask(side, host);
}

/* An endpoint is useless until what it needs is bound to it and it is enabled. */
static int open_endpoint(struct side *side)
{
    struct transfer *transfer = &side->transfer;
    struct fi_av_attr attr = {.type = FI_AV_TABLE, /* peers are known by small numbers */ .count = 1};
    int result = fi_av_open(transfer->domain, &attr, &side->addresses, NULL);
    if (result != 0) return failed("fi_av_open", result);
    result = fi_endpoint(transfer->domain, side->info, &transfer->endpoint, NULL);
    if (result != 0) return failed("fi_endpoint", result);
    result = fi_ep_bind(transfer->endpoint, &side->addresses->fid, 0);
    if (result == 0)
        result = fi_ep_bind(transfer->endpoint, &transfer->completions->fid, FI_TRANSMIT | FI_RECV);
    if (result != 0) return failed("fi_ep_bind", result);
    result = fi_enable(transfer->endpoint);
    return result == 0 ? 0 : failed("fi_enable", result);
}

/* The server takes over what the client wants. */
static int agree(struct side *side)
{
    const struct request mine = make_request(&side->arguments);
    struct request theirs;
    if (swap(side->channel, &mine, &theirs, sizeof mine) != 0) return -1;
    return !side->transfer.is_server || take_request(&theirs, &side->arguments) ? 0 : -1;
}

/* An endpoint's name is its address. The other side's goes into the address vector, which gives the number
 * that sends name it by. */
static int meet(struct side *side)
{
    struct introduction mine = {0}, theirs;
    size_t bytes = sizeof mine.address;
    const int result = fi_getname(&side->transfer.endpoint->fid, mine.address, &bytes);
    if (result != 0) return failed("fi_getname", result);
    snprintf(mine.provider, sizeof mine.provider, "%s", side->info->fabric_attr->prov_name);
    if (swap(side->channel, &mine, &theirs, sizeof mine) != 0) return -1;
    if (strncmp(mine.provider, theirs.provider, NAME_MOST) != 0) {
        fprintf(stderr, "this side has provider %s, the other %.*s: give both the same -p\n", mine.provider,
                NAME_MOST, theirs.provider);
        return -1;
    }
    theirs.address[ADDRESS_MOST - 1] = '\0'; /* where addresses are text */
    const int inserted = fi_av_insert(side->addresses, theirs.address, 1, &side->transfer.peer, 0, NULL);
    return inserted == 1 ? 0 : failed("fi_av_insert", inserted < 0 ? inserted : -FI_EINVAL);
}

/* What a side sent last may need its help to arrive, so neither closes its endpoint, or stops the provider's
 * work (FI_PROGRESS_MANUAL: it is done in calls), before the other has got all. */
static int part(struct side *side)
{
    int heard;
    if (say_goodbye(side->channel) != 0) return -1;
    while ((heard = heard_goodbye(side->channel)) == 0) {
        if (make_progress(&side->transfer) != 0) return -1;
    }
    return heard == 1 ? 0 : -1;
}

/* The first receive is posted before the other side knows the address to send to. */
static int run(struct side *side)
{
    if (ask(side, NULL) != 0) return -1; /* a wrong provider shows before anybody waits */
    side->channel = open_side_channel(&side->arguments);
    if (side->channel < 0 || agree(side) != 0 || choose_interface(side) != 0) return -1;
    const int result = fi_fabric(side->info->fabric_attr, &side->fabric, NULL);
    if (result != 0) return failed("fi_fabric", result);
    if (open_transfer(&side->transfer, side->fabric, side->info) != 0 || open_endpoint(side) != 0) return -1;
    if (post_receive(&side->transfer) != 0 || meet(side) != 0) return -1;
    return exchange(&side->transfer) != 0 ? -1 : part(side);
}

static void close_all(struct side *side)
{
    close_transfer(&side->transfer);
    if (side->addresses != NULL) fi_close(&side->addresses->fid);
    if (side->fabric != NULL) fi_close(&side->fabric->fid);
    if (side->info != NULL) fi_freeinfo(side->info);
    if (side->channel >= 0) close(side->channel);
}

int main(int argc, char **argv)
{
    struct side side = {.transfer = {.arguments = &side.arguments}, .channel = -1};
    int status;
    if (!read_arguments(argc, argv, &side.arguments, &status)) return status;
    side.transfer.is_server = side.arguments.server == NULL;
    status = run(&side) == 0 ? 0 : 1;
    close_all(&side);
    return status;
}
