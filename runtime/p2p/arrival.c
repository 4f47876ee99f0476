/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/arrival.h"
#include "runtime/base/copy.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"

/* Records are kept for reuse, in a few sizes: so many of so much room. */
#define POOLS 4
static const struct {
    size_t room;
    int most;
} kept[POOLS] = {{64, 1024}, {256, 256}, {1024, 128}, {4096, 64}};

static struct {
    tti_arrival *spare;
    int spares;
} pools[POOLS];

/* Those kept of which the sender waits to hear, spread by sender and number: there may be thousands, and the
 * first part of each comes behind it. */
#define SPREAD 1024
static tti_link awaited[SPREAD];

static tti_link *awaited_as(int source, uint32_t send_id)
{
    return &awaited[(send_id + 61 * (uint32_t)source) % SPREAD];
}

void tti_arrivals_open(void)
{
    for (int i = 0; i < SPREAD; i++)
        tti_list_init(&awaited[i]);
}

/* The smallest pool whose records have room for so much; POOLS: none has. */
static int pool_for(size_t bytes)
{
    int pool = 0;
    while (pool < POOLS && bytes > kept[pool].room)
        pool++;
    return pool;
}

static tti_arrival *take_record(size_t bytes)
{
    const int pool = pool_for(bytes);
    if (pool < POOLS && pools[pool].spare != NULL) {
        tti_arrival *arrival = pools[pool].spare;
        pools[pool].spare = arrival->next_free;
        pools[pool].spares--;
        return arrival;
    }
    const size_t room = pool < POOLS ? kept[pool].room : bytes;
    tti_arrival *arrival = malloc(sizeof *arrival + room);
    if (arrival != NULL) arrival->room = room;
    return arrival;
}

TTI_HOT tti_arrival *tti_arrival_keep(const tti_incoming *message)
{
    const size_t copied = message->kind == TTI_MESSAGE_WHOLE ? message->bytes : 0;
    tti_arrival *arrival = take_record(copied);
    if (arrival == NULL) return NULL;
    arrival->message = *message;
    arrival->message.payload = message->kind == TTI_MESSAGE_OFFERED ? NULL : arrival->data;
    arrival->message.first = 0;
    arrival->taken = false;
    tti_list_init(&arrival->awaited);
    if (message->send_id != 0)
        tti_list_append(awaited_as(message->source, message->send_id), &arrival->awaited);
    if (copied > 0) tti_copy_long(arrival->data, message->payload, copied);
    tti_match_keep(&tti_p2p_engine.match, &arrival->match, message->context, message->source, message->tag);
    tti_sleep_notify();
    return arrival;
}

tti_arrival *tti_arrival_awaited(int source, uint32_t send_id)
{
    const tti_link *all = awaited_as(source, send_id);
    for (tti_link *at = all->next; at != all; at = at->next) {
        tti_arrival *arrival = TTI_OWNER(at, tti_arrival, awaited);
        if (arrival->message.source == source && arrival->message.send_id == send_id) return arrival;
    }
    return NULL;
}

static bool is_taken(const tti_arrival *arrival, const tutti_comm *comm)
{
    return arrival->taken && (comm == NULL || arrival->message.context / TTI_COMM_SPACES == comm->context);
}

void tti_arrivals_end_taken(const tutti_comm *comm, void (*end)(const tti_incoming *message))
{
    for (int i = 0; i < SPREAD; i++) {
        for (tti_link *at = awaited[i].next, *next; at != &awaited[i]; at = next) {
            tti_arrival *arrival = TTI_OWNER(at, tti_arrival, awaited);
            next = at->next;
            if (!is_taken(arrival, comm)) continue;
            const tti_incoming message = arrival->message;
            tti_list_remove(at);
            arrival->message.kind = TTI_MESSAGE_WITHDRAWN;
            end(&message);
        }
    }
}

void tti_arrival_add_first(int source, uint32_t send_id, const void *data, size_t bytes)
{
    tti_arrival *arrival = tti_arrival_awaited(source, send_id);
    if (arrival == NULL || arrival->message.kind != TTI_MESSAGE_OFFERED || bytes > arrival->message.bytes ||
        arrival->message.first > 0 || bytes == 0)
        return;
    void *copy = malloc(bytes);
    if (copy == NULL) return;
    tti_copy_long(copy, data, bytes);
    arrival->message.payload = copy;
    arrival->message.first = bytes;
}

static void free_first(tti_arrival *arrival)
{
    if (arrival->message.first > 0) free((void *)(uintptr_t)arrival->message.payload);
    arrival->message.first = 0;
}

TTI_HOT void tti_arrival_take(tti_arrival *arrival)
{
    tti_match_drop(&tti_p2p_engine.match, &arrival->match);
    arrival->taken = true;
    if (arrival->message.kind != TTI_MESSAGE_OWN) return;
    /* A sender to itself whose message a matched probe took can no longer withdraw it, and waits to hear. */
    arrival->message.sender->state = TTI_OP_AWAIT;
    tti_list_append(awaited_as(arrival->message.source, 0), &arrival->awaited);
}

TTI_HOT void tti_arrival_free(tti_arrival *arrival)
{
    tti_list_remove(&arrival->awaited);
    free_first(arrival);
    const int pool = pool_for(arrival->room);
    if (pool == POOLS || pools[pool].spares == kept[pool].most) {
        free(arrival);
        return;
    }
    arrival->next_free = pools[pool].spare;
    pools[pool].spare = arrival;
    pools[pool].spares++;
}

static void free_spares(int pool)
{
    while (pools[pool].spare != NULL) {
        tti_arrival *next = pools[pool].spare->next_free;
        free(pools[pool].spare);
        pools[pool].spare = next;
    }
    pools[pool].spares = 0;
}

void tti_arrivals_close(void)
{
    tti_match_message *match;
    while ((match = tti_match_any_waiting(&tti_p2p_engine.match)) != NULL) {
        tti_match_drop(&tti_p2p_engine.match, match);
        tti_list_remove(&((tti_arrival *)match)->awaited);
        free_first((tti_arrival *)match);
        free(match);
    }
    for (int pool = 0; pool < POOLS; pool++)
        free_spares(pool);
}
