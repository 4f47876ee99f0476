/* SPDX-License-Identifier: BSD-3-Clause */
/* One libfabric RDM endpoint of this rank: packets in order between each pair, bulk data by tag, RMA, and
 * sleeping until something comes. Used by one thread at a time (p2p holds its lock where threads are many).
 * libfabric itself is loaded when tti_fabric_open() is called, not before. Peers are job ranks. */
#ifndef TTI_FABRIC_H
#define TTI_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmi/pmi.h"

typedef struct tti_fabric tti_fabric;

/* A packet of `rank` arrived; the bytes, 8-byte aligned, are valid during the call. It showed this rank's
 * token, so its sender is of the job. The handler may call tti_fabric_send(), not tti_fabric_poll(). */
typedef void tti_fabric_packet_fn(void *context, int rank, const void *packet, size_t bytes);
/* The connection to `rank` broke or could not be made: `code` (TUTTI_ERR_*), with its detail already
 * recorded. TUTTI_ERR_LIMIT: this process can open no more connections, to nobody. TUTTI_ERR_STATE: the
 * rank, which this one has lost, still sends to it, and has not heard of it. */
typedef void tti_fabric_failure_fn(void *context, int rank, int code);

/* An operation under way. The caller owns it and keeps it until `done`, which is called exactly once, from
 * tti_fabric_poll(), with 0 or TUTTI_ERR_*. */
typedef struct tti_fabric_op tti_fabric_op;
struct tti_fabric_op {
    void (*done)(tti_fabric_op *op, int code);
    size_t bytes;         /* out: bytes sent or received, of bulk data */
    int rank;             /* peer, for error texts */
    uint64_t reserved[8]; /* the fabric's own; holds a struct fi_context2 where the provider asks for it */
};

typedef struct {
    size_t packet_max;   /* largest packet (head + body) that tti_fabric_send() takes */
    size_t in_place_max; /* largest that tti_fabric_send_in_place() takes; at least packet_max */
    size_t message_max;  /* most bytes of bulk data at a time */
    bool has_rma;        /* tti_fabric_read/write work */
    bool has_wait_fd;    /* tti_fabric_arm() gives a descriptor */
    bool has_in_place;   /* tti_fabric_send_in_place() works */
    int tag_bits;        /* width of the bulk tags */
    const char *provider, *domain, *address,
        *why; /* chosen, and the reason, for people; strings live until close */
} tti_fabric_limits;

/* Opens the endpoint that TUTTI_PROVIDER and TUTTI_INTERFACE, or the preferences of the design, choose, and
 * publishes its card. TUTTI_ERR_FABRIC, TUTTI_ERR_OPTION … with a detail that names what there is. */
int tti_fabric_open(const tti_job *job, tti_fabric_packet_fn *packet, tti_fabric_failure_fn *failure,
                    void *context, tti_fabric **fabric);
void tti_fabric_close(tti_fabric *fabric);
const tti_fabric_limits *tti_fabric_limits_of(const tti_fabric *fabric);

/* Sends a packet of head and body (NULL if body_bytes is 0); both may be reused at once. The peer's card is
 * fetched at first contact. Returns 0; 1 if there is no room now (poll and try again; order is kept); or an
 * error. */
int tti_fabric_send(tti_fabric *fabric, int rank, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes);
/* The same, but the body is sent from where it lies: it stays there until done(), which follows only after 0.
 * Only where the limits have it, and tti_fabric_is_clear(). */
int tti_fabric_send_in_place(tti_fabric *fabric, int rank, const void *head, size_t head_bytes,
                             const void *body, size_t body_bytes, tti_fabric_op *op);
/* Whether libfabric has let go of all that was sent to `rank`: then it takes the next one at once, as a rule.
 */
bool tti_fabric_is_clear(const tti_fabric *fabric, int rank);
/* Whether `rank` has published its card, as far as this rank knows: it is asked for with the first packet to
 * it.
 */
bool tti_fabric_has_come(const tti_fabric *fabric, int rank);
/* How many packets have been handed over so far. */
uint64_t tti_fabric_packets(const tti_fabric *fabric);
/* True if none of the first so many still waits inside libfabric. Before closing. */
bool tti_fabric_idle(const tti_fabric *fabric, uint64_t packets);

/* Bulk data: a send matches the receive that was posted at the peer with the same tag, which strangers cannot
 * guess, as it travels under the receiver's mask. The receive is posted
 * first, and is no shorter (the protocol sees to both: over tcp a truncated message breaks the connection
 * without a word, and takes packets with it, and over net one that no receive is posted for holds up all that
 * follows). At most message_max bytes. Return 0, 1 (no room now), or an error; done() follows only after 0.
 */
int tti_fabric_bulk_send(tti_fabric *fabric, int rank, uint64_t tag, const void *buf, size_t bytes,
                         tti_fabric_op *op);
int tti_fabric_bulk_recv(tti_fabric *fabric, int rank, uint64_t tag, void *buf, size_t bytes,
                         tti_fabric_op *op);
/* Withdraws a bulk receive; done() still follows (TUTTI_ERR_CANCELLED, or its result if it was too late). */
void tti_fabric_bulk_cancel(tti_fabric *fabric, tti_fabric_op *op);
/* For an operation that may never complete, as the peer has withdrawn its receive, has left, or has unmapped
 * the memory (also a packet sent in place): done() follows soon, with its result or TUTTI_ERR_PEER_FAILED.
 * What the peer gets of it after that is undefined, and it may still write into the buffer: not for one whose
 * peer is only slow. */
void tti_fabric_bulk_give_up(tti_fabric *fabric, tti_fabric_op *op);

/* Memory that peers may read and write. `key` (filled, at most 64 bytes) goes to the peers. */
typedef struct {
    uint64_t address, key;
} tti_fabric_remote;
typedef struct tti_fabric_region tti_fabric_region;
int tti_fabric_expose(tti_fabric *fabric, void *base, size_t bytes, tti_fabric_region **region,
                      tti_fabric_remote *remote);
void tti_fabric_conceal(tti_fabric_region *region);
/* RMA on exposed memory; done() means complete at the target. Return as the bulk calls. Local buffers are
 * registered through the cache where the provider wants it. */
int tti_fabric_read(tti_fabric *fabric, int rank, const tti_fabric_remote *remote, size_t offset, void *buf,
                    size_t bytes, tti_fabric_op *op);
int tti_fabric_write(tti_fabric *fabric, int rank, const tti_fabric_remote *remote, size_t offset,
                     const void *buf, size_t bytes, tti_fabric_op *op);

/* What the launcher or another way to it told: `rank` is dead. Its operations end with TUTTI_ERR_PEER_FAILED
 * in tti_fabric_poll(); the failure handler is not called. */
void tti_fabric_peer_died(tti_fabric *fabric, int rank);
/* The same for one that may live: only packets to it may still be sent, by the call below. When that has been
 * done, or tried, tti_fabric_peer_died() ends these. */
void tti_fabric_part(tti_fabric *fabric, int rank);
/* A last packet to a rank that is lost, over a new connection if need be: parts with it before, if that has
 * not been done. Returns as tti_fabric_send(). */
int tti_fabric_send_last(tti_fabric *fabric, int rank, const void *packet, size_t bytes);

/* Whom to tell of ranks that are silent for longer than TUTTI_HEARTBEAT; on a thread of the fabric's. Before
 * opening. */
void tti_fabric_on_silence(void (*died)(int rank));

/* Progress: reads completions, calls packet, failure and done handlers; returns how many events it saw. */
int tti_fabric_poll(tti_fabric *fabric);
/* Before sleeping: *fd to poll() for input, or -1 if the provider has none. Returns false if there is work
 * already, so that sleeping would lose it (fi_trywait). */
bool tti_fabric_arm(tti_fabric *fabric, int *fd);

#endif
