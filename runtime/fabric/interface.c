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

bool tti_interface_same_subnet(const tti_interface *a, const tti_interface *b)
{
    return a->family == b->family && a->prefix == b->prefix && same_bits(a->address, b->address, a->prefix);
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

bool tti_interface_matches(const tti_interface *interface, const char *wanted)
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
        const bool taken = wanted[0] != '\0' ? tti_interface_matches(one, wanted) : usable(one, single_node);
        if (one->family == family && taken) out->at[out->count++] = *one;
    }
}

void tti_interface_candidates(const tti_interface_list *all, const char *wanted, bool single_node,
                              tti_interface_list *candidates)
{
    candidates->count = 0;
    append_family(all, 4, wanted, single_node, candidates);
    if (candidates->count == 0) append_family(all, 6, wanted, single_node, candidates);
}

/* True if `host` is on the subnet of `net`, with an address that no host before it has. */
static bool joins(const tti_interface *net, const tti_interface_list *const *hosts, int host)
{
    for (int i = 0; i < hosts[host]->count; i++) {
        const tti_interface *one = &hosts[host]->at[i];
        if (!tti_interface_same_subnet(net, one)) continue;
        for (int before = 0; before < host; before++) {
            for (int j = 0; j < hosts[before]->count; j++) {
                if (same_address(one, &hosts[before]->at[j])) return false;
            }
        }
        return true;
    }
    return false;
}

int tti_interface_common(const tti_interface_list *mine, const tti_interface_list *const *hosts, int count)
{
    for (int i = 0; count > 0 && i < hosts[0]->count; i++) {
        const tti_interface *net = &hosts[0]->at[i];
        int host = 0;
        while (host < count && joins(net, hosts, host))
            host++;
        for (int k = 0; host == count && k < mine->count; k++) {
            if (tti_interface_same_subnet(net, &mine->at[k])) return k;
        }
    }
    return -1;
}

void tti_interface_print(const tti_interface *interface, char text[TTI_INTERFACE_TEXT])
{
    char address[INET6_ADDRSTRLEN] = "?";
    inet_ntop(interface->family == 6 ? AF_INET6 : AF_INET, interface->address, address, sizeof address);
    /* Names come from peers' cards too: bounded there, bounded here. */
    snprintf(text, TTI_INTERFACE_TEXT, "%.10s%s%s/%u", interface->name, interface->name[0] != '\0' ? " " : "",
             address, (unsigned)interface->prefix % 1000);
}

void tti_interface_print_list(const tti_interface_list *list, char *text, size_t room)
{
    size_t used = 0;
    if (list->count == 0) snprintf(text, room, "none");
    for (int i = 0; i < list->count && used < room; i++) {
        char one[TTI_INTERFACE_TEXT];
        tti_interface_print(&list->at[i], one);
        used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? ", " : "", one);
    }
}
