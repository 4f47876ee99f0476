/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/provider.h"

#include <netinet/in.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/fabric/shared_folder.h"

/* Best first. `family` is a short name that TUTTI_PROVIDER accepts for whichever of its rows is there first.
 * Of the three flavours over TCP: net is xnet's own RDM endpoint of 1.17; from 1.18 on it is called tcp. The
 * order among them is measured, see docs/libfabric.md. The last row is any other. */
typedef struct {
    const char *name, *family;
    unsigned quirks;
} preference;

static const preference preferences[] = {
    {"cxi", "cxi", 0},
    {"efa", "efa", 0},
    {"psm3", "psm3", 0},
    {"psm2", "psm2", 0},
    {"opx", "opx", 0},
    {"verbs;ofi_rxm", "verbs", 0},
    {"net", "tcp", TTI_FABRIC_WAIT_STUCK | TTI_FABRIC_LONG_PACKETS | TTI_FABRIC_TCP_PORT},
    {"tcp", "tcp", TTI_FABRIC_LONG_PACKETS | TTI_FABRIC_TCP_PORT},
    {"tcp;ofi_rxm", "tcp", TTI_FABRIC_TCP_PORT},
    {"shm", "shm", TTI_FABRIC_ORPHAN_LOCKS},
    {NULL, NULL, 0},
};

/* From widest to narrowest; a provider may be slower by what it is asked for and nobody uses. */
static const uint64_t capabilities[] = {
    FI_TAGGED | FI_MSG | FI_RMA,
    FI_TAGGED | FI_MSG,
};
#define CAPABILITIES (sizeof capabilities / sizeof capabilities[0])

static struct fi_info *make_hints(const tti_fabric_library *library, const char *name, uint64_t caps,
                                  bool single_node)
{
    struct fi_info *hints = library->dupinfo(NULL);
    if (hints == NULL) return NULL;
    hints->caps = caps | (single_node ? 0 : FI_REMOTE_COMM);
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->control_progress = hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->av_type = FI_AV_TABLE;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    hints->fabric_attr->prov_name = name != NULL ? strdup(name) : NULL;
    return hints;
}

/* What libfabric lists for provider `name` (NULL: any) and these capabilities: layers on top of it, such as
 * rxm on tcp, are listed under its name too. NULL if there is nothing. */
static struct fi_info *list_entries(const tti_fabric_library *library, const char *name, uint64_t caps,
                                    bool single_node)
{
    struct fi_info *found = NULL, *hints = make_hints(library, name, caps, single_node);
    if (hints == NULL) return NULL;
    const int result = library->getinfo(TTI_FABRIC_API, NULL, NULL, 0, hints, &found);
    library->freeinfo(hints);
    return result == 0 ? found : NULL;
}

/* The address that an entry binds, as an interface (name, subnet unknown); false if it is not IP. */
static bool address_of_entry(const struct fi_info *entry, tti_interface *interface)
{
    memset(interface, 0, sizeof *interface);
    const struct sockaddr *address = entry->src_addr;
    const bool ip = entry->addr_format == FI_SOCKADDR_IN || entry->addr_format == FI_SOCKADDR_IN6 ||
                    entry->addr_format == FI_SOCKADDR;
    if (!ip || address == NULL) return false;
    if (address->sa_family == AF_INET && entry->src_addrlen >= sizeof(struct sockaddr_in)) {
        interface->family = 4;
        memcpy(interface->address, &((const struct sockaddr_in *)entry->src_addr)->sin_addr, 4);
        return true;
    }
    if (address->sa_family == AF_INET6 && entry->src_addrlen >= sizeof(struct sockaddr_in6)) {
        interface->family = 6;
        memcpy(interface->address, &((const struct sockaddr_in6 *)entry->src_addr)->sin6_addr, 16);
        return true;
    }
    return false;
}

const struct fi_info *tti_fabric_entry_of(const struct fi_info *entries, const tti_interface *interface)
{
    for (; entries != NULL; entries = entries->next) {
        tti_interface own;
        if (address_of_entry(entries, &own) && own.family == interface->family &&
            memcmp(own.address, interface->address, sizeof own.address) == 0)
            return entries;
    }
    return NULL;
}

/* Interfaces of `all` that the entries can bind, in the entries' order. */
static void bindable(const struct fi_info *entries, const tti_interface_list *all, tti_interface_list *out)
{
    out->count = 0;
    for (; entries != NULL && out->count < TTI_INTERFACES_MAX; entries = entries->next) {
        tti_interface own;
        if (!address_of_entry(entries, &own) || tti_fabric_entry_of(entries->next, &own) != NULL) continue;
        for (int i = 0; i < all->count; i++) {
            if (all->at[i].family == own.family &&
                memcmp(all->at[i].address, own.address, sizeof own.address) == 0)
                out->at[out->count++] = all->at[i];
        }
    }
}

/* Moves the entries of provider `name` out of *entries; NULL if it has none. */
static struct fi_info *take_provider(struct fi_info **entries, const char *name)
{
    struct fi_info *taken = NULL, **tail = &taken;
    while (*entries != NULL) {
        struct fi_info *one = *entries;
        if (strcmp(one->fabric_attr->prov_name, name) == 0) {
            *entries = one->next;
            one->next = NULL;
            *tail = one;
            tail = &one->next;
        } else {
            entries = &one->next;
        }
    }
    return taken;
}

/* Puts an entry of `domain` ("": any) first; false if there is none. */
static bool put_domain_first(struct fi_info **entries, const char *domain)
{
    struct fi_info **place = entries;
    while (*place != NULL && domain[0] != '\0' && strcmp((*place)->domain_attr->name, domain) != 0)
        place = &(*place)->next;
    struct fi_info *one = *place;
    if (one == NULL) return false;
    *place = one->next;
    one->next = *entries;
    *entries = one;
    return true;
}

/* Whether these entries of one provider may be used, and on which interfaces. */
static bool fits(struct fi_info **entries, const tti_fabric_wishes *wishes, tti_interface_list *candidates)
{
    tti_interface own;
    candidates->count = 0;
    if (!address_of_entry(*entries, &own)) return put_domain_first(entries, wishes->interface);
    tti_interface_list able;
    bindable(*entries, wishes->interfaces, &able);
    tti_interface_candidates(&able, wishes->interface, wishes->single_node, candidates);
    if (candidates->count == 0 && wishes->single_node)
        tti_interface_candidates(&able, wishes->interface, false, candidates);
    return candidates->count > 0;
}

/* Takes the first provider of the list, or the one of that name (unless NULL), that fits; frees the rest. */
static bool take_fitting(const tti_fabric_library *library, struct fi_info *listed, const char *name,
                         const tti_fabric_wishes *wishes, tti_fabric_choice *choice)
{
    bool found = false;
    while (listed != NULL && !found) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%s", name != NULL ? name : listed->fabric_attr->prov_name);
        struct fi_info *entries = take_provider(&listed, wanted);
        if (entries == NULL) break;
        found = fits(&entries, wishes, &choice->candidates);
        if (found)
            choice->entries = entries;
        else
            library->freeinfo(entries);
    }
    if (listed != NULL) library->freeinfo(listed);
    return found;
}

/* Takes provider `name` (NULL: any) with the widest capabilities with which it fits. */
static bool consider(const tti_fabric_library *library, const char *name, const tti_fabric_wishes *wishes,
                     tti_fabric_choice *choice)
{
    for (size_t i = 0; i < CAPABILITIES; i++) {
        struct fi_info *listed = list_entries(library, name, capabilities[i], wishes->single_node);
        if (take_fitting(library, listed, name, wishes, choice)) return true;
    }
    return false;
}

/* Whether `text` has `name` as one of the words that ", " separates. */
static bool has_word(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *seen = strstr(text, name); seen != NULL; seen = strstr(seen + 1, name)) {
        if ((seen == text || seen[-1] == ' ') && (seen[length] == ',' || seen[length] == '\0')) return true;
    }
    return false;
}

static void list_present(const tti_fabric_library *library, bool single_node, char *text, size_t room)
{
    size_t used = 0;
    snprintf(text, room, "none");
    for (size_t i = 0; i < CAPABILITIES; i++) {
        struct fi_info *all = list_entries(library, NULL, capabilities[i], single_node);
        for (const struct fi_info *one = all; one != NULL && used < room; one = one->next) {
            const char *name = one->fabric_attr->prov_name;
            if (used == 0 || !has_word(text, name))
                used += (size_t)snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", name);
        }
        if (all != NULL) library->freeinfo(all);
    }
}

static int nothing_found(const tti_fabric_library *library, const tti_fabric_wishes *wishes)
{
    char providers[256], interfaces[512], shared[TTI_FABRIC_SHARED_TEXT];
    /* A provider over shared memory is not there where its folder has too little room. */
    tti_fabric_describe_shared(shared);
    list_present(library, wishes->single_node, providers, sizeof providers);
    tti_interface_print_list(wishes->interfaces, interfaces, sizeof interfaces);
    if (wishes->interface[0] != '\0')
        return tti_fail(
            TUTTI_ERR_OPTION,
            "TUTTI_INTERFACE=%.64s: no provider%s%.40s can use it here; interfaces: %s; providers: %s",
            wishes->interface, wishes->provider[0] != '\0' ? " " : "", wishes->provider, interfaces,
            providers);
    if (wishes->provider[0] != '\0')
        return tti_fail(
            TUTTI_ERR_OPTION,
            "TUTTI_PROVIDER=%.40s is not here, or cannot reach %s%s; providers: %s; interfaces: %s",
            wishes->provider, wishes->single_node ? "ranks on this node" : "other nodes", shared, providers,
            interfaces);
    return tti_fail(TUTTI_ERR_FABRIC,
                    "libfabric has no provider that can reach %s; providers: %s; interfaces: %s",
                    wishes->single_node ? "ranks on this node" : "other nodes", providers, interfaces);
}

int tti_fabric_choose(const tti_fabric_library *library, const tti_fabric_wishes *wishes,
                      tti_fabric_choice *choice)
{
    const char *wanted = wishes->provider;
    for (size_t i = 0; i < sizeof preferences / sizeof preferences[0]; i++) {
        const preference *row = &preferences[i];
        const bool named =
            wanted[0] == '\0' ||
            (row->name != NULL && (strcmp(row->family, wanted) == 0 || strcmp(row->name, wanted) == 0));
        if (!named || !consider(library, row->name, wishes, choice)) continue;
        snprintf(choice->why, sizeof choice->why,
                 wanted[0] != '\0' ? "TUTTI_PROVIDER=%.64s" : "%.64s preferred",
                 wanted[0] != '\0' ? wanted : choice->entries->fabric_attr->prov_name);
        choice->quirks = row->quirks;
        return 0;
    }
    if (wanted[0] != '\0' && consider(library, wanted, wishes, choice)) {
        snprintf(choice->why, sizeof choice->why, "TUTTI_PROVIDER=%.64s", wanted);
        choice->quirks = 0;
        return 0;
    }
    return nothing_found(library, wishes);
}
