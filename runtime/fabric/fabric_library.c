/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/fabric_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/fabric/quick_start.h"

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

/* The first call starts all providers. */
static void start_providers(void *handle)
{
    struct fi_info *none = NULL, *hints = loaded.dupinfo(NULL);
    if (hints == NULL) return;
    hints->fabric_attr->prov_name = strdup("none");
    tti_fabric_quick_start_begin(handle);
    if (loaded.getinfo(TTI_FABRIC_API, NULL, NULL, 0, hints, &none) == 0) loaded.freeinfo(none);
    tti_fabric_quick_start_end();
    loaded.freeinfo(hints);
}

static int load(void)
{
    void *handle = loaded.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return tti_fail(
            TUTTI_ERR_FABRIC,
            "ranks on other nodes need libfabric (Debian: libfabric1), and it cannot be loaded: %s",
            dlerror());
    const int code = resolve(handle);
    if (code < 0) return code;
    const uint32_t version = loaded.version();
    if (FI_VERSION_LT(version, TTI_FABRIC_API))
        return tti_fail(TUTTI_ERR_FABRIC, "libfabric here is %u.%u; Tutti needs 1.17 or newer",
                        FI_MAJOR(version), FI_MINOR(version));
    start_providers(handle);
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
