/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets as they arrive: the buffers that are posted for them, whom they come from, and to whom they go. */
#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

/* Posts what it can; what the provider refuses now is tried again at the next poll. Returns how many it took,
 * or, if it took none, what it said. */
static ssize_t post_arrivals(tti_fabric *fabric)
{
    ssize_t posted = 0, result = 0;
    while (result == 0 && !tti_list_empty(&fabric->arrivals_unposted)) {
        tti_fabric_record *record = TTI_OWNER(fabric->arrivals_unposted.next, tti_fabric_record, link);
        tti_fabric_enter(fabric->watch);
        result = fi_recv(fabric->endpoint, record->buffer, record->room, fabric->slab_descriptor,
                         FI_ADDR_UNSPEC, record);
        tti_fabric_leave(fabric->watch);
        if (result != 0) break;
        tti_list_remove(&record->link);
        posted++;
    }
    return posted > 0 ? posted : result;
}

/* A rank that can receive nothing must not join: the others would wait for it. */
int tti_fabric_open_arrivals(tti_fabric *fabric)
{
    const ssize_t result = post_arrivals(fabric);
    if (result >= 0 || result == -FI_EAGAIN) return 0;
    return tti_fail(TUTTI_ERR_FABRIC, "provider %s takes no buffer for packets: %s", fabric->card.provider,
                    fabric->library->strerror((int)-result));
}

void tti_fabric_close_arrivals(tti_fabric *fabric)
{
    if (fabric->strangers > 1)
        tti_log(TTI_LOG_WARN, "dropped %ld packets of processes that are not of this job", fabric->strangers);
}

void tti_fabric_post_arrivals(tti_fabric *fabric)
{
    post_arrivals(fabric);
}

static uint32_t source_of(const tti_fabric_head *head)
{
    return head->source & ((UINT32_C(1) << TTI_SIGN_SHIFT) - 1);
}

static bool completes_in_order(const tti_fabric *fabric)
{
#ifdef FI_ORDER_STRICT /* libfabric 2 may have no word for it */
    return (fabric->info->rx_attr->comp_order & FI_ORDER_STRICT) == FI_ORDER_STRICT;
#else
    (void)fabric;
    return false;
#endif
}

static void lose(tti_fabric *fabric, tti_fabric_contact *contact, uint32_t number)
{
    tti_fail(TUTTI_ERR_PEER_FAILED,
             "provider %s lost packets from rank %d: number %u came where %u was due; its connection broke",
             fabric->card.provider, contact->rank, number, contact->arriving.due);
    tti_fabric_lose_peer(fabric, contact, TUTTI_ERR_PEER_FAILED);
}

/* Of a provider that completes in order a packet that is not the next one shows at once what was lost. */
static void come_out_of_turn(tti_fabric *fabric, tti_fabric_contact *contact, const tti_fabric_head *head,
                             size_t bytes)
{
    const uint32_t number = head->number;
    if (completes_in_order(fabric) ||
        tti_fabric_order_judge(&contact->arriving, number, tti_clock_rough()) != TTI_PLACE_EARLY) {
        lose(fabric, contact, number);
        return;
    }
    const int code = tti_fabric_order_keep(&contact->arriving, number, head + 1, bytes);
    if (code < 0) tti_fabric_lose_peer(fabric, contact, code);
}

/* One without bytes says nothing but its number. */
static void hand_over(tti_fabric *fabric, const tti_fabric_contact *contact, const void *data, size_t bytes)
{
    if (!contact->dead && bytes > 0) fabric->packet(fabric->context, contact->rank, data, bytes);
}

static void hand_over_early(tti_fabric *fabric, tti_fabric_contact *contact)
{
    for (;;) {
        tti_fabric_early *early = tti_fabric_order_take(&contact->arriving);
        if (early == NULL) return;
        hand_over(fabric, contact, early->data, early->bytes);
        free(early);
    }
}

/* In the order of their numbers; `bytes` are those behind the head. */
static void take_in_order(tti_fabric *fabric, tti_fabric_contact *contact, const tti_fabric_head *head,
                          size_t bytes)
{
    if (contact->dead) return;
    if (__builtin_expect(head->number != contact->arriving.due, 0)) {
        come_out_of_turn(fabric, contact, head, bytes);
        return;
    }
    tti_fabric_order_advance(&contact->arriving);
    hand_over(fabric, contact, head + 1, bytes);
    if (__builtin_expect(contact->arriving.early != NULL, 0)) hand_over_early(fabric, contact);
}

/* Nothing else happens: the rank that it names may never have sent anything. */
static void drop_stranger(tti_fabric *fabric, size_t bytes)
{
    if (fabric->strangers++ > 0) return;
    tti_log(TTI_LOG_WARN,
            "dropped a packet of %zu bytes at %s that does not bear this rank's token: its sender is not of "
            "this job (further ones are counted alone)",
            bytes, fabric->limits.address);
}

/* The comparison of one word takes the same time whatever part of it is right. */
static bool comes_from_job(tti_fabric *fabric, const tti_fabric_head *head, size_t bytes)
{
    if (__builtin_expect(bytes < sizeof *head || head->token != fabric->card.token, 0)) {
        drop_stranger(fabric, bytes);
        return false;
    }
    if (source_of(head) < (uint32_t)fabric->job->size) return true;
    tti_log(TTI_LOG_WARN, "dropped a packet of %zu bytes that names rank %u as its sender, of %d", bytes,
            source_of(head), fabric->job->size);
    return false;
}

void tti_fabric_arrived(tti_fabric *fabric, tti_fabric_record *record, size_t bytes)
{
    const tti_fabric_head *head = (const void *)record->buffer;
    tti_list_append(&fabric->arrivals_unposted, &record->link);
    if (!comes_from_job(fabric, head, bytes)) return;
    tti_fabric_contact *contact = tti_fabric_know(fabric, (int)source_of(head));
    if (contact == NULL) return;
    contact->met = true;
    if (contact->dead && bytes == sizeof *head)
        fabric->failure(fabric->context, contact->rank, TUTTI_ERR_STATE);
    const enum tti_fabric_sign sign = (enum tti_fabric_sign)(head->source >> TTI_SIGN_SHIFT);
    if (sign != TTI_SIGN_NONE) {
        tti_fabric_greeted(fabric, contact, sign);
        return;
    }
    take_in_order(fabric, contact, head, bytes - sizeof *head);
}
