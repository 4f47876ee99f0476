/* SPDX-License-Identifier: BSD-3-Clause */
/* Heartbeats (TUTTI_HEARTBEAT): small datagrams beside the fabric, to the same address and port number, asked
 * and answered by a thread of each rank's, so that a rank which computes for hours outside of the library
 * answers as soon as one that waits. Who asks in vain for that long, and is not asked either, takes the peer
 * for dead. Who is held for dead and lives is told so when it asks again, and ends. Ranks are asked a few at
 * a time, over and over: the answers of all of a large job would not find room in a socket's buffer.
 *
 *     ASK      the receiver's token, a number      "are you there?"
 *     ANSWER   the number                          "yes"
 *     DEAD     the number                          "you were silent for too long, we go on without you"
 *     BYE      the receiver's token                "I leave; ask no more" */
#ifndef TTI_FABRIC_HEARTBEAT_H
#define TTI_FABRIC_HEARTBEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct tti_heart tti_heart;

typedef struct {
    int64_t silence_ns;             /* that is taken for death */
    int rank, ranks;                /* of the job, those in reserve too */
    const char *host;               /* this rank's, for texts; lives as long as the heart */
    uint64_t token;                 /* that others have to show */
    const struct sockaddr *address; /* to answer at */
    socklen_t address_bytes;
    /* Both on the heart's thread. `lost`: that rank is silent. `told`: that rank holds this one for dead;
     * does not return, but in tests. */
    void (*lost)(int rank);
    void (*told)(int by);
} tti_heart_wishes;

/* TUTTI_ERR_SYSTEM, TUTTI_ERR_NO_MEMORY. */
int tti_heart_open(const tti_heart_wishes *wishes, tti_heart **heart);
/* Says BYE to all that are watched. */
void tti_heart_close(tti_heart *heart);
/* Watches a peer, once; not without memory. Any thread. */
void tti_heart_watch(tti_heart *heart, int rank, const char *host, uint64_t token,
                     const struct sockaddr *address, socklen_t address_bytes);
/* It is dead, or has left, as was heard otherwise. Any thread. */
void tti_heart_drop(tti_heart *heart, int rank);

#endif
