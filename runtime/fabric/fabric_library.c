/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/fabric_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/descriptor_room.h"
#include "runtime/base/status.h"

#define LIBRARY "libfabric.so.1"

static tti_fabric_library loaded;

typedef struct {
    const char *name;
    void **place;
} symbol;

static int resolve(void *handle)
{
    /* POSIX, not C, promises that a function pointer fits a void *. */
    const symbol symbols[] = {
        {"fi_getinfo", (void **)&loaded.getinfo},   {"fi_freeinfo", (void **)&loaded.freeinfo},
        {"fi_dupinfo", (void **)&loaded.dupinfo},   {"fi_fabric", (void **)&loaded.fabric},
        {"fi_strerror", (void **)&loaded.strerror}, {"fi_version", (void **)&loaded.version},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *symbols[i].place = dlsym(handle, symbols[i].name);
        if (*symbols[i].place == NULL)
            return tti_fail(TUTTI_ERR_FABRIC, "%s has no %s; install libfabric 1.17 or newer", LIBRARY,
                            symbols[i].name);
    }
    return 0;
}

static int load(void)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL && !tti_descriptors_left(1))
        return tti_fail(TUTTI_ERR_LIMIT, "libfabric cannot be loaded: %s%s", strerror(EMFILE),
                        tti_descriptors_remedy(EMFILE));
    if (handle == NULL)
        return tti_fail(TUTTI_ERR_FABRIC,
                        "ranks on other nodes, and streams, need libfabric (Debian: libfabric1), which "
                        "cannot be loaded: %s",
                        dlerror());
    const int code = resolve(handle);
    if (code < 0) return code;
    const uint32_t version = loaded.version();
    if (FI_VERSION_LT(version, TTI_FABRIC_API))
        return tti_fail(TUTTI_ERR_FABRIC, "libfabric here is %u.%u; Tutti needs 1.17 or newer",
                        FI_MAJOR(version), FI_MINOR(version));
    return 0;
}

int tti_fabric_library_load(const tti_fabric_library **library)
{
    static bool ready;
    if (!ready) {
        const int code = load();
        if (code < 0) return code;
        ready = true;
    }
    *library = &loaded;
    return 0;
}
