/* SPDX-License-Identifier: BSD-3-Clause */
/* The other ranks: which way each is reached, and which are lost. One table of this process, which owns job,
 * node and fabric. All under the library's lock. */
#ifndef TTI_PEERS_H
#define TTI_PEERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmi/pmi.h"
#include "runtime/base/list.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/view.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/ways.h"

enum tti_news { TTI_NEWS_NONE, TTI_NEWS_TO_PASS_ON, TTI_NEWS_OLD };

enum tti_route { TTI_ROUTE_SELF, TTI_ROUTE_NODE, TTI_ROUTE_FABRIC };

/* A rank that this one has had to do with. */
typedef struct {
    int rank; /* in the job */
    enum tti_route route;
    int node_index;        /* on the node; -1 off it or unused */
    size_t eager_most;     /* longest message that goes as one packet */
    size_t eager_sure;     /* up to this it always does; in between where that serves better
                              (tti_peer_takes_eager()) */
    size_t in_place_least; /* from here on an eager message may be sent from where it lies */
    size_t copied_most;    /* a longer eager message is sent so, or it is announced */
    size_t packet_most;
    size_t first_most;  /* so much of a longer message follows its RTS unasked; 0: nothing */
    uint32_t first_for; /* number of the receive that took this peer's last RTS and awaits FIRST */
    bool estranged;     /* lost, though it may live, and has to be told */
    int64_t parted_ns;  /* since when */
    int64_t told_ns;    /* when it was told for the first time; 0: not yet */
    bool held_for_dead; /* estranged, since others say that it is dead */
    bool gave_up;       /* lost, as it told */
    bool told_goodbye;  /* it knows that this rank has called tutti_finalize() */
    tti_link queue;     /* ops that wait for room, in order */
    tti_link blocked;   /* in the list of blocked ones from when the queue gets one, or the peer is estranged,
                           until a   flush finds that nothing waits */
} tti_peer;

typedef struct {
    const tti_job *job;
    tti_node *node;
    tti_fabric *fabric;
    tti_peer **of;               /* by rank; NULL before the first contact */
    tti_link blocked;            /* peers with a queue */
    _Atomic signed char *failed; /* by rank: 0, or the TUTTI_ERR_* by which it is lost */
    bool *departing;             /* by place on the node: that rank had left before all was taken in */
    bool *left;                  /* by rank: it is lost because it has left after a death */
    bool *out_of_step;           /* by rank: a packet of it was lost here, and what follows is no message */
    bool *departed;              /* by rank: it has called tutti_finalize(), and all that it sent is here */
    int departures;              /* ranks that have */
    _Atomic int failures;        /* ranks lost so far */
    int failures_found;          /* of these, those in failed_ranks */
    int failures_swept;          /* and those whose ops have been ended */
    _Atomic int news;            /* certain deaths that are still to be passed on */
    _Atomic signed char
        *certain;      /* by rank: TTI_NEWS_*: its process has ended, says the kernel of its node */
    int *failed_ranks; /* in order of discovery by the sweep */
    bool cast_out;     /* the other ranks hold this one for dead */
} tti_peers_table;

extern tti_peers_table tti_peers;

/* -- peers.c -- */
/* Nobody has been reached or lost yet; the ways are opened by who knows what they are to carry. */
int tti_peers_open(const tti_job *job);
void tti_peers_close(void);
/* Notes which ranks of the node have left, before all is taken in that these had sent. */
void tti_departures_note(void);
int tti_peer_make(int rank, tti_peer **peer);
/* The peer, made at first contact; TUTTI_ERR_NO_MEMORY, TUTTI_ERR_UNSUPPORTED (no way to it). */
static inline int tti_peer_get(int rank, tti_peer **peer)
{
    *peer = tti_peers.of[rank];
    return __builtin_expect(*peer != NULL, 1) ? 0 : tti_peer_make(rank, peer);
}
/* 0, or the code by which the rank is lost. */
static inline int tti_peer_failed(int rank)
{
    return atomic_load_explicit(&tti_peers.failed[rank], memory_order_acquire);
}
/* Whether it was on this node and has left it: it takes and answers nothing any more. Over the fabric nobody
 * can tell before something is sent. */
static inline bool tti_peer_has_left(const tti_peer *peer)
{
    return peer->route == TTI_ROUTE_NODE && tti_node_has_left(tti_peers.node, peer->node_index);
}
/* The head of a packet from this rank that is of no communicator. */
static inline tti_packet_head tti_peers_plain_head(enum tti_packet_kind kind, int tag)
{
    return tti_packet_head_for(kind, tti_peers.job->rank, 0, tag);
}

/* -- cause.c -- */
/* What this thread was told last is why the rank, which counts as lost next, is. The first cause counts. */
void tti_cause_keep(int rank);
void tti_causes_forget(void);

/* -- death_news.c -- */
/* Sends an active message of such news; they are handed to tti_death_news_heard(). */
typedef int tti_death_news_fn(int job_rank, const void *payload, size_t bytes);
/* Opens the ears for deaths on this node, after tti_failure_accept(); news for others go by `send`. */
void tti_death_news_open(tti_death_news_fn *send);
void tti_death_news_close(void);
/* False: not such a message. */
bool tti_death_news_heard(int job_rank, const void *payload, size_t bytes);
/* Tells ranks of other nodes of those that it was not called for yet. In progress. */
void tti_death_news_pass_on(void);

#endif
