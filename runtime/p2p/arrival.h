/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: as they arrive, as they are kept until a receive comes, and their delivery into one. */
#ifndef TTI_P2P_ARRIVAL_H
#define TTI_P2P_ARRIVAL_H

#include "runtime/p2p/engine.h"

/* How the data of a message comes. */
enum tti_message_kind {
    TTI_MESSAGE_WHOLE,    /* it is here, at payload */
    TTI_MESSAGE_OFFERED,  /* it is still with the sender, who waits (RTS) */
    TTI_MESSAGE_OWN,      /* sent by this rank: it is in the sending op */
    TTI_MESSAGE_WITHDRAWN /* it was offered, and is not any more */
};

/* A message before it is received. */
typedef struct {
    enum tti_message_kind kind;
    uint64_t context;
    int source, tag;  /* job rank */
    uint32_t send_id; /* the sender's operation, which waits to hear; 0: it does not */
    size_t bytes;
    const void *payload;
    size_t first;     /* of one that is offered: bytes that are at payload, or where that is NULL will come */
    uint64_t address; /* in the sender's memory */
    tti_p2p_op *sender;
} tti_incoming;

/* A message that was kept because no receive wanted it yet. */
typedef struct tti_arrival tti_arrival;
struct tti_arrival {
    tti_match_message match; /* first: the match engine hands this back */
    tti_incoming message;    /* payload is in `data` */
    tti_link awaited;        /* among some of those kept of which the sender waits to hear */
    bool taken;              /* out of the matching: a matched probe has it */
    tti_arrival *next_free;  /* among spare ones, and those about to be refused */
    size_t room;             /* of data */
    uint64_t data[];
};

/* Keeps a copy for a later receive; NULL: no memory. */
tti_arrival *tti_arrival_keep(const tti_incoming *message);
/* The kept message that a sender named so, also one that a matched probe took; NULL: none. */
tti_arrival *tti_arrival_awaited(int source, uint32_t send_id);
/* The first part of the message that a sender named so has come. It is kept with it, if that is kept and
 * there is memory; else it comes once more, with the rest. */
void tti_arrival_add_first(int source, uint32_t send_id, const void *data, size_t bytes);
/* Takes it out of the matching: it now belongs to the caller alone. */
void tti_arrival_take(tti_arrival *arrival);
/* Frees one that has been taken. */
void tti_arrival_free(tti_arrival *arrival);
/* Calls `end` for each message, of this communicator or where it is NULL of any, that a matched probe has
 * taken and whose sender waits to hear of it. It counts as withdrawn then. */
void tti_arrivals_end_taken(const tutti_comm *comm, void (*end)(const tti_incoming *message));
/* Whether a message of that rank in this matching space may still be received; if not it is refused. */
bool tti_arrival_is_wanted(uint64_t context, int source);
/* With what messages end that are never received. */
int tti_message_refusal(void);
/* Ends a message that will never be received: a sender that waits is told. */
void tti_message_refuse(const tti_incoming *message);
/* Refuses and frees all that are kept for `context`. */
void tti_arrivals_purge(uint64_t context);
/* From now on the program receives nothing more: refuses all that it was sent. */
void tti_arrivals_refuse_all(void);
/* Before the first message / frees all there are. */
void tti_arrivals_open(void);
void tti_arrivals_close(void);

/* Gives a message to a receive that matches it. Returns TTI_P2P_DONE if the receive is over (op->error says
 * how), else 0: it goes on. */
int tti_deliver(tti_p2p_op *op, const tti_incoming *message);
/* Starts the receive of a message that was kept and taken; frees it. Returns as tti_p2p_recv(). */
int tti_p2p_recv_kept(tti_p2p_op *op, tutti_comm *comm, tti_arrival *arrival, void *buf, size_t bytes);

#endif
