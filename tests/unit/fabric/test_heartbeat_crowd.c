/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank's heartbeats to more ranks than its socket's buffer has room for answers of. These come at once,
 * and what finds no room is gone, as with a real one: none of them is taken for dead, be it that it answers
 * or that it asks by itself; who says nothing is, and so is one of whom a stranger speaks, who does not know
 * the token.
 */
#include "runtime/fabric/heartbeat.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/unit/expect.h"

#define RANKS 400
#define TOKEN 7000
#define ROOM 64 /* datagrams in the buffer */
#define ROUNDS 30
#define SILENT 123
#define STRANGE 300

/* As in heartbeat.c. */
enum kind { ASK, ANSWER };

typedef struct {
    uint32_t magic, kind;
    uint64_t token, number;
    uint32_t rank, reserved;
} beat;

static beat buffer[ROOM]; /* the heart's thread's alone, and so is what counts it */
static int first, held;
static _Atomic int asked[RANKS], lost[RANKS], dropped;

/* What the rank says to the heart when that asks: an answer; or, of one rank in three, its own question. */
static void say(const beat *question)
{
    const int rank = (int)question->token;
    beat b = *question;
    b.rank = (uint32_t)rank;
    b.token = rank == STRANGE ? TOKEN + 1 : TOKEN;
    b.kind = rank == STRANGE || rank % 3 == 0 ? ASK : ANSWER;
    if (held == ROOM)
        atomic_fetch_add(&dropped, 1);
    else
        buffer[(first + held++) % ROOM] = b;
}

ssize_t __wrap_sendto(int fd, const void *data, size_t bytes, int flags, const struct sockaddr *to,
                      socklen_t to_bytes);
ssize_t __wrap_sendto(int fd, const void *data, size_t bytes, int flags, const struct sockaddr *to,
                      socklen_t to_bytes)
{
    const beat *b = data;
    (void)fd, (void)flags, (void)to, (void)to_bytes;
    EXPECT(bytes == sizeof *b);
    if (b->kind != ASK) return (ssize_t)bytes; /* nobody takes it */
    if (b->token != SILENT) say(b);
    atomic_fetch_add(&asked[b->token], 1);
    return (ssize_t)bytes;
}

ssize_t __wrap_recvfrom(int fd, void *data, size_t bytes, int flags, struct sockaddr *from,
                        socklen_t *from_bytes);
ssize_t __wrap_recvfrom(int fd, void *data, size_t bytes, int flags, struct sockaddr *from,
                        socklen_t *from_bytes)
{
    (void)fd, (void)flags, (void)from;
    EXPECT(bytes == sizeof(beat));
    errno = EAGAIN;
    if (held == 0) return -1;
    memcpy(data, &buffer[first], bytes);
    first = (first + 1) % ROOM;
    held--;
    *from_bytes = 0;
    return (ssize_t)bytes;
}

static void on_lost(int rank)
{
    atomic_fetch_add(&lost[rank], 1);
}

static void on_told(int by)
{
    (void)by;
    EXPECT(!"nobody holds this rank for dead");
}

static void watch_all(tti_heart *heart)
{
    const struct sockaddr_in nowhere = {.sin_family = AF_INET};
    for (int rank = 1; rank < RANKS; rank++)
        tti_heart_watch(heart, rank, "there", (uint64_t)rank, (const struct sockaddr *)&nowhere,
                        sizeof nowhere);
}

/* The one falls silent in the end, another one has been asked for rounds, and lives. */
static void await_rank(int rank)
{
    const bool dies = rank == SILENT || rank == STRANGE;
    while (dies ? atomic_load(&lost[rank]) == 0 : atomic_load(&asked[rank]) < ROUNDS) {
        if (!dies) EXPECT(atomic_load(&lost[rank]) == 0);
        poll(NULL, 0, 5);
    }
    if (dies) EXPECT(atomic_load(&asked[rank]) > 1);
}

int main(void)
{
    const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const tti_heart_wishes wishes = {.silence_ns = TTI_NS_PER_SECOND / 5,
                                     .rank = 0,
                                     .ranks = RANKS,
                                     .host = "here",
                                     .token = TOKEN,
                                     .address = (const struct sockaddr *)&any,
                                     .address_bytes = sizeof any,
                                     .lost = on_lost,
                                     .told = on_told};
    tti_heart *heart;
    EXPECT(tti_heart_open(&wishes, &heart) == 0);
    watch_all(heart);
    for (int rank = 1; rank < RANKS; rank++)
        await_rank(rank);
    tti_heart_close(heart);
    for (int rank = 1; rank < RANKS; rank++)
        EXPECT(atomic_load(&lost[rank]) == (rank == SILENT || rank == STRANGE));
    EXPECT(atomic_load(&dropped) == 0);
    return 0;
}
