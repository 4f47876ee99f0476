/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder share: the endpoint and what hangs on it. */
#ifndef TTI_FABRIC_STATE_H
#define TTI_FABRIC_STATE_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include "runtime/base/list.h"
#include "runtime/fabric/card.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/fabric_library.h"
#include "runtime/fabric/heartbeat.h"
#include "runtime/fabric/orphan_watch.h"
#include "runtime/fabric/packet_order.h"
#include "runtime/fabric/registration.h"

/* What each packet carries in front of the user's bytes. The token is the receiver's, from its card: whoever
 * found the port, or still has it from another job, does not know it. 64 bits, since each guess is a packet:
 * at 10 million a second half of them take 29,000 years. The number finds what a provider lost when it
 * reconnected behind our back: data is delivered whole and in order, or the peer counts as failed. Keeps the
 * packet's 8-byte alignment. */
typedef struct {
    uint64_t token;
    uint32_t source; /* job rank; above its TTI_SIGN_SHIFT bits an enum tti_fabric_sign */
    uint32_t number; /* packets from that rank to this one, from 0, modulo 2^32; signs are not counted */
} tti_fabric_head;

/* What a packet without bytes stands for, see greeting.c. */
enum tti_fabric_sign { TTI_SIGN_NONE, TTI_SIGN_GREETING, TTI_SIGN_ANSWER };
#define TTI_SIGN_SHIFT 30

/* Bytes of the largest packet, with its heads: what providers with a protocol of their own still send at
 * once; and where there is none what pays, copied (a message of 64 KiB and our head) and from where it lies
 * (one of 128 KiB). */
#define TTI_FABRIC_PACKET_MOST 16384
#define TTI_FABRIC_LONG_PACKET_MOST (65536 + 256)
#define TTI_FABRIC_IN_PLACE_MOST (131072 + 256)

enum tti_fabric_record_kind {
    TTI_RECORD_FREE,
    TTI_RECORD_ARRIVAL,     /* a posted buffer for packets */
    TTI_RECORD_PACKET,      /* a packet in a bounce buffer; its body may lie elsewhere, and be of an op */
    TTI_RECORD_LOST_PACKET, /* one that libfabric keeps though its peer is dead; no longer counted */
    TTI_RECORD_SEND,        /* bulk, RMA, atomic: an operation of the caller's */
    TTI_RECORD_RECV
};

/* Which call of libfabric's an operation of the caller's is made of. */
enum tti_fabric_call { TTI_CALL_TSEND, TTI_CALL_TRECV, TTI_CALL_READ, TTI_CALL_WRITE };

/* What is not done yet of an operation. A read or write that is longer than the provider's largest message
 * goes in parts of that size, one after the other. */
typedef struct {
    enum tti_fabric_call call;
    uint8_t *at; /* here */
    size_t left;
    uint64_t where, key; /* there: a tag, or an address and its key */
    void *descriptor;
} tti_fabric_rest;

/* One operation that libfabric holds, ours alone, so that the caller's op may end (peer dead) before
 * libfabric lets go of it. */
typedef struct {
    struct fi_context2 context; /* first: libfabric's op_context points here */
    tti_link link;              /* free list, or list of operations under way */
    tti_fabric_op *op;          /* NULL: bookkeeping only, or the caller was told already */
    tti_fabric_registration *local;
    uint8_t *buffer; /* of arrivals and packets */
    tti_fabric_rest rest;
    size_t moved;      /* bytes of the parts done */
    int64_t failed_ns; /* when its peer died; 0 before */
    size_t room;
    uint64_t number; /* of a packet: the first one is 1 */
    int rank;
    uint8_t kind;
    bool stalled;    /* there was no room for the next part */
    bool cancelled;  /* it was asked to end: what ends it as cancelled is no broken connection */
    bool of_contact; /* its buffer is not of the slab, but for packets to one contact */
} tti_fabric_record;

/* A peer that was reached, or reached us. */
typedef struct {
    fi_addr_t address;        /* FI_ADDR_NOTAVAIL before its card was fetched */
    int64_t waiting_ns;       /* since when sends are refused and none is under way; 0: they are not */
    int64_t tried_ns;         /* last try of those */
    int64_t asked_ns;         /* when it was asked whether it is there all the same; 0: not yet */
    int presence_fd;          /* the connection that tells; -1: none */
    uint64_t token, tag_mask; /* of its card */
    char *host;
    tti_pmi_question *question;       /* that its card is asked for by; NULL: none */
    tti_pmi_question *watch_question; /* the same, to watch it */
    int rank;
    tti_fabric_order arriving;
    tti_fabric_record *bounce; /* for a packet when all of the slab's are under way; NULL: not needed yet */
    uint32_t sent;             /* packets, modulo 2^32 */
    uint32_t packet_max;
    uint32_t sent_seen;   /* of `sent`, at the last look whether it is quiet */
    uint32_t quiet_looks; /* since it has been */
    int64_t greet_ns;     /* when the next greeting is due */
    int greetings;        /* sent so far */
    int greetings_lost;   /* of these, those that failed */
    int under_way;        /* packets and operations to it that libfabric holds */
    bool connected, dead;
    bool unfit;       /* its card is of no use to watch it, or will not come */
    bool met;         /* something has come from it */
    bool greeting;    /* one is under way */
    bool owes_answer; /* to a greeting of its */
} tti_fabric_contact;

struct tti_fabric {
    const tti_job *job;
    const tti_fabric_library *library;
    tti_fabric_packet_fn *packet;
    tti_fabric_failure_fn *failure;
    void *context;
    tti_fabric_limits limits;

    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *endpoint;
    struct fid_av *addresses;
    struct fid_cq *completions;
    int guard_fd;
    int wait_fd;             /* -1: the provider has none */
    unsigned quirks;         /* of the provider, see provider.h */
    bool short_told;         /* that this process may open no more files */
    tti_fabric_watch *watch; /* where its locks die with their holder; else NULL */
    tti_card card;
    char texts[4][160]; /* provider, domain, address, why */

    uint32_t *contact_of; /* per rank: 1 + index in contacts, 0: none. 4 bytes a peer, untouched until used */
    tti_fabric_contact **contacts;
    int contact_count, contact_room;

    tti_link free, bounces, arrivals_unposted, active;
    tti_link chunks;                                /* of records */
    uint8_t *slab;                                  /* arrival and bounce buffers */
    size_t slab_bytes, arrival_bytes, bounce_bytes; /* of all, and of one */
    tti_fabric_registration *slab_registration;
    void *slab_descriptor;
    int packets_under_way;
    uint64_t packets; /* handed to libfabric so far */
    int stalled;      /* records that are */
    int answers_owed; /* contacts that do */
    long strangers;   /* packets dropped that did not bear this rank's token */
    tti_heart *heart; /* NULL: silence is never death */
    int heart_next;   /* rank whose card is looked for next, to watch it */
    int heart_late;   /* ranks before that one whose cards have not come yet */
    int failing;      /* records whose peer died while libfabric still holds them */
    int64_t quiet_ns; /* of the next look for peers that have not been sent anything for a while */
    tti_fabric_registry *registry;
};

/* The rank's contact, if it is known; else NULL. */
static inline tti_fabric_contact *tti_fabric_find(const tti_fabric *fabric, int rank)
{
    const uint32_t place = fabric->contact_of[rank];
    return place != 0 ? fabric->contacts[place - 1] : NULL;
}

/* Takes back what packet.c counted of a packet: libfabric has let go of it, or is not waited for any more. */
static inline void tti_fabric_uncount_packet(tti_fabric *fabric, const tti_fabric_record *record)
{
    tti_fabric_contact *contact = tti_fabric_find(fabric, record->rank);
    contact->under_way--;
    contact->greeting = false; /* before it is met nothing else is sent */
    fabric->packets_under_way--;
}

/* Over IP: others have no connections that break, or are to be made. */
static inline bool tti_fabric_connects(const tti_fabric *fabric)
{
    return fabric->card.candidates.count > 0;
}

/* endpoint.c: fabric to completion queue out of fabric->info; closes what it opened on failure. */
int tti_fabric_open_endpoint(tti_fabric *fabric);
void tti_fabric_close_endpoint(tti_fabric *fabric);

/* silence.c: heartbeats, where TUTTI_HEARTBEAT asks for them: opens what is needed, after the card is
 * published; looks for the next card, of ranks on other nodes: a peer whose card has come is watched. */
int tti_fabric_open_heart(tti_fabric *fabric);
void tti_fabric_watch_next(tti_fabric *fabric);

/* address.c: peers. */
int tti_fabric_publish(tti_fabric *fabric);
/* The contact of `rank`, its card fetched and inserted. 1: it has not published its card yet or
 * refuses connections, try later: nothing here waits.
 * TUTTI_ERR_PEER_FAILED if it is dead. */
int tti_fabric_locate(tti_fabric *fabric, int rank, tti_fabric_contact **contact);
/* Looks whether the card of `rank`, which is not known yet, has come, to watch it. 1: it may still come. */
int tti_fabric_look_for(tti_fabric *fabric, int rank);
/* The contact of `rank` without its card; NULL if memory is out. */
tti_fabric_contact *tti_fabric_know(tti_fabric *fabric, int rank);
void tti_fabric_forget_peers(tti_fabric *fabric);

/* guardian.c: removes the named segment of a shared-memory provider once this process is dead, however it
 * died. `address` is the endpoint's as text. A descriptor to close when the segment is gone; -1 where there
 * is none. */
int tti_fabric_guard(const char *address);
/* "fi_shm://name" → "/dev/shm/name", if there is such a file. */
bool tti_fabric_find_segment(const char *address, char *path, size_t room);

/* record.c */
tti_fabric_record *tti_fabric_take_record(tti_fabric *fabric, enum tti_fabric_record_kind kind, int rank,
                                          tti_fabric_op *op);
void tti_fabric_drop_record(tti_fabric *fabric, tti_fabric_record *record);
void tti_fabric_free_records(tti_fabric *fabric);

/* What to do about an error of libfabric's, to follow its text; "" if nothing is known. */
const char *tti_fabric_remedy(int error);

/* What became of a libfabric call to `contact`: 0, 1 for no room now, or an error (the peer's end, if it is
 * that, is recorded). `what` names the call for people. */
int tti_fabric_settle(tti_fabric *fabric, tti_fabric_contact *contact, ssize_t result, const char *what);

/* packet.c: the buffers of all packets, and those that leave. */
int tti_fabric_open_packets(tti_fabric *fabric);
void tti_fabric_close_packets(tti_fabric *fabric);
/* A packet as the caller has it. With an op the body is sent from where it lies. */
typedef struct {
    const void *head, *body;
    size_t head_bytes, body_bytes;
    tti_fabric_op *op;
    enum tti_fabric_sign sign; /* then without bytes */
} tti_fabric_outgoing;
/* Sends it to a contact that was reached; a sign, to one that was located. Returns as tti_fabric_send(). */
int tti_fabric_send_to(tti_fabric *fabric, tti_fabric_contact *contact, const tti_fabric_outgoing *packet);
/* libfabric has let go of it: with 0 it is sent. */
void tti_fabric_packet_left(tti_fabric *fabric, tti_fabric_record *record, int code);

/* packet_arrival.c: posts the first buffers, once packets are open; at the end tells how many strangers'
 * packets came. */
int tti_fabric_open_arrivals(tti_fabric *fabric);
void tti_fabric_close_arrivals(tti_fabric *fabric);
void tti_fabric_post_arrivals(tti_fabric *fabric);
/* One has come into the record's buffer, which is posted anew afterwards. */
void tti_fabric_arrived(tti_fabric *fabric, tti_fabric_record *record, size_t bytes);

/* greeting.c */
/* As tti_fabric_locate(), and what is sent to it may follow: it has answered. */
int tti_fabric_reach(tti_fabric *fabric, int rank, tti_fabric_contact **contact);
/* A packet without bytes has come. */
void tti_fabric_greeted(tti_fabric *fabric, tti_fabric_contact *contact, enum tti_fabric_sign sign);
/* Sends the answers that are owed. */
void tti_fabric_answer(tti_fabric *fabric);
/* Whether a packet to it that failed was a greeting, which may be sent again. Counts those, of which it
 * forgives few. */
bool tti_fabric_forgives(const tti_fabric *fabric, int rank);

/* presence.c: a peer that refuses sends is asked whether it is there all the same; what came of it so far;
 * and it is waited for no more. */
void tti_fabric_ask_presence(const tti_fabric *fabric, tti_fabric_contact *contact);
bool tti_fabric_is_present(const tti_fabric *fabric, const tti_fabric_contact *contact);
void tti_fabric_end_presence(tti_fabric_contact *contact);

/* in_step.c: while this rank finds nothing to do. Where packets to a peer are lost with a broken connection
 * and nothing follows, neither end hears of it: so what is sent to it last is followed by a packet that says
 * nothing but its number, a second later and then ever more seldom. */
void tti_fabric_prove_step(tti_fabric *fabric);

/* failure.c */
/* The peer's end: every operation to it ends, sends to it fail from now on, the handler is called. The detail
 * is recorded by the caller. */
void tti_fabric_lose_peer(tti_fabric *fabric, tti_fabric_contact *contact, int code);
/* Ends what libfabric does not let go of though the peer is dead; returns how many. */
int tti_fabric_reap(tti_fabric *fabric);
/* True for errors (positive) that say that the peer or the connection is gone. */
bool tti_fabric_is_disconnect(int error);

#endif
