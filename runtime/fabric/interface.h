/* SPDX-License-Identifier: BSD-3-Clause */
/* Which network interface: pure decisions on lists of interfaces, recorded or real. */
#ifndef TTI_FABRIC_INTERFACE_H
#define TTI_FABRIC_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TTI_INTERFACES_MAX 32 /* addresses of one host that are looked at */

enum tti_interface_flag {
    TTI_INTERFACE_UP = 1, /* up and running: a cable is in */
    TTI_INTERFACE_LOOPBACK = 2,
    TTI_INTERFACE_POINT_TO_POINT = 4
};

/* One address of an interface. */
typedef struct {
    char name[16];
    uint8_t family; /* 4 or 6 */
    uint8_t prefix; /* bits of the subnet's part */
    uint8_t flags;
    uint8_t address[16]; /* network order; 4 bytes used for family 4 */
    uint32_t speed;      /* Mbit/s; 0: unknown */
} tti_interface;

typedef struct {
    int count;
    tti_interface at[TTI_INTERFACES_MAX];
} tti_interface_list;

/* The addresses of this host, in the kernel's order. TUTTI_ERR_SYSTEM. */
int tti_interface_scan(tti_interface_list *list);

/* What this rank may use, out of `all`: with `wanted` (name, address, or address/prefix; "" for none) what it
 * names, else loopback alone for a job of one node: IPv6 only where there is no IPv4. For other jobs
 * everything but loopback, down, link-local and point-to-point ones, IPv4 first: it may be docker0's alone,
 * and join nothing. */
void tti_interface_candidates(const tti_interface_list *all, const char *wanted, bool single_node,
                              tti_interface_list *candidates);
/* An address that fills its prefix, such as 10.128.0.2/32 in a cloud, is on no subnet; it is routed to others
 * of its kind, and to subnets that it lies in. They count as one. */
bool tti_interface_same_subnet(const tti_interface *a, const tti_interface *b);

/* Which of `mine` all hosts can use: it is on a subnet that every host has, each by an address of its own (a
 * bridge such as docker0 has the same one everywhere and joins nothing). Of several the first in the order of
 * hosts[0], but subnets before routed addresses, and before one whose speed is known on all hosts a faster
 * one of which that is known too. Index in `mine`, or -1. Every host comes to the same subnet. */
int tti_interface_common(const tti_interface_list *mine, const tti_interface_list *const *hosts, int count);

/* "eth0 192.0.2.2/24, eth1 …", cut to `room`; "none" if empty. */
void tti_interface_print_list(const tti_interface_list *list, char *text, size_t room);

#endif
