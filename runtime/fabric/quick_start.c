/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/quick_start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/fabric/reference.h"

static tti_fabric_function **slot; /* libfabric's reference to fopen; NULL while it is as it was */

static FILE *open_but_kallsyms(const char *path, const char *mode)
{
    if (strcmp(path, "/proc/kallsyms") != 0) return fopen(path, mode);
    errno = ENOENT;
    return NULL;
}

void tti_fabric_quick_start_begin(void *handle)
{
    slot = tti_fabric_find_reference(handle, "fopen", (tti_fabric_function *)fopen);
    if (slot != NULL && !tti_fabric_point_reference(slot, (tti_fabric_function *)open_but_kallsyms))
        slot = NULL;
}

void tti_fabric_quick_start_end(void)
{
    if (slot != NULL) tti_fabric_point_reference(slot, (tti_fabric_function *)fopen);
    slot = NULL;
}
