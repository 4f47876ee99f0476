/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/arrival.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/p2p/progress.h"

/* Records with room for small messages are kept for reuse: so many of so much room. */
#define SMALL_ROOM 64
#define SPARE_MOST 1024

static struct {
    tti_arrival *spare;
    int spares;
} pool;

static tti_link offered = {&offered, &offered};

static tti_arrival *take_record(size_t bytes)
{
    if (bytes <= SMALL_ROOM && pool.spare != NULL) {
        tti_arrival *arrival = pool.spare;
        pool.spare = arrival->next_free;
        pool.spares--;
        return arrival;
    }
    const size_t room = bytes < SMALL_ROOM ? SMALL_ROOM : bytes;
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
    arrival->message.payload = arrival->data;
    tti_list_init(&arrival->offered);
    if (message->kind == TTI_MESSAGE_OFFERED) tti_list_append(&offered, &arrival->offered);
    if (copied > 0) memcpy(arrival->data, message->payload, copied);
    tti_match_keep(&tti_p2p_engine.match, &arrival->match, message->context, message->source, message->tag);
    tti_wait_notify();
    return arrival;
}

tti_arrival *tti_arrival_offered(int source, uint32_t send_id)
{
    for (tti_link *at = offered.next; at != &offered; at = at->next) {
        tti_arrival *arrival = TTI_OWNER(at, tti_arrival, offered);
        if (arrival->message.source == source && arrival->message.send_id == send_id) return arrival;
    }
    return NULL;
}

TTI_HOT void tti_arrival_take(tti_arrival *arrival)
{
    tti_match_drop(&tti_p2p_engine.match, &arrival->match);
    /* A sender to itself whose message a matched probe took can no longer withdraw it. */
    if (arrival->message.kind == TTI_MESSAGE_OWN) arrival->message.sender->state = TTI_OP_AWAIT;
}

TTI_HOT void tti_arrival_free(tti_arrival *arrival)
{
    tti_list_remove(&arrival->offered);
    if (arrival->room > SMALL_ROOM || pool.spares == SPARE_MOST) {
        free(arrival);
        return;
    }
    arrival->next_free = pool.spare;
    pool.spare = arrival;
    pool.spares++;
}

void tti_arrivals_close(void)
{
    tti_match_message *match;
    while ((match = tti_match_any_waiting(&tti_p2p_engine.match)) != NULL) {
        tti_match_drop(&tti_p2p_engine.match, match);
        tti_list_remove(&((tti_arrival *)match)->offered);
        free(match);
    }
    while (pool.spare != NULL) {
        tti_arrival *next = pool.spare->next_free;
        free(pool.spare);
        pool.spare = next;
    }
    pool.spares = 0;
}
