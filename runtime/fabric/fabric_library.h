/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric, loaded at run time: a job that needs no network must not pay for it. The few real symbols; all
 * else in its headers is inline (but fi_allocinfo(), fi_rma_… helpers that call these: use the table). */
#ifndef TTI_FABRIC_LIBRARY_H
#define TTI_FABRIC_LIBRARY_H

#include <rdma/fabric.h>

typedef struct {
    int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **info);
    void (*freeinfo)(struct fi_info *info);
    struct fi_info *(*dupinfo)(const struct fi_info *info);
    int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
    const char *(*strerror)(int error);
    uint32_t (*version)(void);
} tti_fabric_library;

/* The interface version that Tutti is written against: what 1.17 offers and 2.x still does. */
#define TTI_FABRIC_API FI_VERSION(1, 17)

/* Loads libfabric on first use (it stays until the process ends: its providers do not survive dlclose).
 * TUTTI_ERR_FABRIC if it is absent or too old, TUTTI_ERR_LIMIT if there is no descriptor to open it with. */
int tti_fabric_library_load(const tti_fabric_library **library);

#endif
