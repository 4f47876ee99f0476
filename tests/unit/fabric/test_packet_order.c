/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that come in another order than they were sent: taken in order, lost only where that is sure. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/fabric/packet_order.h"
#include "tests/unit/expect.h"

#define BEGIN UINT32_MAX - 2 /* numbers go round */

static void keep(tti_fabric_order *order, uint32_t number, int64_t now)
{
    EXPECT(tti_fabric_order_judge(order, number, now) == TTI_PLACE_EARLY);
    EXPECT(tti_fabric_order_keep(order, number, &number, sizeof number) == 0);
}

static void take(tti_fabric_order *order, uint32_t number)
{
    tti_fabric_early *early = tti_fabric_order_take(order);
    EXPECT(early != NULL && early->number == number && early->bytes == sizeof number);
    EXPECT(memcmp(early->data, &number, sizeof number) == 0);
    free(early);
}

static void check_gaps_close(void)
{
    tti_fabric_order order = {.due = BEGIN};
    const uint32_t first = order.due, order_of_arrival[] = {4, 1, 6, 2};
    for (int i = 0; i < 4; i++)
        keep(&order, first + order_of_arrival[i], 1);
    EXPECT(tti_fabric_order_take(&order) == NULL);
    EXPECT(tti_fabric_order_judge(&order, first, 1) == TTI_PLACE_DUE);
    tti_fabric_order_advance(&order);
    take(&order, first + 1);
    take(&order, first + 2);
    EXPECT(tti_fabric_order_take(&order) == NULL && order.due == first + 3);
    tti_fabric_order_advance(&order);
    take(&order, first + 4);
    EXPECT(tti_fabric_order_take(&order) == NULL && order.early->number == first + 6);
    tti_fabric_order_forget(&order);
    EXPECT(order.early == NULL);
}

static void check_losses(void)
{
    tti_fabric_order order = {.due = BEGIN};
    const uint32_t first = order.due;
    keep(&order, first + 3, 1);
    keep(&order, first + TTI_FABRIC_EARLY_MOST, 1);
    EXPECT(tti_fabric_order_judge(&order, first + 3, 1) == TTI_PLACE_LOST);
    EXPECT(tti_fabric_order_judge(&order, first - 1, 1) == TTI_PLACE_LOST);
    EXPECT(tti_fabric_order_judge(&order, first + TTI_FABRIC_EARLY_MOST + 1, 1) == TTI_PLACE_LOST);
    tti_fabric_order_forget(&order);
}

/* Many at once say nothing, however long the peer was silent before; some, seconds apart, do. */
static void check_gap_stays(void)
{
    tti_fabric_order order = {.due = BEGIN};
    const uint32_t first = order.due;
    int64_t now = 1;
    uint32_t number = first + 1;
    for (int i = 0; i < 4; i++, now += 1000 * TTI_NS_PER_SECOND) {
        for (int j = 0; j < 20; j++)
            keep(&order, number++, now + j);
    }
    EXPECT(tti_fabric_order_judge(&order, number, now) == TTI_PLACE_LOST);
    tti_fabric_order_forget(&order);
}

/* Each gap has its own time. */
static void check_gaps_apart(void)
{
    tti_fabric_order order = {.due = BEGIN};
    for (int i = 0; i < 20; i++) {
        keep(&order, order.due + 1, 1 + i * 2 * TTI_NS_PER_SECOND);
        tti_fabric_order_advance(&order);
        take(&order, order.due);
    }
}

int main(void)
{
    check_gaps_close();
    check_losses();
    check_gap_stays();
    check_gaps_apart();
    return 0;
}
