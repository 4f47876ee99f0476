/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the user's that messages may be sent from in place: the regions of a context, in the order of
 * their addresses, none over another. Before there is a network a region is only noted down. */
#include <inttypes.h>
#include <rdma/fi_domain.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_threads.h"

#define TOLD 4 /* regions that an error lists */

static uintptr_t end_of(const tti_stream_region *region)
{
    return region->start + region->bytes;
}

/* The number of regions that begin at `at` or before. */
static int count_until(const tutti_stream_context *context, uintptr_t at)
{
    int low = 0, high = context->region_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (context->regions[middle]->start <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tti_stream_region *tti_stream_region_of(const tutti_stream_context *context, const void *data, size_t bytes)
{
    const uintptr_t at = (uintptr_t)data;
    const int before = count_until(context, at);
    tti_stream_region *region = before > 0 ? context->regions[before - 1] : NULL;
    return region != NULL && at <= end_of(region) && bytes <= end_of(region) - at ? region : NULL;
}

int tti_stream_not_in_a_region(const tutti_stream_context *context, const void *data, size_t bytes)
{
    char list[TOLD * 64] = "";
    size_t length = 0;
    for (int i = 0; i < context->region_count && i < TOLD; i++)
        length +=
            (size_t)snprintf(list + length, sizeof list - length, "%s%zu bytes at 0x%" PRIxPTR,
                             i > 0 ? ", " : ": ", context->regions[i]->bytes, context->regions[i]->start);
    return tti_fail(
        TUTTI_ERR_ARG,
        "tutti_stream_send: %zu bytes at %p do not lie in one registered region; there are %d%s%s; "
        "see tutti_stream_register()",
        bytes, data, context->region_count, list, context->region_count > TOLD ? ", …" : "");
}

/* Tells the provider, where it wants to know. */
static int tell_provider(tutti_stream_context *context, tti_stream_region *region)
{
    if (context->domain == NULL || (context->info->domain_attr->mr_mode & FI_MR_LOCAL) == 0) return 0;
    const int result = fi_mr_reg(context->domain, (const void *)region->start, region->bytes, FI_SEND, 0,
                                 region->start, 0, &region->registration, NULL);
    if (result == 0) return 0;
    region->registration = NULL;
    return tti_fail(TUTTI_ERR_NO_MEMORY,
                    "the provider cannot register %zu bytes at 0x%" PRIxPTR
                    " (%s): raise `ulimit -l`, or register less",
                    region->bytes, region->start, context->library->strerror(-result));
}

int tti_stream_regions_open(tutti_stream_context *context)
{
    int code = 0;
    for (int i = 0; i < context->region_count && code == 0; i++)
        code = tell_provider(context, context->regions[i]);
    return code;
}

void tti_stream_regions_close(tutti_stream_context *context)
{
    for (int i = 0; i < context->region_count; i++) {
        tti_stream_region *region = context->regions[i];
        if (region->registration != NULL) fi_close(&region->registration->fid);
        region->registration = NULL;
    }
}

void tti_stream_regions_free(tutti_stream_context *context)
{
    for (int i = 0; i < context->region_count; i++)
        free(context->regions[i]);
    free(context->regions);
}

static bool make_room(tutti_stream_context *context)
{
    if (context->region_count < context->region_room) return true;
    const int room = context->region_room > 0 ? 2 * context->region_room : 8;
    void *more = realloc(context->regions, (size_t)room * sizeof(tti_stream_region *));
    if (more == NULL) return false;
    context->regions = more;
    context->region_room = room;
    return true;
}

static int insert(tutti_stream_context *context, int place, uintptr_t start, size_t bytes)
{
    tti_stream_region *region = calloc(1, sizeof *region);
    if (region == NULL || !make_room(context)) {
        free(region);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a region more than %d", context->region_count);
    }
    region->start = start;
    region->bytes = bytes;
    const int code = tell_provider(context, region);
    if (code < 0) {
        free(region);
        return code;
    }
    memmove(&context->regions[place + 1], &context->regions[place],
            (size_t)(context->region_count - place) * sizeof(tti_stream_region *));
    context->regions[place] = region;
    context->region_count++;
    return 0;
}

static int register_region(tutti_stream_context *context, const void *data, size_t bytes)
{
    const uintptr_t start = (uintptr_t)data;
    if (data == NULL || bytes == 0 || bytes > UINTPTR_MAX - start)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_register: no context, or no memory (%zu bytes at %p)",
                        bytes, data);
    const int place = count_until(context, start);
    const tti_stream_region *other = NULL;
    if (place < context->region_count && context->regions[place]->start < start + bytes)
        other = context->regions[place];
    if (place > 0 && end_of(context->regions[place - 1]) > start) other = context->regions[place - 1];
    if (other != NULL)
        return tti_fail(
            TUTTI_ERR_ARG,
            "tutti_stream_register: of %zu bytes at %p some are registered already, in %zu bytes at "
            "0x%" PRIxPTR,
            bytes, data, other->bytes, other->start);
    return insert(context, place, start, bytes);
}

int tutti_stream_register(tutti_stream_context *context, const void *data, size_t bytes)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_register: there is no context");
    const int code = tti_stream_enter(context, "tutti_stream_register");
    return code < 0 ? code : tti_stream_leave(context, register_region(context, data, bytes));
}

static int forget_region(tutti_stream_context *context, const void *data)
{
    const uintptr_t start = (uintptr_t)data;
    const int place = count_until(context, start) - 1;
    if (place < 0 || context->regions[place]->start != start)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_unregister: no region begins at %p", data);
    tti_stream_region *region = context->regions[place];
    if (region->sends > 0)
        return tti_fail(
            TUTTI_ERR_STATE,
            "tutti_stream_unregister: %d pieces of the region at %p are being sent: wait for their "
            "on_sent",
            region->sends, data);
    if (region->registration != NULL) fi_close(&region->registration->fid);
    free(region);
    context->region_count--;
    memmove(&context->regions[place], &context->regions[place + 1],
            (size_t)(context->region_count - place) * sizeof(tti_stream_region *));
    return 0;
}

int tutti_stream_unregister(tutti_stream_context *context, const void *data)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_unregister: there is no context");
    const int code = tti_stream_enter(context, "tutti_stream_unregister");
    return code < 0 ? code : tti_stream_leave(context, forget_region(context, data));
}
