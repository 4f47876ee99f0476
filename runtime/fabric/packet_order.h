/* SPDX-License-Identifier: BSD-3-Clause */
/* The packets of one peer in the order of their numbers. A provider matches messages to posted buffers in the
 * order in which they were sent, but unless it says so (FI_ORDER_STRICT of completions) it may report a long
 * one, which travels in pieces or is fetched, after a later short one. What comes early is copied, so that
 * its buffer can be posted again, and waits until all before it have come. */
#ifndef TTI_FABRIC_PACKET_ORDER_H
#define TTI_FABRIC_PACKET_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* So far ahead of the one that is due a packet may be. A sender has 64 under way at a time; but while
 * libfabric holds one of them, the others leave and more follow. */
#define TTI_FABRIC_EARLY_MOST 1024

/* A packet that came early. */
typedef struct tti_fabric_early {
    struct tti_fabric_early *next;
    size_t bytes;
    uint32_t number;
    _Alignas(16) uint8_t data[];
} tti_fabric_early;

typedef struct {
    tti_fabric_early *early; /* by number, next one first; NULL: none, as nearly always */
    int64_t late_ns;         /* when something last counted against the one that is due (rough ns) */
    uint32_t due;            /* number of the next packet, modulo 2^32 */
    int late;                /* how often something did */
} tti_fabric_order;

enum tti_fabric_place { TTI_PLACE_DUE, TTI_PLACE_EARLY, TTI_PLACE_LOST };

/* What a packet of that number, which has come just now (rough ns), is. LOST: it came twice or is too far
 * ahead, or the peer has gone on sending for some seconds without what is due. Time alone proves nothing: a
 * peer that is stopped, or computes, may have sent half of a packet. */
enum tti_fabric_place tti_fabric_order_judge(tti_fabric_order *order, uint32_t number, int64_t now);
/* Keeps a copy of one that is early; TUTTI_ERR_NO_MEMORY if there is no room. */
int tti_fabric_order_keep(tti_fabric_order *order, uint32_t number, const void *data, size_t bytes);
/* The packet that is due has come. */
void tti_fabric_order_advance(tti_fabric_order *order);
/* Takes the packet that is due, if it came early, for the caller to free; else NULL. */
tti_fabric_early *tti_fabric_order_take(tti_fabric_order *order);
/* Drops all that came early. */
void tti_fabric_order_forget(tti_fabric_order *order);

#endif
