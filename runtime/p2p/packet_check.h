/* SPDX-License-Identifier: BSD-3-Clause */
/* What a packet must look like before anything of it is used. The table is what tells: a kind without a row
 * in it is refused. That a number still names an operation, and what that one can take, is looked at by who
 * handles the packet; late packets find nothing, and that is no fault. */
#ifndef TTI_P2P_PACKET_CHECK_H
#define TTI_P2P_PACKET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/peers/packet.h"

/* The ways by which packets come. */
enum { TTI_WAY_SELF = 1, TTI_WAY_NODE = 2, TTI_WAY_FABRIC = 4 };

typedef struct {
    size_t least, most;                /* bytes */
    unsigned ways;                     /* by which such a packet may come */
    bool (*sound)(const void *packet); /* the fields behind the head; NULL: there are none */
} tti_packet_rule;

extern const tti_packet_rule tti_packet_rules[TTI_PACKET_KINDS];

/* Whether `rank` may have sent this by that way. */
static inline bool tti_packet_is_sound(const void *packet, size_t bytes, int rank, unsigned way)
{
    const tti_packet_head *head = packet;
    if (bytes < sizeof *head || head->version != TTI_PACKET_VERSION || head->kind >= TTI_PACKET_KINDS)
        return false;
    const tti_packet_rule *rule = &tti_packet_rules[head->kind];
    return bytes >= rule->least && bytes <= rule->most && (rule->ways & way) != 0 && head->source == rank &&
           head->tag >= 0 && (rule->sound == NULL || rule->sound(packet));
}

#endif
