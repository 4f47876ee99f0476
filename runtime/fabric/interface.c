/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/interface.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t address_bytes(const tti_interface *interface)
{
    return interface->family == 4 ? 4 : 16;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, int bits)
{
    const int whole = bits / 8, rest = bits % 8;
    if (memcmp(a, b, (size_t)whole) != 0) return false;
    return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

static bool is_routed(const tti_interface *interface)
{
    return interface->prefix == 8 * address_bytes(interface);
}

bool tti_interface_same_subnet(const tti_interface *a, const tti_interface *b)
{
    if (a->family != b->family) return false;
    if (is_routed(a) && is_routed(b)) return true;
    if (a->prefix != b->prefix && !is_routed(a) && !is_routed(b)) return false;
    return same_bits(a->address, b->address, a->prefix < b->prefix ? a->prefix : b->prefix);
}

static bool same_address(const tti_interface *a, const tti_interface *b)
{
    return a->family == b->family && memcmp(a->address, b->address, address_bytes(a)) == 0;
}

/* Reads "address" or "address/bits" into *net; without bits the whole address counts. */
static bool parse_network(const char *text, tti_interface *net)
{
    char address[48];
    const size_t length = strcspn(text, "/");
    if (length >= sizeof address) return false;
    memcpy(address, text, length);
    address[length] = '\0';
    net->family = strchr(address, ':') != NULL ? 6 : 4;
    if (inet_pton(net->family == 6 ? AF_INET6 : AF_INET, address, net->address) != 1) return false;
    const long most = net->family == 6 ? 128 : 32;
    long bits = most;
    if (text[length] == '/') {
        char *end;
        bits = strtol(text + length + 1, &end, 10);
        if (end == text + length + 1 || *end != '\0') return false;
    }
    if (bits < 0 || bits > most) return false;
    net->prefix = (uint8_t)bits;
    return true;
}

static bool matches(const tti_interface *interface, const char *wanted)
{
    if (strcmp(interface->name, wanted) == 0) return true;
    tti_interface net = {0};
    return parse_network(wanted, &net) && net.family == interface->family &&
           same_bits(net.address, interface->address, net.prefix);
}

static bool link_local(const tti_interface *interface)
{
    const uint8_t *a = interface->address;
    return interface->family == 6 ? a[0] == 0xfe && (a[1] & 0xc0) == 0x80 : a[0] == 169 && a[1] == 254;
}

static bool usable(const tti_interface *interface, bool single_node)
{
    if ((interface->flags & TTI_INTERFACE_UP) == 0) return false;
    if (single_node) return (interface->flags & TTI_INTERFACE_LOOPBACK) != 0;
    return (interface->flags & (TTI_INTERFACE_LOOPBACK | TTI_INTERFACE_POINT_TO_POINT)) == 0 &&
           !link_local(interface);
}

static void append_family(const tti_interface_list *all, int family, const char *wanted, bool single_node,
                          tti_interface_list *out)
{
    for (int i = 0; i < all->count; i++) {
        const tti_interface *one = &all->at[i];
        const bool taken = wanted[0] != '\0' ? matches(one, wanted) : usable(one, single_node);
        if (one->family == family && taken) out->at[out->count++] = *one;
    }
}

void tti_interface_candidates(const tti_interface_list *all, const char *wanted, bool single_node,
                              tti_interface_list *candidates)
{
    candidates->count = 0;
    append_family(all, 4, wanted, single_node, candidates);
    if (candidates->count == 0 || (wanted[0] == '\0' && !single_node))
        append_family(all, 6, wanted, single_node, candidates);
}

/* The lists of all hosts. */
typedef struct {
    const tti_interface_list *const *lists;
    int count;
} hosts_of_job;

static bool has_address(const tti_interface_list *list, const tti_interface *wanted)
{
    int i = 0;
    while (i < list->count && !same_address(&list->at[i], wanted))
        i++;
    return i < list->count;
}

static bool is_of_one_host(const tti_interface *interface, const hosts_of_job *hosts)
{
    int owners = 0;
    for (int host = 0; host < hosts->count && owners < 2; host++)
        owners += has_address(hosts->lists[host], interface);
    return owners < 2;
}

/* By which of its addresses the host of this list is on the subnet of `net`; -1 if it is not. */
static int find_on(const tti_interface *net, const tti_interface_list *list, const hosts_of_job *hosts)
{
    for (int i = 0; i < list->count; i++) {
        if (tti_interface_same_subnet(net, &list->at[i]) && is_of_one_host(&list->at[i], hosts)) return i;
    }
    return -1;
}

/* Whether all hosts are on the subnet of `net`, and its speed: that of the slowest, 0 if one is unknown. */
static bool joins_all(const tti_interface *net, const hosts_of_job *hosts, uint32_t *speed)
{
    *speed = UINT32_MAX;
    for (int host = 0; host < hosts->count; host++) {
        const int place = find_on(net, hosts->lists[host], hosts);
        if (place < 0) return false;
        if (hosts->lists[host]->at[place].speed < *speed) *speed = hosts->lists[host]->at[place].speed;
    }
    return true;
}

int tti_interface_common(const tti_interface_list *mine, const tti_interface_list *const *lists, int count)
{
    const hosts_of_job hosts = {lists, count};
    const tti_interface *best = NULL;
    uint32_t speed, best_speed = 0;
    for (int i = 0; count > 0 && i < lists[0]->count; i++) {
        const tti_interface *net = &lists[0]->at[i];
        if (!joins_all(net, &hosts, &speed)) continue;
        const bool same_kind = best != NULL && is_routed(net) == is_routed(best);
        if (best == NULL || (!same_kind && is_routed(best)) ||
            (same_kind && best_speed > 0 && speed > best_speed)) {
            best = net;
            best_speed = speed;
        }
    }
    return best != NULL ? find_on(best, mine, &hosts) : -1;
}

#define ONE_TEXT 64 /* room for any address with its name */

/* "eth0 192.0.2.2/24" */
static void print_one(const tti_interface *interface, char text[ONE_TEXT])
{
    char address[INET6_ADDRSTRLEN] = "?";
    inet_ntop(interface->family == 6 ? AF_INET6 : AF_INET, interface->address, address, sizeof address);
    /* Names come from peers' cards too: bounded there, bounded here. */
    snprintf(text, ONE_TEXT, "%.10s%s%s/%u", interface->name, interface->name[0] != '\0' ? " " : "", address,
             (unsigned)interface->prefix % 1000);
}

void tti_interface_print_list(const tti_interface_list *list, char *text, size_t room)
{
    size_t used = 0;
    if (list->count == 0) snprintf(text, room, "none");
    for (int i = 0; i < list->count && used < room; i++) {
        char one[ONE_TEXT];
        print_one(&list->at[i], one);
        used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? ", " : "", one);
    }
}
