/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 of a job of four whose other ranks the test plays: 1 is on its node, 2 and 3 are reached over the
 * fabric. Ways and launcher are stand-ins, everything above them is the library's own: what comes is handed
 * to it packet by packet, what it sends is kept. For tests of packets and for their fuzzer. */
#ifndef TESTS_LONE_RANK_H
#define TESTS_LONE_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/node/mailbox.h"
#include "runtime/p2p/engine.h"
#include "tutti/tutti.h"

#define LONE_RANKS 4
#define LONE_NEIGHBOUR 1 /* the rank on the node */
#define LONE_WINDOW 256

typedef struct {
    tutti_comm *world;
    tutti_window *window;                 /* of all ranks; the others' parts are as large as this one's */
    _Alignas(8) char memory[LONE_WINDOW]; /* of this rank's part */
    bool full;                            /* the ways have no room for packets */
    bool slow;                            /* the fabric keeps its last packet until another one follows */
    int sent[LONE_RANKS];                 /* packets, to each rank */
    size_t bulk_bytes;                    /* of the bulk data that was started last */
    struct {
        size_t bytes;
        _Alignas(8) unsigned char at[TTI_NODE_PACKET_MAX];
    } last[LONE_RANKS]; /* packet to each rank */
} lone_rank;

extern lone_rank lone;

void lone_open(void);
/* The others die first, so that all requests are over. */
void lone_end_all(void);
/* The rank leaves as things are; or when all is over. */
void lone_leave(void);
void lone_close(void);
/* A packet of `rank` comes, by its way, in memory that ends where it ends. */
void lone_receive(int rank, const void *packet, size_t bytes);
/* The same of the rank on the node, when the node is next looked at. */
void lone_receive_later(const void *packet, size_t bytes);
/* The number of the operation that the last packet to `rank`, an RTS, names as its send. */
uint32_t lone_announced(int rank);
/* What the fabric receives as bulk data next ends after so many bytes. */
void lone_shorten_bulk(size_t bytes);
/* Lets the fabric finish all it has: at the next progress, or with it at once. */
void lone_complete_bulk(void);
void lone_finish_bulk(void);

/* -- between the stand-ins -- */
/* Keeps a packet to `rank`; 1 where there is no room. */
int lone_keep(int rank, size_t most, const void *head, size_t head_bytes, const void *body,
              size_t body_bytes);
void lone_forget_bulk(void);

#endif
