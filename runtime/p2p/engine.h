/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* What the files of p2p/ share: the one engine of this process, its peers, and the life of an operation. All
 * under the library's lock.
 *
 * A send:     (start) -> QUEUED eager -> done                  no room at the transport: its packet waits in the op
 *             (start) -> [QUEUED eager] -> BULK -> done        the packet goes from where it lies
 *             (start) -> QUEUED rts -> AWAIT -> QUEUED data or bulk -> [BULK] -> done
 *  to itself: (start) -> KEPT until a receive takes it -> done
 * A receive:  (start) -> POSTED -> [QUEUED fin] -> done
 *                              \-> QUEUED bulk-receive -> QUEUED cts -> AWAIT or BULK -> done
 * One that is given up in BULK ends there: what was asked for comes, or STOP, while both ranks live.
 * Nothing but the op is needed to wait for room, so a flood of sends costs no memory of ours. */
/* clang-format on */
#ifndef TTI_P2P_ENGINE_H
#define TTI_P2P_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/p2p/ids.h"
#include "runtime/p2p/match.h"
#include "runtime/p2p/p2p.h"
#include "runtime/p2p/packet.h"

enum tti_op_state { TTI_OP_OVER, TTI_OP_POSTED, TTI_OP_KEPT, TTI_OP_QUEUED, TTI_OP_AWAIT, TTI_OP_BULK };

/* What a queued op wants to hand to the transport. */
enum tti_op_todo {
    TTI_TODO_EAGER,
    TTI_TODO_EAGER_SYNC,
    TTI_TODO_RTS,
    TTI_TODO_FIRST,
    TTI_TODO_DATA,
    TTI_TODO_BULK_SEND,
    TTI_TODO_BULK_RECV,
    TTI_TODO_CTS,
    TTI_TODO_FIN,
    TTI_TODO_STOP,
    TTI_TODO_WITHDRAW,
    TTI_TODO_CANCEL,
    TTI_TODO_AM
};

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
    tti_link queue;     /* ops that wait for room, in order */
    tti_link blocked; /* in the engine's list from when the queue gets one, or the peer is estranged, until a
                         flush finds that nothing waits */
} tti_peer;

typedef struct {
    const tti_job *job;
    tti_node *node;
    tti_fabric *fabric;
    tti_peer **peers;  /* by rank; NULL before the first contact */
    tti_link blocked;  /* peers with a queue */
    tti_link finished; /* ops whose done() waits for the next progress */
    tti_match match;
    tti_ids ids;
    uint32_t departures;         /* ranks that have left the node, as of the last look */
    bool *departing;             /* by place on the node: that rank had left before all was taken in */
    int withdrawals;             /* sends taken back that wait for the answer */
    uint64_t bulk_mask;          /* bits of an id that make a bulk tag */
    _Atomic signed char *failed; /* by rank: 0, or the TUTTI_ERR_* by which it is lost */
    bool *left;                  /* by rank: it is lost because it has left after a death */
    _Atomic int failures;        /* ranks lost so far */
    int failures_found;          /* of these, those in failed_ranks */
    int failures_swept;          /* and those whose ops have been ended */
    _Atomic int news;            /* certain deaths that are still to be passed on */
    _Atomic signed char
        *certain;      /* by rank: TTI_NEWS_*: its process has ended, says the kernel of its node */
    int *failed_ranks; /* in order of discovery by the sweep */
    bool cast_out;     /* the other ranks hold this one for dead */
} tti_engine;

extern tti_engine tti_p2p_engine;

/* -- peers.c -- */
int tti_peers_open(void);
void tti_peers_close(void);
int tti_peer_make(int rank, tti_peer **peer);
/* The peer, made at first contact; TUTTI_ERR_NO_MEMORY, TUTTI_ERR_UNSUPPORTED (no way to it). */
static inline int tti_peer_get(int rank, tti_peer **peer)
{
    *peer = tti_p2p_engine.peers[rank];
    return __builtin_expect(*peer != NULL, 1) ? 0 : tti_peer_make(rank, peer);
}
/* 0, or the code by which the rank is lost. */
static inline int tti_peer_failed(int rank)
{
    return atomic_load_explicit(&tti_p2p_engine.failed[rank], memory_order_acquire);
}
int tti_peer_explain(int rank, int code);
/* The same with its detail recorded. */
static inline int tti_peer_check(int rank)
{
    const int code = tti_peer_failed(rank);
    return __builtin_expect(code == 0, 1) ? 0 : tti_peer_explain(rank, code);
}
int tti_peer_send_by_fabric(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                            size_t body_bytes);
/* Hands a packet to the transport: 0, 1 (no room now), or an error, after which the peer is lost: what should
 * have come after this packet must not come without it. */
static inline int tti_peer_send(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                                size_t body_bytes)
{
    if (peer->route != TTI_ROUTE_NODE)
        return tti_peer_send_by_fabric(peer, head, head_bytes, body, body_bytes);
    return tti_node_send(tti_p2p_engine.node, peer->node_index, head, head_bytes, body, body_bytes);
}
/* Whether the peer is better off with a copy than with fetching the message itself. */
bool tti_peer_copies(const tti_peer *peer);
/* Whether a message of so many bytes goes as one packet. */
static inline bool tti_peer_takes_eager(const tti_peer *peer, size_t bytes)
{
    return bytes <= peer->eager_sure || (bytes <= peer->eager_most && tti_peer_copies(peer));
}
/* Puts an op behind all that wait for the peer. */
void tti_peer_queue(tti_peer *peer, tti_p2p_op *op);
/* Hands over what waits, as far as there is room; returns how many packets went. */
int tti_peers_flush(void);

/* -- ops.c: ends of operations -- */
/* Over: gives back what the op holds and calls done(). In progress only. */
void tti_op_finish(tti_p2p_op *op, int error);
/* The same from within a start: done() follows in the next progress. */
void tti_op_finish_later(tti_p2p_op *op, int error);
/* Over within its own start, which returns TTI_P2P_DONE. */
int tti_op_finish_now(tti_p2p_op *op, int error);
/* Calls done() for those put off; returns how many. */
int tti_ops_flush(void);
/* Numbers the op for packets. */
int tti_op_number(tti_p2p_op *op);
/* The op of that number, if it is in that state and belongs to that peer; else NULL (a late packet). */
tti_p2p_op *tti_op_find(uint32_t id, int peer, enum tti_op_state state);
/* The receive of that peer's message `send_id` whose first part is still to come; NULL: none. */
tti_p2p_op *tti_op_awaiting_first(int peer, uint32_t send_id);
/* The send of that number that waits to hear of its message, also while it waits for room to take it back. */
tti_p2p_op *tti_op_find_told(uint32_t id, int peer);

/* -- outgoing.c -- */
/* What became of an op's turn at the transport (or a negative error, which ends the op). */
enum tti_op_turn { TTI_TURN_ON = 0, TTI_TURN_OVER = TTI_P2P_DONE, TTI_TURN_NO_ROOM };
/* Hands over what the op has to send: ON (gone, the op goes on), OVER (the op is over, not yet retired),
 * NO_ROOM (its turn is not over), or an error. */
int tti_op_step(tti_peer *peer, tti_p2p_op *op);
/* Steps the op now if nothing waits before it; queues it if there is no room. Returns ON, OVER or an error.
 */
int tti_op_push(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo);
/* The same in progress, where ends of the op are reported by done(). */
void tti_op_push_on(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo);

/* -- active_message.c -- */
/* Sends a packet in order with all else to that peer; it is copied if there is no room now. */
int tti_peer_post(tti_peer *peer, const void *packet, size_t bytes);

/* -- withdraw.c -- */
/* Asks the peer that was told of the op's message to leave it alone (WITHDRAW) or to forget it (CANCEL); the
 * op ends when that answers, dies or leaves. */
void tti_op_take_back(tti_p2p_op *op, enum tti_op_todo how);
static inline bool tti_op_is_taken_back(const tti_p2p_op *op)
{
    return op->todo == TTI_TODO_WITHDRAW || op->todo == TTI_TODO_CANCEL;
}
/* Marks those whose peers have left and answer no more than is here already; false if there are none. */
bool tti_withdrawals_mark(void);
/* Ends those that are marked; returns how many. */
int tti_withdrawals_end(void);
/* The peer has taken the message already: it is sent as if nothing had been. */
void tti_op_go_on(tti_p2p_op *op);
/* Tells the sender of a message that waits to hear of it that it is not received. */
void tti_sender_refuse(int rank, uint32_t send_id, int error);
/* Tells the receiver that has asked for a message's bulk data that none comes. */
void tti_receiver_stop(int rank, uint32_t recv_id, int error);
/* A peer takes back its message `send_id` / cancels it. */
void tti_message_withdrawn(int rank, uint32_t send_id);
void tti_message_cancelled(int rank, uint32_t send_id);

/* -- incoming.c -- */
/* A packet that the way (packet_check.h) says is of `rank`. All that is under way with that rank ends if it
 * is not sound: what it was to say is lost. */
void tti_packet_arrived(int rank, unsigned way, const void *packet, size_t bytes);

/* -- peer_failure.c -- */
/* A rank is lost. In progress. */
void tti_peer_lost(void *context, int rank, int code);
/* The connection to a rank broke. In progress. */
void tti_peer_disconnected(void *context, int rank, int code);
/* A packet to or from a rank was lost here, for the reason `code`, which is returned: the two can no longer
 * be in step. All that is under way between them ends, at that rank too, which is told as soon as possible.
 */
int tti_peer_part(int rank, int code);
/* The others hold this rank for dead, as one says that this rank does not hold for dead. In progress. */
void tti_peer_cast_out(void);
/* Tells it if there is room; true once it is told or cannot be told. */
bool tti_peer_tell(tti_peer *peer);
/* Whether news of deaths from other threads may touch the engine: from after opening to before closing. */
void tti_failure_accept(bool accept);
/* A rank has left after a death. In progress. */
void tti_peer_left(int rank);
/* Whether the kernel tells this rank of all deaths on its node. */
bool tti_p2p_hears_all_of_node(void);
/* death_news.c: a death that is certain: notes it too, on any thread. */
void tti_death_news_certain(int world_rank);
/* Tells ranks of other nodes of those that it was not called for yet. In progress. */
void tti_death_news_pass_on(void);
void tti_death_news_open(void);
/* To those that watch (tti_p2p_watch()). In progress. */
void tti_failure_tell_watchers(int rank);
/* lost_ends.c: finds the ranks lost since the last call; ends the operations with those found, once all that
 * they had sent before has been taken in. */
void tti_failure_find(void);
void tti_failure_sweep(void);
/* Whether that has been done for a lost rank: what it had sent may come until then. */
bool tti_failure_is_swept(int rank);
/* Notes which ranks of the node have left; once all that they had sent has been taken in, ends the operations
 * that wait for those. */
void tti_departures_note(void);
void tti_departures_end(void);
/* Whom to tell of ranks of the node that have left; NULL: nobody. */
void tti_failure_watch_departures(void (*gone)(int world_rank));
/* The error of a send to a rank that has left, with its detail. */
int tti_departure_fail(int rank);
/* What is to be said of a lost rank, behind "rank R". */
const char *tti_failure_text(int rank);
/* Sends a packet that is nothing but its kind; to all peers, that this rank leaves. */
int tti_failure_tell(int rank, enum tti_packet_kind kind);
void tti_failure_tell_leaving(void);

#endif
