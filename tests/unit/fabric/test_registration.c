/* SPDX-License-Identifier: BSD-3-Clause */
/* The registration cache against a domain that is ours, so that every FI_MR_* mode is met, not only those of
 * the providers that are here. */
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/fabric/registration.h"
#include "tests/unit/expect.h"

#define MANY 200 /* registrations */

static struct {
    int live, made, bound, enabled;
    const void *base;
    size_t bytes;
    uint64_t access, key;
    int error;
    bool unique, taken[256]; /* keys of a byte, each for one registration alone */
} fake;

static int close_mr(struct fid *fid)
{
    fake.live--;
    free(fid);
    return 0;
}

static int bind_mr(struct fid *fid, struct fid *other, uint64_t flags)
{
    (void)fid, (void)other, (void)flags;
    fake.bound++;
    return 0;
}

static int control_mr(struct fid *fid, int command, void *argument)
{
    (void)fid, (void)argument;
    EXPECT(command == FI_ENABLE);
    fake.enabled++;
    return 0;
}

static struct fi_ops mr_ops = {
    .size = sizeof(struct fi_ops), .close = close_mr, .bind = bind_mr, .control = control_mr};

static int reg(struct fid *fid, const void *base, size_t bytes, uint64_t access, uint64_t offset,
               uint64_t key, uint64_t flags, struct fid_mr **mr, void *context)
{
    (void)fid, (void)context;
    EXPECT(offset == 0 && flags == 0);
    if (fake.error != 0) return -fake.error;
    if (fake.unique && fake.taken[key & 255]) return -FI_ENOKEY;
    fake.taken[key & 255] = true;
    struct fid_mr *made = calloc(1, sizeof *made);
    EXPECT(made != NULL);
    made->fid.ops = &mr_ops;
    made->mem_desc = made;
    made->key = 1000 + key;
    fake.live++;
    fake.made++;
    fake.base = base;
    fake.bytes = bytes;
    fake.access = access;
    fake.key = key;
    *mr = made;
    return 0;
}

static struct fi_ops_mr domain_mr = {.size = sizeof(struct fi_ops_mr), .reg = reg};
static struct fid_domain domain = {.mr = &domain_mr};
static struct fid_ep endpoint;

static tti_fabric_registry *start(int mode, size_t key_bytes)
{
    tti_fabric_registry *registry;
    memset(&fake, 0, sizeof fake);
    EXPECT(tti_fabric_registry_open(&domain, &endpoint, mode, key_bytes, &registry) == 0);
    return registry;
}

static void without_local(void)
{
    tti_fabric_registry *registry = start(0, 8);
    char buf[100];
    tti_fabric_registration *one;
    void *descriptor = buf;
    EXPECT(tti_fabric_registry_local(registry, buf, sizeof buf, TTI_FABRIC_TARGET, &one, &descriptor) == 0);
    EXPECT(one == NULL && descriptor == NULL && fake.made == 0);
    tti_fabric_registry_release(one);
    tti_fabric_registry_close(registry);
}

static void local_is_shared(void)
{
    tti_fabric_registry *registry = start(FI_MR_LOCAL, 8);
    char buf[1000];
    tti_fabric_registration *outer, *inner, *beyond, *again;
    void *descriptor;
    EXPECT(tti_fabric_registry_local(registry, buf, 500, TTI_FABRIC_TARGET, &outer, &descriptor) == 0 &&
           descriptor != NULL);
    EXPECT(tti_fabric_registry_local(registry, buf + 100, 400, TTI_FABRIC_TARGET, &inner, &descriptor) == 0);
    EXPECT(inner == outer && fake.made == 1);
    EXPECT(tti_fabric_registry_local(registry, buf + 100, 401, TTI_FABRIC_TARGET, &beyond, &descriptor) == 0);
    EXPECT(beyond != outer && fake.made == 2 && fake.bytes == 401);
    tti_fabric_registry_release(outer);
    EXPECT(fake.live == 2);
    tti_fabric_registry_release(inner);
    EXPECT(fake.live == 1);
    EXPECT(tti_fabric_registry_local(registry, buf, 500, TTI_FABRIC_TARGET, &again, &descriptor) == 0 &&
           fake.made == 3);
    tti_fabric_registry_close(registry); /* ends what users forgot */
    EXPECT(fake.live == 0);
}

static void remote(int mode, bool virtual_address)
{
    tti_fabric_registry *registry = start(mode, 8);
    char window[4096];
    tti_fabric_registration *whole, *part, *local;
    void *descriptor;
    EXPECT(tti_fabric_registry_remote(registry, window, sizeof window, &whole) == 0);
    EXPECT((fake.access & (FI_REMOTE_READ | FI_REMOTE_WRITE)) == (FI_REMOTE_READ | FI_REMOTE_WRITE));
    EXPECT(tti_fabric_registry_remote(registry, window + 512, 100, &part) == 0 && part == whole);
    const uint64_t at = tti_fabric_registration_address(registry, part, window + 512);
    EXPECT(at == (virtual_address ? (uintptr_t)window + 512 : 512));
    /* What is exposed serves local use as well. */
    EXPECT(tti_fabric_registry_local(registry, window + 1, 7, TTI_FABRIC_TARGET, &local, &descriptor) == 0);
    EXPECT((mode & FI_MR_LOCAL) != 0 ? local == whole && descriptor != NULL : local == NULL);
    tti_fabric_registry_release(local);
    tti_fabric_registry_release(part);
    tti_fabric_registry_release(whole);
    EXPECT(fake.live == 0 && fake.made == 1);
    tti_fabric_registry_close(registry);
}

/* A local registration must not be handed to peers. */
static void local_does_not_serve_peers(void)
{
    tti_fabric_registry *registry = start(FI_MR_LOCAL, 8);
    char buf[64];
    tti_fabric_registration *local, *exposed;
    void *descriptor;
    EXPECT(tti_fabric_registry_local(registry, buf, 64, TTI_FABRIC_TARGET, &local, &descriptor) == 0);
    EXPECT((fake.access & FI_REMOTE_WRITE) == 0);
    EXPECT(tti_fabric_registry_remote(registry, buf, 64, &exposed) == 0 && exposed != local &&
           fake.made == 2);
    tti_fabric_registry_close(registry);
}

/* A source may be memory that cannot be written; a target serves as one. */
static void source_is_not_written(void)
{
    tti_fabric_registry *registry = start(FI_MR_LOCAL, 8);
    char buf[64];
    tti_fabric_registration *source, *target, *again;
    void *descriptor;
    EXPECT(tti_fabric_registry_local(registry, buf, 64, TTI_FABRIC_SOURCE, &source, &descriptor) == 0);
    EXPECT(fake.access == (FI_SEND | FI_WRITE));
    EXPECT(tti_fabric_registry_local(registry, buf, 64, TTI_FABRIC_TARGET, &target, &descriptor) == 0);
    EXPECT(target != source && (fake.access & (FI_RECV | FI_READ)) == (FI_RECV | FI_READ));
    EXPECT(tti_fabric_registry_local(registry, buf, 64, TTI_FABRIC_SOURCE, &again, &descriptor) == 0);
    EXPECT(again == target && fake.made == 2);
    tti_fabric_registry_close(registry);
}

/* One byte of key is all there is: most of those chosen by chance are in use soon, and others are tried. */
static void short_keys(void)
{
    tti_fabric_registry *registry = start(0, 1);
    static char bytes[2 * MANY];
    static bool seen[256];
    tti_fabric_registration *one;
    fake.unique = true;
    for (int i = 0; i < MANY; i++) {
        EXPECT(tti_fabric_registry_remote(registry, bytes + 2 * i, 1, &one) == 0);
        EXPECT(fake.key < 256 && !seen[fake.key] && tti_fabric_registration_key(one) == 1000 + fake.key);
        seen[fake.key] = true;
    }
    tti_fabric_registry_close(registry);
}

/* All 64 bits differ somewhere, and none of the keys is near another: what a counter gives is. */
static void keys_are_random(void)
{
    tti_fabric_registry *registry = start(0, 8);
    static char bytes[2 * MANY];
    static uint64_t seen[MANY];
    uint64_t ones = 0, zeros = 0;
    tti_fabric_registration *one;
    for (int i = 0; i < MANY; i++) {
        EXPECT(tti_fabric_registry_remote(registry, bytes + 2 * i, 1, &one) == 0);
        seen[i] = fake.key;
        ones |= fake.key;
        zeros |= ~fake.key;
        for (int k = 0; k < i; k++)
            EXPECT(seen[k] - seen[i] + 1000 > 2000);
    }
    EXPECT(ones == UINT64_MAX && zeros == UINT64_MAX);
    tti_fabric_registry_close(registry);
}

static void provider_keys(void)
{
    static char bytes[300];
    tti_fabric_registration *one;
    tti_fabric_registry *registry = start(FI_MR_PROV_KEY, 8);
    EXPECT(tti_fabric_registry_remote(registry, bytes, 10, &one) == 0 && fake.key == 0);
    EXPECT(tti_fabric_registry_remote(registry, bytes + 20, 10, &one) == 0 && fake.key == 0);
    tti_fabric_registry_close(registry);
}

static void endpoint_bound(void)
{
    tti_fabric_registry *registry = start(FI_MR_ENDPOINT, 8);
    char buf[8];
    tti_fabric_registration *one;
    EXPECT(tti_fabric_registry_remote(registry, buf, 8, &one) == 0 && fake.bound == 1 && fake.enabled == 1);
    tti_fabric_registry_close(registry);
}

/* FI_MR_ALLOCATED: the pages must be there before the provider pins them. */
static void pages_are_there(void)
{
    tti_fabric_registry *registry = start(FI_MR_ALLOCATED, 8);
    const size_t bytes = 64 * 4096;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(memory != MAP_FAILED);
    tti_fabric_registration *one;
    EXPECT(tti_fabric_registry_remote(registry, memory, bytes, &one) == 0);
    unsigned char there[64];
    EXPECT(mincore(memory, bytes, there) == 0);
    for (int i = 0; i < 64; i++)
        EXPECT((there[i] & 1) != 0);
    tti_fabric_registry_close(registry);
    munmap(memory, bytes);
}

static void refused(void)
{
    tti_fabric_registry *registry = start(FI_MR_LOCAL, 8);
    fake.error = FI_ENOMEM;
    char buf[8];
    tti_fabric_registration *one;
    void *descriptor;
    EXPECT(tti_fabric_registry_local(registry, buf, 8, TTI_FABRIC_TARGET, &one, &descriptor) ==
           TUTTI_ERR_NO_MEMORY);
    EXPECT(strstr(tutti_error_detail(), "ulimit -l") != NULL && fake.live == 0);
    fake.error = FI_EFAULT;
    EXPECT(tti_fabric_registry_local(registry, buf, 8, TTI_FABRIC_TARGET, &one, &descriptor) ==
           TUTTI_ERR_FABRIC);
    EXPECT(strstr(tutti_error_detail(), "ulimit") == NULL && fake.live == 0);
    tti_fabric_registry_close(registry);
}

int main(void)
{
    without_local();
    local_is_shared();
    remote(0, false);
    remote(FI_MR_VIRT_ADDR, true);
    remote(FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY | FI_MR_ALLOCATED, true);
    local_does_not_serve_peers();
    source_is_not_written();
    short_keys();
    keys_are_random();
    provider_keys();
    endpoint_bound();
    pages_are_there();
    refused();
    return 0;
}
