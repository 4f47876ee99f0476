/* SPDX-License-Identifier: BSD-3-Clause */
/* A libfabric that has nothing, linked as ./configure && make does it: its jump table is bound when used, and
 * shares pages with what the library writes. */
#include <rdma/fabric.h>
#include <rdma/fi_errno.h>
#include <stdio.h>

#include "runtime/fabric/fabric_library.h"

#define OFFERED __attribute__((visibility("default")))

static int counter = 1;

OFFERED int plain_count(void);

/* Writes beside the jump table. */
OFFERED int plain_count(void)
{
    return counter++;
}

OFFERED int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                       const struct fi_info *hints, struct fi_info **info)
{
    (void)version, (void)node, (void)service, (void)flags, (void)hints, (void)info;
    FILE *file = fopen("/proc/kallsyms", "r");
    if (file != NULL) fclose(file);
    return -FI_ENODATA;
}

OFFERED void fi_freeinfo(struct fi_info *info)
{
    (void)info;
}

OFFERED struct fi_info *fi_dupinfo(const struct fi_info *info)
{
    static struct fi_fabric_attr fabric;
    static struct fi_info hints = {.fabric_attr = &fabric};
    (void)info;
    return &hints;
}

OFFERED int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    (void)attr, (void)fabric, (void)context;
    return -FI_ENODATA;
}

OFFERED const char *fi_strerror(int error)
{
    (void)error;
    return "nothing here works";
}

OFFERED uint32_t fi_version(void)
{
    return TTI_FABRIC_API;
}
