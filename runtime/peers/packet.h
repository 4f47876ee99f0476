/* SPDX-License-Identifier: BSD-3-Clause */
/* The packets that ranks exchange. Both ends run the same version of Tutti (checked on the address cards), on
 * machines of the same byte order. What a packet may look like is in packet_check.c; who sends another is out
 * of step. Structs are laid out without padding and read in place: packets are 8-byte aligned.
 *
 *   EAGER       head, data                    the whole message
 *   EAGER_SYNC  sync, data                    the same; the sender waits for FIN
 *   RTS         rts                           a long message is offered; the data stays with the sender
 *   FIRST       sync, first part of it        follows an RTS that says so, unasked, while the answer comes
 *   CTS         cts                           the receiver wants it sent: as DATA (node) or bulk (fabric)
 *                                             as long as what is posted for it, after which another follows.
 *                                             Who has kept FIRST, or awaits it, wants what is behind it
 *   DATA        data, part of the message     in order
 *   FIN         fin                           the receiver has all it wants: the sender's operation is over
 *   STOP        stop                          the sender cannot send what CTS asked for: the receive is over
 *   AM          head (tag: the kind), payload an active message, for RMA
 *   WITHDRAW    sync                          an RTS is taken back; FIN answers, if none did already: from
 *                                             then on the receiver does not read the data
 *   CANCEL      sync                          a message is to be as if it had never been sent: FIN answers,
 *                                             unless a receive or a matched probe has taken it: then what
 *                                             answers is what would have answered without
 *   HELP        help                          the receiver reads an RTS's data: the sender may write some
 *   LEFT        head                          the sender leaves after a death: what waits for it is over
 *   GOODBYE     head                          the sender has called tutti_finalize()
 *   LOST        head (tag: a verdict)         a packet between the two was lost: they are out of step; or
 *                                             the others hold this rank for dead
 */
#ifndef TTI_PEERS_PACKET_H
#define TTI_PEERS_PACKET_H

#include <stdint.h>
#include <string.h>

#define TTI_PACKET_VERSION 1

enum tti_packet_kind {
    TTI_PACKET_EAGER = 1,
    TTI_PACKET_EAGER_SYNC,
    TTI_PACKET_RTS,
    TTI_PACKET_CTS,
    TTI_PACKET_DATA,
    TTI_PACKET_FIN,
    TTI_PACKET_AM,
    TTI_PACKET_WITHDRAW,
    TTI_PACKET_LOST,
    TTI_PACKET_HELP,
    TTI_PACKET_LEFT,
    TTI_PACKET_CANCEL,
    TTI_PACKET_STOP,
    TTI_PACKET_FIRST,
    TTI_PACKET_GOODBYE,
    TTI_PACKET_KINDS
};

typedef struct {
    uint8_t version, kind;
    uint16_t context_top; /* upper bits of the context */
    int32_t source;       /* job rank of the sender of this packet */
    uint32_t context;     /* communicator's context and matching space; 0 where it has no meaning */
    int32_t tag;
} tti_packet_head;

static inline tti_packet_head tti_packet_head_for(enum tti_packet_kind kind, int source, uint64_t context,
                                                  int tag)
{
    tti_packet_head head = {
        TTI_PACKET_VERSION, (uint8_t)kind, (uint16_t)(context >> 32), source, (uint32_t)context, tag};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* The same by words, as it is copied (tti_copy_few()). */
    const uint64_t words[2] = {TTI_PACKET_VERSION | (uint64_t)kind << 8 | context >> 32 << 16 |
                                   (uint64_t)(uint32_t)source << 32,
                               (uint32_t)context | (uint64_t)(uint32_t)tag << 32};
    memcpy(&head, words, sizeof head);
#endif
    return head;
}

static inline uint64_t tti_packet_context(const tti_packet_head *head)
{
    return (uint64_t)head->context_top << 32 | head->context;
}

/* The tag of LOST. */
enum tti_verdict { TTI_LOST_STEP, TTI_LOST_FOR_DEAD };

typedef struct {
    tti_packet_head head;
    uint32_t send_id; /* the sender's operation */
    uint32_t reserved;
} tti_packet_sync;

typedef struct {
    tti_packet_head head;
    uint32_t send_id;
    uint32_t first;   /* bytes that come as FIRST; 0: none do */
    uint64_t bytes;   /* of the message */
    uint64_t address; /* of the data in the sender's memory, for node peers that can read it */
} tti_packet_rts;

typedef struct {
    tti_packet_head head;
    uint32_t send_id;
    uint32_t recv_id; /* the receiver's operation: names DATA packets, and is the tag of a bulk transfer */
    uint64_t from;    /* where in the message */
    uint64_t bytes;   /* so many the receiver has room for from there on */
    uint64_t posted;  /* of which so many may come as bulk; 0: as DATA, all */
} tti_packet_cts;

typedef struct {
    tti_packet_head head;
    uint32_t recv_id;
    uint32_t reserved;
} tti_packet_data;

typedef struct {
    tti_packet_head head;
    uint32_t send_id;
    int32_t error; /* 0, or the TUTTI_ERR_* for which the receiver gave up */
} tti_packet_fin;

typedef struct {
    tti_packet_head head;
    uint32_t recv_id;
    int32_t error; /* the TUTTI_ERR_* for which the sender gave up */
} tti_packet_stop;

typedef struct {
    tti_packet_head head;
    uint32_t send_id;
    uint32_t serial;  /* of the shared copy */
    uint64_t address; /* of the receiver's buffer */
    uint64_t bytes;   /* that go into it */
} tti_packet_help;

#endif
