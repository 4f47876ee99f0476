/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* What the files of p2p/ share: the one engine of this process, and the life of an operation. All under
 * the library's lock.
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

#include <stdbool.h>

#include "runtime/p2p/ids.h"
#include "runtime/p2p/match.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"

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

typedef struct {
    tti_match match;
    tti_ids ids;
    uint64_t bulk_mask;                               /* bits of an id that make a bulk tag */
    void (*bulk_done)(tti_fabric_op *bulk, int code); /* tti_bulk_done(), in all bulk transfers */
    /* So often has this rank, as it leaves, begun to wait until what is queued has gone. Each queued op bears
     * the number as it was then: so a drain waits for what was queued before it began, and for nothing that
     * others make this rank send meanwhile. */
    uint8_t drains;
} tti_engine;

extern tti_engine tti_p2p_engine;

/* -- queue.c -- */
/* Whether the peer is better off with a copy than with fetching the message itself. */
bool tti_peer_copies(const tti_peer *peer);
/* Whether a message of so many bytes goes as one packet. */
static inline bool tti_peer_takes_eager(const tti_peer *peer, size_t bytes)
{
    return bytes <= peer->eager_sure || (bytes <= peer->eager_most && tti_peer_copies(peer));
}
/* Puts an op behind all that wait for the peer. */
void tti_peer_queue(tti_peer *peer, tti_p2p_op *op);
/* Drops what still waits for room when the rank leaves. */
void tti_peers_drop_queues(void);

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
/* Hands over what the op has to send to another rank: ON (gone, the op goes on), OVER (the op is over, not
 * yet retired), NO_ROOM (its turn is not over), or an error. */
int tti_op_step(tti_peer *peer, tti_p2p_op *op);
/* Steps the op now if nothing waits before it; queues it if there is no room. Returns ON, OVER or an error.
 */
int tti_op_push(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo);
/* The same in progress, where ends of the op are reported by done(). */
void tti_op_push_on(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo);

/* -- bulk_ends.c -- */
/* For `done` of an op's bulk transfers: ends the op, or goes on with the next part. */
void tti_bulk_done(tti_fabric_op *bulk, int code);

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
/* With what the receive of such a message of that rank ends. */
int tti_message_fail_withdrawn(int rank);
void tti_message_cancelled(int rank, uint32_t send_id);

/* -- incoming.c -- */
/* A packet that the way (packet_check.h) says is of `rank`. All that is under way with that rank ends if it
 * is not sound: what it was to say is lost. */
void tti_packet_arrived(int rank, unsigned way, const void *packet, size_t bytes);

/* -- flush.c -- */
/* Hands over what waits, as far as there is room, and to this rank's own handlers what it sent itself;
 * returns how many packets went. In progress. */
int tti_peers_flush(void);

/* -- goodbye.c -- */
/* Tells the ranks that this one has had to do with, in order behind all that it sent them, that it has called
 * tutti_finalize(), and from now on those that it hears of. For others a connection would have to be made. */
void tti_goodbye_say(void);
/* A rank sends a message although this one has called tutti_finalize(). */
void tti_goodbye_answer(int rank);

/* -- lost_ends.c -- */
/* Ends the operations with the ranks that tti_failure_find() has found. */
void tti_failure_sweep(void);
/* Ends the operations that wait for the ranks of the node noted as having left, now that all that they had
 * sent has been taken in. */
void tti_departures_end(void);
/* A rank has called tutti_finalize(), and all that it had sent has been taken in: ends the receives from it.
 */
void tti_departure_note(int rank);
/* Whom to tell of ranks of the node that have left; NULL: nobody. */
void tti_failure_watch_departures(void (*gone)(int job_rank));
/* The error of a send to a rank that has left, with its detail. */
int tti_departure_fail(int rank);
/* That of a receive from it. */
int tti_departure_fail_receive(int rank);

#endif
