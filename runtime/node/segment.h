/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout of the node's segment and of one rank's view of it. The segment is a sealed memfd:
 *
 *     header | one card per rank | one bell per rank | ring of each pair | data area of each pair | windows
 *
 * The ring from p to c is three lines of the consumer's and then slots of one cache line each. A slot is
 * valid when its flag is its number (counted from 1), so a small packet and its flag travel in one line and
 * nothing else is touched. A packet of a few lines takes as many slots, the first of which becomes valid
 * last. A longer one lies in the pair's data area, at the offset in its one slot. Pages are touched when
 * first used, so that the resident size follows the pairs that talk. */
#ifndef TTI_NODE_SEGMENT_H
#define TTI_NODE_SEGMENT_H

#include <sched.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/atomics.h"
#include "runtime/machine/crossings.h"
#include "runtime/node/node.h"
#include "runtime/node/node_window.h"

#define TTI_NODE_MAGIC UINT64_C(0x3665646f6e697475) /* the layout's version is its last digit */
#define TTI_NODE_LINE 64
#define TTI_NODE_PAGE 4096 /* sizes here are in these, whatever the kernel's pages are */
#define TTI_NODE_PIECE 56  /* of a packet, in a slot */
/* Of four lines the data area is quicker: 0.17 us, not 0.20. */
#define TTI_NODE_INLINE_MAX (3 * TTI_NODE_PIECE)
/* So much of a packet in the data area is asked for before it is needed. */
#define TTI_NODE_PREFETCH 4096

/* Every so many slots the receiver says what it has taken on a line of its own (tti_node_ring). */
#define TTI_NODE_TAKEN_APART 16

typedef struct {
    alignas(TTI_NODE_LINE) _Atomic uint32_t flag;
    uint32_t bytes;
    union {
        unsigned char piece[TTI_NODE_PIECE]; /* if bytes is at most shape.inline_max */
        uint32_t offset;                     /* else: in the pair's data area */
    } at;
} tti_node_slot;

/* The sender reads `taken` for nothing but the time that takes. It lies two lines off what is read otherwise,
 * so that no processor fetches it along with that. */
typedef struct {
    alignas(TTI_NODE_LINE) _Atomic uint64_t taken; /* `consumed` of some while ago */
    alignas(TTI_NODE_LINE) unsigned char apart[TTI_NODE_LINE];
    alignas(TTI_NODE_LINE) _Atomic uint32_t consumed; /* slots taken so far; the consumer's line */
    _Atomic uint32_t wanted; /* the sender found no room, and sleeps: ring its bell when there is some */
    tti_node_slot slots[];
} tti_node_ring;

/* A file that a rank holds open for others to open through it. They compare what they find with what it was,
 * since another process may have the rank's process id by then, and another file the number. */
typedef struct {
    _Atomic int32_t fd; /* -1: none; set last */
    uint64_t device, inode;
} tti_node_file;

/* What senders look at to wake a rank. `word` is an epoch shifted left by one and an "armed" bit: whoever
 * turns (e, armed) into (e + 1, not armed) wakes, so a sleeper is woken once. */
typedef struct {
    alignas(TTI_NODE_LINE) _Atomic uint32_t word;
    _Atomic bool orders;       /* the rank puts all in order before it sleeps (order.c) */
    tti_node_file wake_pipe;   /* a pipe of the rank's to write to instead of waking the futex */
    _Atomic uint64_t active[]; /* bit set of ranks that sent since it was last cleared */
} tti_node_bell;

/* Where a rank and the peer whose memory it reads share that work (shared_copy.c). */
typedef struct {
    alignas(TTI_NODE_LINE) _Atomic uint64_t claims; /* serial << 32 | chunks the peer has taken << 16 | own */
    _Atomic uint32_t done;                          /* of those that the peer has taken */
    _Atomic bool failed;                            /* the peer could not write one */
} tti_node_desk;

/* What a rank tells the others about its process. */
typedef struct {
    alignas(TTI_NODE_LINE) _Atomic int32_t pid; /* 0: not attached yet; set last */
    _Atomic int32_t taken_by;                   /* the same, set first: no other process can be this rank */
    tti_node_file arena;                        /* memory of tti_node_mem_alloc() */
    _Atomic bool left; /* closed its view, and touches no memory of others any more */
    uint64_t proof_at; /* address, in that process, of a word that holds `proof` */
    uint64_t proof;
    cpu_set_t cpus; /* processors it may use; none: not known */
    tti_node_desk desk;
    /* Its last turn on a core that it shares, in rough ns. */
    alignas(TTI_NODE_LINE) _Atomic int64_t turn_ended;
    _Atomic int64_t turn_took;
    /* Where it has them (places.c). */
    _Atomic int place;
    _Atomic int64_t moved;       /* when it moved last */
    _Atomic int64_t still_until; /* a stranger was seen: until then nobody moves */
    _Atomic int64_t still_for;   /* from when that was */
} tti_node_card;

/* Sizes, chosen by the creator; tests shrink them. */
typedef struct {
    uint32_t ranks;
    uint32_t slots;       /* per ring */
    uint32_t inline_max;  /* at most TTI_NODE_INLINE_MAX, and slots * TTI_NODE_PIECE */
    uint32_t data_bytes;  /* per pair, a multiple of a line, more than the largest packet */
    uint32_t bells;       /* 1: receivers look at their bit set; 0: few ranks, they look at each ring */
    uint32_t window_sets; /* communicators that may have windows at a time */
    uint32_t window_bytes[TTI_NODE_WINDOW_KINDS]; /* of a window */
} tti_node_shape;

typedef struct {
    alignas(TTI_NODE_LINE) uint64_t magic;
    uint64_t cookie;
    uint64_t bytes;
    tti_node_shape shape;
    tti_crossings crossings;
    _Atomic uint32_t attached;                          /* ranks that came so far; a futex */
    _Atomic uint32_t views;                             /* open views in this process, for threads as ranks */
    alignas(TTI_NODE_LINE) _Atomic uint32_t departures; /* ranks that have left so far */
} tti_node_header;

/* Sending side of a pair; private to the sender. */
typedef struct {
    tti_node_ring *ring;
    tti_node_bell *bell;
    unsigned char *data;
    uint32_t *ends;    /* per slot: data_head after its packet */
    uint32_t next;     /* slots used so far */
    uint32_t consumed; /* last value seen of ring->consumed */
    uint32_t place;    /* of slot `next` */
    uint32_t consumed_place;
    uint32_t data_head, data_tail; /* data in use: from tail up to head, round the end; equal: none */
    uint32_t ready;                /* bytes of the data area from its front that have their pages */
    uint32_t looks;                /* at how far the receiver is, where something long begins */
    uint32_t meetings;             /* calls of tti_node_single_least() */
    uint64_t taken;                /* last value seen of ring->taken */
    int64_t passage_ns;            /* to read a line of the receiver's, as seen of late */
    int64_t judged_ns;             /* the one that the following are for */
    size_t past_least;             /* packets from here on are written past the caches */
    size_t fetch_least;            /* see tti_node_fetch_least() */
    size_t single[TTI_CROSSING_COLLECTIVES]; /* see tti_node_single_least() */
    bool past;                               /* the last long one was, or is just to be */
    bool refused; /* one found no room, and the receiver has not been asked for some */
} tti_node_outbox;

/* Receiving side of a pair; private to the receiver. */
typedef struct {
    tti_node_ring *ring;
    const unsigned char *data;
    uint32_t next;
    uint32_t place;
    uint32_t pieces; /* of the last packet */
} tti_node_inbox;

#define TTI_NODE_ARMED 1U

/* Whether its rank sleeps, or is about to. */
static inline bool tti_node_is_armed(const tti_node_bell *bell)
{
    return (atomic_load(&bell->word) & TTI_NODE_ARMED) != 0;
}

/* A word of the bit set of ranks that sent, as this rank goes through it. */
typedef struct {
    uint64_t bits; /* taken from the bell, their rings not yet found empty */
    unsigned from; /* the bit that is looked at first */
} tti_node_pending;

enum tti_node_copy { TTI_NODE_COPY_UNKNOWN, TTI_NODE_COPY_YES, TTI_NODE_COPY_NO };

/* What this rank knows and has opened of a peer's process. */
typedef struct {
    enum tti_node_copy copy; /* whether the kernel copies from and to its memory */
    int64_t seen_ns;         /* when its proof was last asked for and found */
    int wake_fd;
    bool gone; /* it has died, or left after a death: no mapping of its memory is kept for another use */
} tti_node_contact;

struct tti_node_arena;
struct tti_node_mapping;

struct tti_node {
    tti_node_header *header;
    int fd; /* the segment's, where others may open it; else -1 */
    int index, ranks;
    int expected; /* of `ranks` the first so many come by themselves, the others where they are needed */
    bool threads; /* views in one process: the last one unmaps */
    tti_node_shape shape;
    const int *job_ranks; /* for error texts; NULL: the index itself */
    tti_node_bell *bell;  /* own */
    tti_node_outbox *out;
    tti_node_inbox *in;
    tti_node_contact *contacts;
    tti_node_pending *pending; /* by word */
    char *windows;             /* a line for the users of each set, then the windows (windows_layout.c) */
    int first;                 /* where the next poll begins, for fairness: a rank or, with bells, a word */
    bool self_used;
    bool alone;   /* each rank has a processor of its own */
    bool orders;  /* as in the bell */
    bool refused; /* as in some outbox */
    int pipe[2];
    uint64_t proof;
    size_t page;     /* bytes that memory is mapped in */
    uint32_t shared; /* copies shared so far */
    char *between;   /* for single copies by way of it (single_copy.c); NULL: not yet needed */
    struct tti_node_arena *arena;
    struct tti_node_mapping *mappings;
};

/* windows_layout.c: bytes of all windows. */
size_t tti_node_windows_bytes(const tti_node_shape *shape);

/* Where things lie in a segment of a shape, in bytes from its beginning. */
typedef struct {
    size_t cards, bells, bell_stride, rings, ring_stride, data, windows, total;
} tti_node_layout;
tti_node_layout tti_node_layout_of(const tti_node_shape *shape);

/* Sizes for so many ranks; of windows the least ones where the address space is limited to less than twice
 * what all takes. */
tti_node_shape tti_node_shape_for(int ranks);
/* tti_node_open_threads() with sizes of the caller's. */
int tti_node_open_shaped(const tti_node_shape *shape, int index, void **segment, tti_node **node);

tti_node_card *tti_node_card_of(const tti_node *node, int peer);
/* Job rank of a peer, for error texts. */
int tti_node_rank_of(const tti_node *node, int peer);
/* The error that a peer's process is no more. */
int tti_node_peer_gone(const tti_node *node, int peer);

/* A sealed memfd of `bytes`, 0600, or a negative code. */
int tti_node_memfd(const char *name, size_t bytes);
/* Makes a segment and maps it, with no rank in it. */
int tti_node_make_segment(const tti_node_shape *shape, const tti_crossings *crossings, int *fd,
                          tti_node_header **header);
/* Maps a segment of so many bytes. */
int tti_node_map_segment(int fd, size_t bytes, tti_node_header **header);
/* Notes which processors this process may use. */
void tti_node_note_processors(tti_node_card *card);
/* Lets other processes of the user copy from and to this one where Yama wants that said. */
void tti_node_permit_copies(void);
static inline uint32_t tti_node_following(uint32_t place, uint32_t slots)
{
    return place + 1 == slots ? 0 : place + 1;
}
/* Slots that a packet takes. */
static inline uint32_t tti_node_pieces(const tti_node_shape *shape, size_t bytes)
{
    if (bytes <= TTI_NODE_PIECE || bytes > shape->inline_max) return 1;
    return (uint32_t)(bytes + TTI_NODE_PIECE - 1) / TTI_NODE_PIECE;
}

/* bell.c: asks the receivers that had no room for a packet to ring when there is some. The caller has
 * armed the bell, and orders this before it looks once more. */
void tti_node_ask_for_room(tti_node *node);
/* Parts that tti_node_close() closes. */
void tti_node_close_bell(tti_node *node);
void tti_node_close_arena(tti_node *node);
/* passage.c: a line takes as long from the receiver as when the node was measured, as far as is known. */
void tti_node_expect_passage(const tti_node *node, tti_node_outbox *out);
/* Sees how long it takes now, for the sizes from which on the ways to the receiver are the shorter ones.
 * Costs two such passages. */
void tti_node_time_passage(const tti_node *node, tti_node_outbox *out);
/* The same, when a line that the receiver has written was read in so many ns. */
void tti_node_note_passage(const tti_node *node, tti_node_outbox *out, int64_t ns);

#endif
