/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/agree_early.h"

#include <stdlib.h>
#include <string.h>

typedef struct early_message {
    struct early_message *next;
    tti_am_fn *handle;
    int from;
    size_t bytes;
    uint64_t payload[];
} early_message;

static early_message *first, **end = &first;

bool tti_early_keep(tti_am_fn *handle, int job_rank, const void *payload, size_t bytes)
{
    early_message *message = malloc(sizeof *message + bytes);
    if (message == NULL) return false;
    *message = (early_message){.handle = handle, .from = job_rank, .bytes = bytes};
    memcpy(message->payload, payload, bytes);
    *end = message;
    end = &message->next;
    return true;
}

static early_message *take_all(void)
{
    early_message *all = first;
    first = NULL;
    end = &first;
    return all;
}

void tti_early_settle(void)
{
    for (early_message *message = take_all(), *next; message != NULL; message = next) {
        next = message->next;
        message->handle(message->from, message->payload, message->bytes);
        free(message);
    }
}

void tti_early_forget(void)
{
    for (early_message *message = take_all(), *next; message != NULL; message = next) {
        next = message->next;
        free(message);
    }
}
