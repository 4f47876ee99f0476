/* SPDX-License-Identifier: BSD-3-Clause */
/* The one part of the interface choice that asks the system. */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/fabric/interface.h"

static uint8_t count_bits(const uint8_t *mask, size_t bytes)
{
    uint8_t bits = 0;
    for (size_t i = 0; i < bytes; i++)
        bits = (uint8_t)(bits + __builtin_popcount(mask[i]));
    return bits;
}

/* In Mbit/s; 0 where the driver does not know it, or says nonsense: -1 for many virtual ones. */
static uint32_t read_speed(const char *name)
{
    char path[64];
    long speed = 0;
    snprintf(path, sizeof path, "/sys/class/net/%.16s/speed", name);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%ld", &speed) != 1 || speed < 0 || speed >= UINT32_MAX) speed = 0;
    fclose(file);
    return (uint32_t)speed;
}

static bool convert(const struct ifaddrs *from, tti_interface *to)
{
    if (from->ifa_addr == NULL || from->ifa_netmask == NULL) return false;
    memset(to, 0, sizeof *to);
    snprintf(to->name, sizeof to->name, "%s", from->ifa_name);
    if (from->ifa_addr->sa_family == AF_INET) {
        to->family = 4;
        memcpy(to->address, &((const struct sockaddr_in *)from->ifa_addr)->sin_addr, 4);
        to->prefix =
            count_bits((const uint8_t *)&((const struct sockaddr_in *)from->ifa_netmask)->sin_addr, 4);
    } else if (from->ifa_addr->sa_family == AF_INET6) {
        to->family = 6;
        memcpy(to->address, &((const struct sockaddr_in6 *)from->ifa_addr)->sin6_addr, 16);
        to->prefix =
            count_bits((const uint8_t *)&((const struct sockaddr_in6 *)from->ifa_netmask)->sin6_addr, 16);
    } else {
        return false;
    }
    if ((from->ifa_flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING)) to->flags |= TTI_INTERFACE_UP;
    if ((from->ifa_flags & IFF_LOOPBACK) != 0) to->flags |= TTI_INTERFACE_LOOPBACK;
    if ((from->ifa_flags & IFF_POINTOPOINT) != 0) to->flags |= TTI_INTERFACE_POINT_TO_POINT;
    to->speed = read_speed(to->name);
    return true;
}

int tti_interface_scan(tti_interface_list *list)
{
    struct ifaddrs *all;
    list->count = 0;
    if (getifaddrs(&all) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "cannot list this host's network interfaces");
    for (const struct ifaddrs *one = all; one != NULL && list->count < TTI_INTERFACES_MAX;
         one = one->ifa_next) {
        if (convert(one, &list->at[list->count])) list->count++;
    }
    freeifaddrs(all);
    return 0;
}
