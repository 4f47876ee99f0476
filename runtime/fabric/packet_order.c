/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/packet_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"

/* In so many different seconds packets come ahead of the one that is due before that counts as lost. From a
 * peer that is quiet otherwise come those of in_step.c, after 1, 2, 4, 8 and 16 seconds. */
#define LATE_MOST 5

/* Where the packet of that number is or belongs. */
static tti_fabric_early **place_of(tti_fabric_order *order, uint32_t number)
{
    tti_fabric_early **place = &order->early;
    while (*place != NULL && (*place)->number - order->due < number - order->due)
        place = &(*place)->next;
    return place;
}

static bool is_overdue(tti_fabric_order *order, int64_t now)
{
    if (order->late > 0 && now - order->late_ns < TTI_NS_PER_SECOND) return false;
    order->late_ns = now;
    return ++order->late >= LATE_MOST;
}

enum tti_fabric_place tti_fabric_order_judge(tti_fabric_order *order, uint32_t number, int64_t now)
{
    if (number == order->due) return TTI_PLACE_DUE;
    if (number - order->due > TTI_FABRIC_EARLY_MOST) return TTI_PLACE_LOST; /* or behind it */
    const tti_fabric_early *same = *place_of(order, number);
    if (same != NULL && same->number == number) return TTI_PLACE_LOST;
    return is_overdue(order, now) ? TTI_PLACE_LOST : TTI_PLACE_EARLY;
}

int tti_fabric_order_keep(tti_fabric_order *order, uint32_t number, const void *data, size_t bytes)
{
    tti_fabric_early *early = malloc(sizeof *early + bytes);
    if (early == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a packet of %zu bytes that came early", bytes);
    tti_fabric_early **place = place_of(order, number);
    early->number = number;
    early->bytes = bytes;
    if (bytes > 0) memcpy(early->data, data, bytes);
    early->next = *place;
    *place = early;
    return 0;
}

void tti_fabric_order_advance(tti_fabric_order *order)
{
    order->due++;
    order->late = 0;
}

tti_fabric_early *tti_fabric_order_take(tti_fabric_order *order)
{
    tti_fabric_early *first = order->early;
    if (first == NULL || first->number != order->due) return NULL;
    order->early = first->next;
    tti_fabric_order_advance(order);
    return first;
}

void tti_fabric_order_forget(tti_fabric_order *order)
{
    while (order->early != NULL) {
        tti_fabric_early *first = order->early;
        order->early = first->next;
        free(first);
    }
}
