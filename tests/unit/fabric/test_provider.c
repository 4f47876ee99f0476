/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a provider out of what several libfabrics list, recorded: a table of functions in place of
 * the library answers fi_getinfo as that one does. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/fabric/provider.h"
#include "tests/unit/expect.h"

#define PLAIN (FI_MSG | FI_TAGGED | FI_REMOTE_COMM)
#define WIDE (PLAIN | FI_RMA)
#define WIDEST (WIDE | FI_ATOMIC)

/* Listed with the capabilities asked for if it has them all; NULL address: it does not speak IP. */
typedef struct {
    const char *provider, *domain, *address;
    uint64_t caps;
} entry;

static const entry debian_1_17[] = {
    {"tcp;ofi_rxm", "eth0", "10.0.0.1", WIDEST},
    {"tcp;ofi_rxm", "lo", "127.0.0.1", WIDEST},
    {"net", "eth0", "10.0.0.1", WIDEST},
    {"net", "lo", "127.0.0.1", WIDEST},
    {"shm", "shm", NULL, WIDEST},
    {NULL, NULL, NULL, 0},
};
/* tcp is listed without what nobody asks for; the layer over it has that. */
static const entry libfabric_2[] = {
    {"tcp", "eth0", "10.0.0.1", WIDE},
    {"tcp", "lo", "127.0.0.1", WIDE},
    {"tcp;ofi_rxm", "eth0", "10.0.0.1", WIDEST},
    {"tcp;ofi_rxm", "lo", "127.0.0.1", WIDEST},
    {"shm", "shm", NULL, WIDEST},
    {"sm2", "sm2", NULL, PLAIN | FI_ATOMIC},
    {NULL, NULL, NULL, 0},
};
static const entry two_cards[] = {
    {"tcp", "eth0", "10.0.0.1", WIDE},
    {"psm3", "hfi0", NULL, WIDEST},
    {"psm3", "hfi1", NULL, WIDEST},
    {NULL, NULL, NULL, 0},
};
/* No row of the table; the first that is listed cannot be used between these hosts. */
static const entry unknown_ones[] = {
    {"wire", "tun0", "10.8.0.1", WIDEST},
    {"radio", "eth0", "10.0.0.1", WIDEST},
    {NULL, NULL, NULL, 0},
};

static const entry *recorded;
static uint64_t asked; /* all that was asked for */
static int live;       /* infos that nobody has freed */

static struct fi_info *make_info(void)
{
    struct fi_info *info = calloc(1, sizeof *info);
    EXPECT(info != NULL);
    info->tx_attr = calloc(1, sizeof *info->tx_attr);
    info->rx_attr = calloc(1, sizeof *info->rx_attr);
    info->ep_attr = calloc(1, sizeof *info->ep_attr);
    info->domain_attr = calloc(1, sizeof *info->domain_attr);
    info->fabric_attr = calloc(1, sizeof *info->fabric_attr);
    EXPECT(info->tx_attr && info->rx_attr && info->ep_attr && info->domain_attr && info->fabric_attr);
    live++;
    return info;
}

static struct fi_info *dupinfo(const struct fi_info *info)
{
    EXPECT(info == NULL); /* for hints alone */
    return make_info();
}

static void freeinfo(struct fi_info *info)
{
    while (info != NULL) {
        struct fi_info *next = info->next;
        free(info->fabric_attr->prov_name);
        free(info->domain_attr->name);
        free(info->src_addr);
        free(info->tx_attr);
        free(info->rx_attr);
        free(info->ep_attr);
        free(info->domain_attr);
        free(info->fabric_attr);
        free(info);
        live--;
        info = next;
    }
}

static struct fi_info *info_of(const entry *one)
{
    struct fi_info *info = make_info();
    info->caps = one->caps;
    info->fabric_attr->prov_name = strdup(one->provider);
    info->domain_attr->name = strdup(one->domain);
    if (one->address == NULL) return info;
    struct sockaddr_in *address = calloc(1, sizeof *address);
    EXPECT(address != NULL && inet_pton(AF_INET, one->address, &address->sin_addr) == 1);
    address->sin_family = AF_INET;
    info->addr_format = FI_SOCKADDR_IN;
    info->src_addr = address;
    info->src_addrlen = sizeof *address;
    return info;
}

/* A name stands for the provider and for the layers over it, "tcp" for "tcp;ofi_rxm". */
static bool is_meant(const char *provider, const char *wanted)
{
    const size_t length = wanted != NULL ? strlen(wanted) : 0;
    return wanted == NULL ||
           (strncmp(provider, wanted, length) == 0 && (provider[length] == '\0' || provider[length] == ';'));
}

static int getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **found)
{
    EXPECT(version == TTI_FABRIC_API && node == NULL && service == NULL && flags == 0);
    struct fi_info **tail = found;
    asked |= hints->caps;
    *found = NULL;
    for (const entry *one = recorded; one->provider != NULL; one++) {
        if (!is_meant(one->provider, hints->fabric_attr->prov_name) || (hints->caps & ~one->caps) != 0)
            continue;
        *tail = info_of(one);
        tail = &(*tail)->next;
    }
    return *found != NULL ? 0 : -FI_ENODATA;
}

static const tti_fabric_library library = {.getinfo = getinfo, .freeinfo = freeinfo, .dupinfo = dupinfo};

static void add(tti_interface_list *list, const char *name, const char *address, unsigned flags)
{
    tti_interface *one = &list->at[list->count++];
    snprintf(one->name, sizeof one->name, "%s", name);
    one->family = 4;
    one->prefix = 24;
    one->flags = (uint8_t)(TTI_INTERFACE_UP | flags);
    EXPECT(inet_pton(AF_INET, address, one->address) == 1);
}

/* The provider and, after a space, the domain that is taken for these wishes; or the refusal. */
static const char *choice(const entry *listed, const char *provider, const char *interface, bool single_node)
{
    static char text[128];
    tti_interface_list interfaces = {0};
    add(&interfaces, "lo", "127.0.0.1", TTI_INTERFACE_LOOPBACK);
    add(&interfaces, "tun0", "10.8.0.1", TTI_INTERFACE_POINT_TO_POINT);
    add(&interfaces, "eth0", "10.0.0.1", 0);
    const tti_fabric_wishes wishes = {provider, interface, single_node, &interfaces};
    tti_fabric_choice taken;
    recorded = listed;
    if (tti_fabric_choose(&library, &wishes, &taken) < 0) {
        snprintf(text, sizeof text, "refused");
    } else {
        const struct fi_info *entry_taken = taken.entries;
        if (taken.candidates.count > 0)
            entry_taken = tti_fabric_entry_of(taken.entries, &taken.candidates.at[0]);
        snprintf(text, sizeof text, "%s %s", entry_taken->fabric_attr->prov_name,
                 entry_taken->domain_attr->name);
        freeinfo(taken.entries);
    }
    EXPECT(live == 0);
    return text;
}

static void expect(const char *got, const char *expected)
{
    if (strcmp(got, expected) != 0) fprintf(stderr, "got %s, expected %s\n", got, expected);
    EXPECT(strcmp(got, expected) == 0);
}

static void over_tcp(void)
{
    expect(choice(debian_1_17, "", "", false), "net eth0");
    expect(choice(debian_1_17, "tcp", "", false), "net eth0");
    expect(choice(debian_1_17, "tcp;ofi_rxm", "", true), "tcp;ofi_rxm lo");
    expect(choice(libfabric_2, "", "", false), "tcp eth0");
    expect(choice(libfabric_2, "tcp", "", true), "tcp lo");
    expect(choice(libfabric_2, "tcp;ofi_rxm", "", false), "tcp;ofi_rxm eth0");
    expect(choice(libfabric_2, "", "lo", false), "tcp lo");
}

static void others(void)
{
    expect(choice(libfabric_2, "shm", "", true), "shm shm");
    expect(choice(libfabric_2, "sm2", "", true), "sm2 sm2");
    expect(choice(two_cards, "", "", false), "psm3 hfi0");
    expect(choice(two_cards, "", "hfi1", false), "psm3 hfi1");
    expect(choice(two_cards, "", "eth0", false), "tcp eth0");
    expect(choice(unknown_ones, "", "", false), "radio eth0");
    expect(choice(unknown_ones, "wire", "tun0", false), "wire tun0");
}

static void refusals(void)
{
    expect(choice(libfabric_2, "net", "", false), "refused");
    EXPECT(strstr(tutti_error_detail(), "providers: tcp, tcp;ofi_rxm, shm, sm2;") != NULL);
    expect(choice(libfabric_2, "", "eth9", false), "refused");
    EXPECT(strstr(tutti_error_detail(), "TUTTI_INTERFACE=eth9") != NULL);
    expect(choice(unknown_ones, "wire", "", false), "refused");
}

int main(void)
{
    over_tcp();
    others();
    refusals();
    EXPECT((asked & FI_ATOMIC) == 0); /* nothing that Tutti does not use */
    return 0;
}
