/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided access: exposed memory, reads, writes. */
#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/operation.h"

struct tti_fabric_region {
    tti_fabric_registration *registration;
};

int tti_fabric_expose(tti_fabric *fabric, void *base, size_t bytes, tti_fabric_region **region,
                      tti_fabric_remote *remote)
{
    tti_fabric_region *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to expose a region");
    const int code = tti_fabric_registry_remote(fabric->registry, base, bytes, &made->registration);
    if (code < 0) {
        free(made);
        return code;
    }
    remote->address = tti_fabric_registration_address(fabric->registry, made->registration, base);
    remote->key = tti_fabric_registration_key(made->registration);
    *region = made;
    return 0;
}

void tti_fabric_conceal(tti_fabric_region *region)
{
    if (region == NULL) return;
    tti_fabric_registry_release(region->registration);
    free(region);
}

int tti_fabric_read(tti_fabric *fabric, int rank, const tti_fabric_remote *remote, size_t offset, void *buf,
                    size_t bytes, tti_fabric_op *op)
{
    tti_fabric_operation operation = {.use = TTI_FABRIC_TARGET};
    const int code = tti_fabric_begin(fabric, rank, TTI_RECORD_SEND, buf, bytes, op, &operation);
    if (code != 0) return code;
    const tti_fabric_rest rest = {.call = TTI_CALL_READ,
                                  .at = buf,
                                  .left = bytes,
                                  .where = remote->address + offset,
                                  .key = remote->key};
    return tti_fabric_start(fabric, &operation, &rest);
}

int tti_fabric_write(tti_fabric *fabric, int rank, const tti_fabric_remote *remote, size_t offset,
                     const void *buf, size_t bytes, tti_fabric_op *op)
{
    tti_fabric_operation operation = {.use = TTI_FABRIC_SOURCE};
    const int code = tti_fabric_begin(fabric, rank, TTI_RECORD_SEND, buf, bytes, op, &operation);
    if (code != 0) return code;
    const tti_fabric_rest rest = {.call = TTI_CALL_WRITE,
                                  .at = (uint8_t *)(uintptr_t)buf,
                                  .left = bytes,
                                  .where = remote->address + offset,
                                  .key = remote->key};
    return tti_fabric_start(fabric, &operation, &rest);
}
