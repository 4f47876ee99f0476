/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of streams/ share. One thread at a time is inside a context: stream_threads.h.
 *
 *   context ── listeners ── (passive endpoint)
 *      │  └─── streams ──── (endpoint) ── pending frames
 *      ├─ send, control, receive: pools of slots, memory that is registered once
 *      └─ fabric, domain, event queue, completion queue, shared receive context
 *
 * A stream is freed in one place, by the reaper (stream_reap.c), when no callback is running: whoever finds
 * it broken calls tti_stream_end() and may go on using the pointer. */
#ifndef TTI_STREAMS_STREAM_STATE_H
#define TTI_STREAMS_STREAM_STATE_H

#include <dirent.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <sys/uio.h>

#include "runtime/base/list.h"
#include "runtime/fabric/fabric_library.h"
#include "streams/frame.h"
#include "streams/secret.h"
#include "tutti/stream.h"

#define TTI_STREAM_TEXT 80 /* an address as text */
#define TTI_STREAM_WHY 512 /* why a stream ended */
#define TTI_STREAM_BUCKETS 256
#define TTI_STREAM_RESERVE                                                                                   \
    3 /* frames beside messages that a peer may have under way: two CREDIT, one BYE                          \
       */

enum tti_stream_slot_use {
    TTI_SLOT_FREE,
    TTI_SLOT_LENT,   /* send: the user fills it */
    TTI_SLOT_QUEUED, /* send: waits for its turn */
    TTI_SLOT_POSTED, /* libfabric has it */
    TTI_SLOT_HANDED, /* receive: its messages are being handed out */
    TTI_SLOT_HELD    /* receive: the user keeps at least one of its messages */
};

#define TTI_STREAM_HEADER_MOST 16 /* bytes of the user's before the pieces of a zero-copy send */
#define TTI_STREAM_PIECES_MOST 15

/* Memory of the user's that pieces may lie in. */
typedef struct {
    uintptr_t start;
    size_t bytes;
    struct fid_mr *registration; /* NULL where the provider wants none, or there is none yet */
    int sends;                   /* pieces of it that are being sent */
} tti_stream_region;

/* What a zero-copy send is made of: part 0 is its slot, the others are pieces of regions. */
typedef struct {
    struct iovec parts[1 + TTI_STREAM_PIECES_MOST];
    void *descriptors[1 + TTI_STREAM_PIECES_MOST];
    tti_stream_region *regions[1 + TTI_STREAM_PIECES_MOST];
    int count;
    uint64_t key;
} tti_stream_gather;

/* One buffer: a frame's head and what follows. */
typedef struct {
    struct fi_context2 context; /* first: the op_context of its operation is the slot */
    tti_link link;              /* in the pool's free list, a stream's pending frames, or the unposted */
    tutti_stream *stream;   /* send: whose frame. Receive: whose endpoint it is posted to, NULL if shared */
    tutti_stream *creditor; /* receive: whose credit goes back once it is posted again */
    uint8_t *memory;
    void *descriptor;
    tti_stream_gather *gather; /* send: of a header slot, NULL of others */
    uint32_t bytes;            /* send: of its first frame's message */
    uint32_t length;           /* of the operation, heads and all */
    uint32_t at;               /* receive: where the next frame to be handed out begins */
    uint64_t seen;             /* receive: context->seen when it arrived */
    uint32_t taken, holds; /* receive: messages in it whose credits are not back yet; that the user holds */
    uint8_t use;           /* tti_stream_slot_use */
    uint8_t kind;          /* tti_frame_kind of what it sends */
    bool receives;
} tti_stream_slot;

/* `count` slots of `stride` bytes in one stretch of memory, of which the first `active` are in use so far. */
typedef struct {
    tti_stream_slot *slots;
    uint8_t *memory;
    size_t stride, mapped;
    int count, active;
    tti_link free;
    struct fid_mr **registrations;
    int registered;
} tti_stream_pool;

enum tti_stream_phase {
    TTI_STREAM_CONNECTING, /* we have knocked */
    TTI_STREAM_ACCEPTING,  /* we have let it in, and it does not know yet */
    TTI_STREAM_PROVING,    /* connected, and to be shown that both know the secret */
    TTI_STREAM_OPEN,
    TTI_STREAM_CLOSING, /* one of us has said BYE, or will */
    TTI_STREAM_ENDED    /* for the reaper */
};

enum tti_stream_wants { TTI_STREAM_WANTS_BUFFER = 1, TTI_STREAM_WANTS_HEADER = 2 };

struct tutti_stream {
    tti_link link;    /* in context->streams or context->ended */
    tti_link timed;   /* in context->timed while `deadline` is set */
    tti_link waiting; /* in context->waiting: wants on_ready */
    unsigned wants;   /* tti_stream_wants: which of them it waits for */
    tutti_stream_context *context;
    tutti_stream_callbacks callbacks;
    void *data;
    struct fid_ep *endpoint;
    int descriptor; /* of who connects: of its socket, unless another thread has opened one just then */
    tti_greetings greetings;
    uint8_t nonce[TTI_NONCE_BYTES];
    uint64_t token, peer_token;     /* frames to me bear mine, frames to the peer bear the peer's */
    size_t room;                    /* longest message to the peer */
    int64_t deadline;               /* ns; of connecting or closing */
    uint32_t credits, credits_most; /* messages that the peer has room for now; at most */
    uint32_t granted, owed;         /* messages that the peer may send; that I can let it send besides */
    tti_link pending;               /* frames in order that libfabric has no room for yet */
    tti_stream_slot *credit_slot, *bye_slot;
    uint64_t heard,
        operations;          /* bytes and number of the operations that were its, heads of frames and all */
    uint32_t in_flight;      /* operations with messages that libfabric is not through with */
    tti_stream_slot *bundle; /* small messages that wait for others, or NULL */
    tti_link bundled;        /* in context->bundled while there is one */
    int64_t bundle_deadline; /* ns */
    int code;                /* why it ended */
    uint8_t phase;
    bool told, opened, asked; /* the user knows of it; on_open was called; close was */
    bool deaf;                /* no more messages to the user */
    int sharers, opens_due; /* who has connected by it besides the first; on_open calls that they wait for */
    bool arrived, denied;   /* at a listener of this side; and it knows not the secret */
    bool bye_queued, bye_left, bye_arrived, closed_endpoint;
    bool gone;      /* its connection is, and that is to be acted on when `mark` is past */
    int broken;     /* by which error of libfabric's that went; 0: in order, or not known */
    uint64_t mark;  /* of tti_stream_mark(): when the connection went, or the endpoint was closed */
    tti_link alike; /* in a bucket of context->by_peer, once it has a peer */
    char peer[TTI_STREAM_TEXT];
    char why[TTI_STREAM_WHY];
};

struct tutti_stream_listener {
    tti_link link;
    tutti_stream_context *context;
    tutti_stream_callbacks callbacks;
    struct fid_pep *endpoint;
    bool listens;
    int shut; /* its socket, where that is not to listen any more; -1 */
};

struct tutti_stream_context {
    tutti_stream_options options;
    const tti_fabric_library *library;
    tti_secret *secret;               /* or NULL */
    struct tti_stream_silent *silent; /* NULL before the first listener */
    DIR *
        descriptors; /* of /proc, held open: where it is needed most there may be none left to open it with */
    struct fi_info *info; /* of the first address: provider and domain */
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_eq *events;
    struct fid_cq *completions;
    struct fid_ep *shared; /* shared receive context, or NULL where the provider has none */
    tti_stream_pool send, control, receive;
    tti_stream_pool headers; /* of zero-copy sends; slot i has gathers[i] */
    tti_stream_gather *gathers;
    tti_stream_region **regions; /* by address, none over another */
    int region_count, region_room;
    tti_link streams, ended, listeners, timed, waiting;
    tti_link unposted;    /* receive slots for which libfabric had no room */
    tti_link arrived;     /* receive slots of which not all is handed out, in order */
    tti_link bundled;     /* streams with a bundle, the one whose deadline comes first at the front */
    tti_link kept_events; /* stream_event.h */
    const void *handing;  /* the message whose on_message runs, or NULL */
    tutti_stream **by_index;
    int live;        /* streams that are not freed */
    int held_orphan; /* held slots whose stream is gone */
    int posted;      /* receive slots that the shared receive context has */
    int epoll, kick; /* the user's descriptor; an eventfd in it that says: call again */
    int stop;        /* an eventfd beside them: tutti_stream_stop() sets it, tutti_stream_run() waits on it */
    int handed;      /* messages handed out by the running tutti_stream_process() */
    int looks;       /* of tutti_stream_poll() since the last whole round */
    int work;        /* completions and events that the running tutti_stream_process() has read */
    int64_t looked;  /* when tti_stream_end_late() was last called while there were deadlines, ns */
    int strays;      /* operations that were no stream's, since tti_stream_stray() last looked whose */
    int64_t next_stray_look; /* not before, ns */
    uint64_t seen;           /* completions that were read; where there were none left, `queue_room` more */
    uint64_t queue_room;     /* completions that there may be at a time */
    bool gone_due;           /* some stream is `gone` */
    bool opens_due;          /* some stream has */
    bool eager;              /* a small message waits only while others of its stream are in flight */
    bool watching;           /* the user's descriptor tells of the completion queue */
    bool inside, dying;
    bool raised;           /* `kick` is set */
    bool kicked;           /* since the last round something was left to be done */
    pthread_mutex_t *lock; /* NULL: for one thread */
    pthread_t loop;        /* who processes it, once `bound` */
    bool bound;
    tti_link by_peer[TTI_STREAM_BUCKETS]; /* streams that are not freed, by a digest of `peer` */
};

#define TTI_STREAM_SLOTS(context) ((context)->options.credits + TTI_STREAM_RESERVE)

/* stream_network.c: info of an address, and the objects that all streams share. */
int tti_stream_lookup(tutti_stream_context *context, const char *address, uint64_t flags,
                      struct fi_info **info);
int tti_stream_network_open(tutti_stream_context *context, const struct fi_info *info);
void tti_stream_network_close(tutti_stream_context *context);
int tti_stream_refuse(const tutti_stream_context *context, int result, const char *call, const char *where);
/* Lets the user's descriptor tell of the completion queue, and not: of that a program that looks all the time
 * has no need, and the kernel would see to it with each message. */
int tti_stream_watch(tutti_stream_context *context);
void tti_stream_unwatch(tutti_stream_context *context);

/* stream_pool.c */
int tti_stream_pool_open(tti_stream_pool *pool, int count, size_t bytes, bool receives);
void tti_stream_pool_close(tti_stream_pool *pool);
/* Puts the next `count` slots into use, registered where the provider wants that. TUTTI_ERR_LIMIT if there
 * are not as many left. */
int tti_stream_pool_activate(tutti_stream_context *context, tti_stream_pool *pool, int count);
tti_stream_slot *tti_stream_pool_take(tti_stream_pool *pool);
void tti_stream_pool_give(tti_stream_pool *pool, tti_stream_slot *slot);
/* The slot in which `data` lies, behind the head of its first frame, or NULL. */
tti_stream_slot *tti_stream_pool_find(const tti_stream_pool *pool, const void *data);
void tti_stream_pool_unregister(tti_stream_pool *pool);

/* stream_connect.c */
int tti_stream_new(tutti_stream_context *context, const tutti_stream_callbacks *callbacks,
                   tutti_stream **stream);
int tti_stream_open_endpoint(tutti_stream *stream, struct fi_info *info);

/* stream_events.c: connections that come, come about, and go. */
int tti_stream_drain_events(tutti_stream_context *context);
/* Ends the streams whose connections are gone and of which all is handed out. */
void tti_stream_end_gone(tutti_stream_context *context);

/* stream_unlisten.c: who has knocked and was not let in yet is turned away. Calls nobody back. */
void tti_stream_end_listener(tutti_stream_listener *listener);

/* stream_queue.c: frames leave in the order of these calls, each of which may end the stream. */
void tti_stream_queue(tutti_stream *stream, tti_stream_slot *slot, uint8_t kind);
void tti_stream_flush(tutti_stream *stream); /* tries again what libfabric had no room for */
void tti_stream_grant(tutti_stream *stream); /* sends the credits that are owed, if they are worth it */

/* stream_send.c */
void tti_stream_tell_ready(tutti_stream_context *context);
int tti_stream_refuse_to_send(const tutti_stream *stream);
/* TUTTI_ERR_AGAIN; on_ready follows when there are credits and what the stream wants. */
int tti_stream_wait_for_room(tutti_stream *stream, unsigned wants);

/* stream_bundle.c: messages that wait for others, to share their network operation. */
void tti_stream_send_message(tutti_stream *stream, tti_stream_slot *slot, uint32_t bytes);
/* Sends what waits, if anything does. May end the stream. */
void tti_stream_send_bundle(tutti_stream *stream);
void tti_stream_send_bundles(tutti_stream_context *context,
                             int64_t now); /* whose deadline is not after `now` */

/* stream_gather.c: zero-copy sends. */
int tti_stream_gathers_open(tutti_stream_context *context);
void tti_stream_return_key(tti_stream_slot *slot); /* libfabric is through with it */
void tti_stream_return_keys(tutti_stream *stream); /* of all that is left of a stream that has ended */

/* stream_regions.c */
int tti_stream_regions_open(tutti_stream_context *context);   /* there is a network now */
void tti_stream_regions_close(tutti_stream_context *context); /* there is none any more */
void tti_stream_regions_free(tutti_stream_context *context);
/* The region in which all these bytes are, or NULL. */
tti_stream_region *tti_stream_region_of(const tutti_stream_context *context, const void *data, size_t bytes);
int tti_stream_not_in_a_region(const tutti_stream_context *context, const void *data, size_t bytes);

/* stream_post.c: buffers for what arrives.
 * TUTTI_ERR_LIMIT if there are none for one stream more, since too many are held. */
int tti_stream_check_receives(const tutti_stream_context *context, const char *who);
int tti_stream_ready_receives(tutti_stream *stream); /* for a new stream */
/* A slot is through: it is posted again, or free, and its credits go back. */
void tti_stream_repost(tutti_stream_context *context, tti_stream_slot *slot);
void tti_stream_retry_posts(tutti_stream_context *context); /* those for which libfabric had no room */
/* The credits of so many messages, which are through, go back to who sent them; NULL: it is gone. */
void tti_stream_give_credits(tutti_stream *creditor, uint32_t count);

/* stream_receive.c: a completion has brought a receive slot back, with something in it or without. */
void tti_stream_arrived(tutti_stream_context *context, tti_stream_slot *slot, size_t bytes);
void tti_stream_taken(tutti_stream_context *context, tti_stream_slot *slot);
/* Hands out what has arrived, within the budget of tutti_stream_process(). False if there was nothing. */
bool tti_stream_hand_out(tutti_stream_context *context, int budget);

/* stream_mark.c: a mark is past when all completions that there may be at the time it is made are read, and
 * what they brought is handed out. */
uint64_t tti_stream_mark(const tutti_stream_context *context);
bool tti_stream_is_past(const tutti_stream_context *context, uint64_t mark);

/* stream_end.c: for whoever finds a stream broken; once it has ended, to end it again does nothing. */
void tti_stream_end(tutti_stream *stream, int code, const char *format, ...) TUTTI_PRINTF(3, 4);
void tti_stream_out_of_step(tutti_stream *stream, const char *what); /* the peer does what it must not */
void tti_stream_nobody_listens(tutti_stream *stream); /* at the peer's address, or not any more */
/* Calls a listener's on_refused: for who did not become a stream. */
void tti_stream_tell_refused(const tutti_stream_context *context, const tutti_stream_callbacks *callbacks,
                             int code, const char *why);

/* stream_deadline.c */
void tti_stream_set_deadline(tutti_stream *stream, int ms);
void tti_stream_end_late(tutti_stream_context *context); /* all that has arrived by now is read */
int64_t tti_stream_first_deadline(const tutti_stream_context *context); /* ns; INT64_MAX: there is none */

/* stream_close.c */
void tti_stream_say_bye(tutti_stream *stream); /* once; messages that wait leave before */
/* Ends a stream that is to be closed and of which both sides have said BYE. */
void tti_stream_finish(tutti_stream *stream);

/* stream_reap.c: buries streams that have ended; true if something was done: then read the completion queue
 * again. `anyway`: also those of which completions may be left, since there will be none any more. */
bool tti_stream_reap(tutti_stream_context *context, bool anyway);

/* stream_address.c: "host:port" taken apart (false: malformed); a socket address as such a text. Pure. */
bool tti_stream_split_address(const char *address, char host[TTI_STREAM_TEXT * 4], char port[8]);
void tti_stream_print_address(const void *address, size_t bytes, char text[TTI_STREAM_TEXT]);

#endif
