/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of operations under way: made in chunks, kept for reuse. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

#define CHUNK_RECORDS 32

typedef struct {
    tti_link link;
    tti_fabric_record records[CHUNK_RECORDS];
} chunk;

static bool grow(tti_fabric *fabric)
{
    chunk *more = calloc(1, sizeof *more);
    if (more == NULL) return false;
    tti_list_append(&fabric->chunks, &more->link);
    for (int i = 0; i < CHUNK_RECORDS; i++)
        tti_list_append(&fabric->free, &more->records[i].link);
    return true;
}

tti_fabric_record *tti_fabric_take_record(tti_fabric *fabric, enum tti_fabric_record_kind kind, int rank,
                                          tti_fabric_op *op)
{
    if (tti_list_empty(&fabric->free) && !grow(fabric)) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for another operation on the fabric");
        return NULL;
    }
    tti_fabric_record *record = TTI_OWNER(fabric->free.next, tti_fabric_record, link);
    tti_list_remove(&record->link);
    tti_list_append(&fabric->active, &record->link);
    record->kind = (uint8_t)kind;
    record->rank = rank;
    record->op = op;
    if (kind == TTI_RECORD_SEND) tti_fabric_find(fabric, rank)->under_way++;
    if (op != NULL) op->reserved[0] = (uintptr_t)record;
    return record;
}

void tti_fabric_drop_record(tti_fabric *fabric, tti_fabric_record *record)
{
    tti_list_remove(&record->link);
    if (record->failed_ns != 0) fabric->failing--;
    if (record->stalled) fabric->stalled--;
    if (record->kind == TTI_RECORD_SEND) tti_fabric_find(fabric, record->rank)->under_way--;
    tti_fabric_registry_release(record->local);
    memset(record, 0, sizeof *record);
    /* Put in front: the next operation finds it in the cache. */
    tti_list_append(fabric->free.next, &record->link);
}

void tti_fabric_free_records(tti_fabric *fabric)
{
    while (!tti_list_empty(&fabric->chunks)) {
        chunk *one = TTI_OWNER(fabric->chunks.next, chunk, link);
        tti_list_remove(&one->link);
        free(one);
    }
}
