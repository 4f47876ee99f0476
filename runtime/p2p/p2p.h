/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks, for the layers above: matching is ours, over both ways to a peer. Operations are
 * memory of the caller's, so that a collective allocates nothing per message. All under the library's lock
 * (progress/lock.h). */
#ifndef TTI_P2P_H
#define TTI_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmi/pmi.h"
#include "runtime/base/list.h"
#include "runtime/comm/comm.h"
#include "runtime/fabric/fabric.h"
#include "runtime/p2p/match.h"
#include "tutti/p2p.h"

/* Which of a communicator's matching spaces, and its number in packets. */
enum tti_p2p_space { TTI_SPACE_USER, TTI_SPACE_COLLECTIVE, TTI_SPACE_KEEP };
static inline uint64_t tti_p2p_matching(uint64_t context, enum tti_p2p_space space)
{
    return context * TTI_COMM_SPACES + (uint64_t)space;
}
enum tti_p2p_mode { TTI_SEND_STANDARD, TTI_SEND_SYNCHRONOUS };

/* One send or receive. Set `done` (and what surrounds the op) before starting it; the rest is p2p's. */
typedef struct tti_p2p_op tti_p2p_op;
struct tti_p2p_op {
    /* Called once, in progress (never inside a start), unless the start returned TTI_P2P_DONE or an error. It
     * may start operations. */
    void (*done)(tti_p2p_op *op);
    int error;       /* out: 0 or TUTTI_ERR_* */
    int source, tag; /* out, of a receive, also of one that cannot start: who sent it (rank in comm), with
                        which tag; after PEER_FAILED who is lost */
    size_t bytes;    /* out, of a receive: bytes of the message as sent */
    /* p2p's own */
    tti_link link; /* in the queue of its peer, or among the finished */
    tutti_comm *comm;
    void *buf;
    size_t room; /* bytes at buf */
    uint64_t context;
    uint32_t id; /* in the table of operations that packets name; 0: in none */
    int peer;    /* job rank, or TUTTI_ANY_SOURCE; of a receive that a lost rank has ended, that one */
    uint8_t state, todo;
    uint8_t drains; /* the engine's, when it was queued */
    union {
        tti_match_receive posted; /* of a receive that has no message yet */
        struct tti_arrival *kept; /* of a send to oneself that has no receive yet */
        struct {
            uint32_t remote_id;     /* the peer's operation */
            int reply;              /* code that goes with FIN or STOP, or came with one */
            bool hopeless;          /* of a send taken back: nobody is there to answer */
            size_t accepted, moved; /* bytes the receiver takes, bytes gone over so far */
            size_t posted;          /* of bulk data sent: room of the receive that the peer has posted */
            size_t
                awaits_first; /* of a receive: of so many bytes the message's first part is still to come */
            bool owes_first;  /* of a send: it was promised, and there was no room for it yet */
            tti_fabric_op bulk;
        } transfer;
    } u;
};

#define TTI_P2P_DONE 1 /* returned by the starts: complete already, done() will not be called */

/* Start a send / receive. Return TTI_P2P_DONE, 0 (done() follows), or an error (nothing was started). */
int tti_p2p_send(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, enum tti_p2p_mode mode,
                 const void *buf, size_t bytes, int dest, int tag);
int tti_p2p_recv(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, void *buf, size_t bytes,
                 int source, int tag);
/* Withdraws a receive without a message or a send that no receive and no matched probe has taken. done()
 * follows, in progress, with TUTTI_ERR_CANCELLED or, if it was too late, its result; a receiver need do
 * nothing for it but make progress. */
void tti_p2p_cancel(tti_p2p_op *op);
/* Gives up also what has begun and waits for an answer of a living peer, which then never gets one: only
 * where that peer will give up as well, because a third rank has died. done() follows when nobody can read or
 * write the buffer any more: of bulk data that a living peer was asked for, when it has come, or the peer,
 * which must make progress for it, has said that none does. */
void tti_p2p_abandon(tti_p2p_op *op);

/* Active messages: a payload to a rank's handler of their kind, called in progress. All kinds stand here, so
 * that no two are the same. The payload is valid during the handler; handlers may send. False says that no
 * rank sends this, so that the two are out of step; all that is under way with the sender ends then. */
enum tti_am_kind {
    TTI_AM_RMA_REQUEST, /* windows, and their ends after deaths */
    TTI_AM_RMA_REPLY,
    TTI_AM_RMA_END,
    TTI_AM_RMA_ENDED,
    TTI_AM_DEATH, /* for ranks of other nodes than the dead one's */
    TTI_AM_REACH, /* a step of a schedule into buffers that can be neither mapped nor copied */
    TTI_AM_STOP,  /* to who may write into a buffer that its owner has back soon */
    TTI_AM_WHERE, /* what a waiting rank is asked */
    TTI_AM_REVOKE,
    TTI_AM_AGREE,
    TTI_AM_DROP_OUT, /* a living rank that cannot take part in collectives */
    TTI_AM_FAILURE,  /* a rank that a collective has lost */
    TTI_AM_WELCOME,  /* to a process that is in the place of a dead rank now */
    TTI_AM_KINDS
};
#define TTI_AM_MAX 8192 /* largest payload in bytes */
typedef bool tti_am_fn(int job_rank, const void *payload, size_t bytes);
void tti_am_register(enum tti_am_kind kind, tti_am_fn *handle);
/* Queues and sends in order with all else to that peer; copies, never blocks. */
int tti_am_send(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                size_t body_bytes);
/* The same of what the other rank would wait for: if it cannot be told, for want of memory, it is held for
 * dead, and so learns of that at least. */
void tti_am_tell(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                 size_t body_bytes);

/* Ends all that is under way on a communicator that is marked as revoked: done() follows, with
 * TUTTI_ERR_REVOKED, when nobody can read or write the buffer any more. */
void tti_p2p_revoke(tutti_comm *comm);

/* While a communicator is being made, messages may come for one that is yet to be. At other times one of an
 * unknown context is for a communicator that was freed here, and is refused. Each beginning has its end. */
void tti_p2p_expect_context(bool expect);
/* Whether a communicator here has the context, or one that is being made may get it. */
bool tti_p2p_expects(uint64_t context);

/* `departed` is called, in progress, for ranks of the node that have called tutti_finalize(), perhaps more
 * than once for each, when all that they have sent has been taken; `leave` when this rank is about to, before
 * it tells anybody: what it sends then comes before that news. Until p2p closes. */
void tti_p2p_watch_leaving(void (*departed)(int job_rank), void (*leave)(void));
/* send_recv.c, for those from a rank of the job or TUTTI_ANY_SOURCE: 0 if a message may still come, which of
 * a lost rank it may until all that it had sent has been taken in. */
int tti_p2p_check_source(const tutti_comm *comm, int rank);
/* lost_ends.c. Whether a thread that waits for a message of any source will never get it: all others are
 * gone, and no other thread may send to this rank itself. */
bool tti_p2p_is_hopeless(const tutti_comm *comm);
/* The error of that, with its detail. */
int tti_p2p_fail_hopeless(const tutti_comm *comm);
/* Ends a receive that is so, and says whether it has. Its caller waits for it and can do nothing else. */
bool tti_p2p_despair(tti_p2p_op *op);
/* Opening: takes the job; opens node and fabric as TUTTI_TRANSPORT and the job demand. */
int tti_p2p_open(const tti_job *job);
/* Refuses what the program has not received, and makes progress until all that was sent is with the
 * transports' peers: TUTTI_ERR_TIMEOUT if they do not take it. `forgotten`: the program left requests active,
 * for which nobody waits. Under the lock. */
int tti_p2p_drain(int64_t timeout_ns, bool forgotten);
/* Waits until every rank has come here, or one died, or the time is over; makes progress meanwhile. After a
 * death the peers are told that this rank leaves. */
void tti_p2p_take_leave(int64_t timeout_ns);
/* Closes the transports; nothing may be under way. */
void tti_p2p_close(void);
#endif
