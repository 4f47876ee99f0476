/* SPDX-License-Identifier: BSD-3-Clause */
/* How another rank's buffer is reached in a large operation: by a copy of the kernel. Where that refuses it
 * (a process that may not be dumped, memory of a device, memfd_secret), by messages: the other rank, which
 * waits in the same operation until nobody needs its buffers any more, copies what it is asked for itself. So
 * one rank may go that way without the others. */
#ifndef TTI_COLLECTIVES_REACH_H
#define TTI_COLLECTIVES_REACH_H

#include "collectives/node/board.h"

/* `address` lies in what the rank offers in this operation (offer.h). TUTTI_ERR_PEER_FAILED; other errors are
 * those of messages. */
int tti_reach_read(tti_board *board, int rank, uint64_t address, void *to, size_t bytes);
int tti_reach_write(tti_board *board, int rank, uint64_t address, const void *from, size_t bytes);
/* Lets this rank be asked; at init, after p2p is open. */
void tti_reach_register(void);

#endif
