/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/registration.h"

#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/list.h"
#include "runtime/base/pages.h"
#include "runtime/base/random.h"
#include "runtime/base/status.h"

/* By use. Providers take FI_RECV and FI_READ for writing here. */
static const uint64_t access_of[] = {
    [TTI_FABRIC_SOURCE] = FI_SEND | FI_WRITE,
    [TTI_FABRIC_TARGET] = FI_SEND | FI_WRITE | FI_RECV | FI_READ,
    [TTI_FABRIC_EXPOSED] = FI_SEND | FI_WRITE | FI_RECV | FI_READ | FI_REMOTE_READ | FI_REMOTE_WRITE,
};
#define KEYS_TRIED 1000

struct tti_fabric_registration {
    tti_link link;
    struct fid_mr *mr;
    uintptr_t base, end;
    enum tti_fabric_use use;
    int users;
};

struct tti_fabric_registry {
    struct fid_domain *domain;
    struct fid_ep *endpoint;
    tti_link all; /* most recently used first: programs come back to the same buffers */
    uint64_t key_mask;
    int mr_mode;
};

int tti_fabric_registry_open(struct fid_domain *domain, struct fid_ep *endpoint, int mr_mode,
                             size_t key_bytes, tti_fabric_registry **registry)
{
    tti_fabric_registry *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the table of registrations");
    made->domain = domain;
    made->endpoint = endpoint;
    made->mr_mode = mr_mode;
    made->key_mask = key_bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * key_bytes)) - 1;
    tti_list_init(&made->all);
    *registry = made;
    return 0;
}

static void end_registration(tti_fabric_registration *one)
{
    tti_list_remove(&one->link);
    fi_close(&one->mr->fid);
    free(one);
}

void tti_fabric_registry_close(tti_fabric_registry *registry)
{
    if (registry == NULL) return;
    while (!tti_list_empty(&registry->all))
        end_registration(TTI_OWNER(registry->all.next, tti_fabric_registration, link));
    free(registry);
}

static tti_fabric_registration *find(tti_fabric_registry *registry, uintptr_t base, uintptr_t end,
                                     enum tti_fabric_use use)
{
    for (tti_link *at = registry->all.next; at != &registry->all; at = at->next) {
        tti_fabric_registration *one = TTI_OWNER(at, tti_fabric_registration, link);
        if (one->base <= base && end <= one->end && one->use >= use) return one;
    }
    return NULL;
}

static int fail_registration(uintptr_t base, uintptr_t end, int result)
{
    const bool room = result == -FI_ENOMEM || result == -FI_EAGAIN;
    return tti_fail(room ? TUTTI_ERR_NO_MEMORY : TUTTI_ERR_FABRIC,
                    "the provider cannot register %zu bytes at %p (%s)%s", (size_t)(end - base), (void *)base,
                    strerror(-result), room ? ": raise `ulimit -l`, or expose less" : "");
}

static int bind_endpoint(const tti_fabric_registry *registry, struct fid_mr *mr)
{
    if ((registry->mr_mode & FI_MR_ENDPOINT) == 0) return 0;
    const int result = fi_mr_bind(mr, &registry->endpoint->fid, 0);
    return result != 0 ? result : fi_mr_enable(mr);
}

/* Whoever knows the key of exposed memory and reaches the port may write there, so it cannot be guessed. */
static int choose_key(const tti_fabric_registry *registry, uint64_t *key)
{
    *key = 0;
    if ((registry->mr_mode & FI_MR_PROV_KEY) != 0) return 0;
    const int code = tti_random_fill(key, sizeof *key, "the key of a registration");
    *key &= registry->key_mask;
    return code;
}

/* Where keys are short one may be in use already. */
static int register_memory(const tti_fabric_registry *registry, uintptr_t base, uintptr_t end,
                           uint64_t access, struct fid_mr **mr)
{
    int result = -FI_ENOKEY;
    for (int i = 0; result == -FI_ENOKEY && i < KEYS_TRIED; i++) {
        uint64_t key;
        const int code = choose_key(registry, &key);
        if (code < 0) return code;
        result = fi_mr_reg(registry->domain, (const void *)base, end - base, access, 0, key, 0, mr, NULL);
    }
    if (result != 0) return fail_registration(base, end, result);
    result = bind_endpoint(registry, *mr);
    if (result == 0) return 0;
    fi_close(&(*mr)->fid);
    return fail_registration(base, end, result);
}

static int make(tti_fabric_registry *registry, uintptr_t base, uintptr_t end, enum tti_fabric_use use,
                tti_fabric_registration **registration)
{
    tti_fabric_registration *one = calloc(1, sizeof *one);
    if (one == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to register a buffer");
    if ((registry->mr_mode & FI_MR_ALLOCATED) != 0) tti_pages_read((const void *)base, end - base);
    const int code = register_memory(registry, base, end, access_of[use], &one->mr);
    if (code < 0) {
        free(one);
        return code;
    }
    one->base = base;
    one->end = end;
    one->use = use;
    tti_list_append(registry->all.next, &one->link); /* in front */
    *registration = one;
    return 0;
}

static int obtain(tti_fabric_registry *registry, uintptr_t base, size_t bytes, enum tti_fabric_use use,
                  tti_fabric_registration **registration)
{
    const uintptr_t end = base + (bytes > 0 ? bytes : 1);
    tti_fabric_registration *one = find(registry, base, end, use);
    if (one == NULL) {
        const int code = make(registry, base, end, use, &one);
        if (code < 0) return code;
    }
    one->users++;
    *registration = one;
    return 0;
}

int tti_fabric_registry_local(tti_fabric_registry *registry, const void *base, size_t bytes,
                              enum tti_fabric_use use, tti_fabric_registration **registration,
                              void **descriptor)
{
    *registration = NULL;
    *descriptor = NULL;
    if ((registry->mr_mode & FI_MR_LOCAL) == 0 || bytes == 0) return 0;
    const int code = obtain(registry, (uintptr_t)base, bytes, use, registration);
    if (code == 0) *descriptor = fi_mr_desc((*registration)->mr);
    return code;
}

int tti_fabric_registry_remote(tti_fabric_registry *registry, void *base, size_t bytes,
                               tti_fabric_registration **registration)
{
    return obtain(registry, (uintptr_t)base, bytes, TTI_FABRIC_EXPOSED, registration);
}

uint64_t tti_fabric_registration_address(const tti_fabric_registry *registry,
                                         const tti_fabric_registration *registration, const void *base)
{
    return (registry->mr_mode & FI_MR_VIRT_ADDR) != 0 ? (uintptr_t)base
                                                      : (uintptr_t)base - registration->base;
}

uint64_t tti_fabric_registration_key(const tti_fabric_registration *registration)
{
    return fi_mr_key(registration->mr);
}

void tti_fabric_registry_release(tti_fabric_registration *registration)
{
    if (registration != NULL && --registration->users == 0) end_registration(registration);
}
