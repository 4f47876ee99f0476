/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/heartbeat.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/process_room.h"
#include "runtime/base/status.h"
#include "runtime/base/thread.h"

/* So often is asked within the time of silence: where one of ten datagrams is lost, one way and the other,
 * that many are in 20 million such times. */
#define ASKS 10
#define BYES 3 /* of which one will come */
#define MAGIC UINT32_C(0x54544842)

enum kind { ASK, ANSWER, DEAD, BYE };

typedef struct {
    uint32_t magic, kind;
    uint64_t token;  /* the receiver's, of ASK and BYE */
    uint64_t number; /* of an ASK, and its answer */
    uint32_t rank, reserved;
} beat;

typedef struct watched {
    struct watched *next;
    int rank;
    bool dead, over;   /* found silent; nothing more to ask */
    int64_t untold_ns; /* how long it was silent, until stderr has taken that; the heart's thread's alone */
    char host[65];
    uint64_t token;
    struct sockaddr_storage address;
    socklen_t address_bytes;
    int64_t heard_ns;
} watched;

struct tti_heart {
    tti_heart_wishes wishes;
    int fd, end_fd;
    pthread_t thread;
    pthread_mutex_t lock; /* guards `peers` and what they hold */
    watched *peers;
    uint64_t number; /* of the last round of questions; a random start */
    int64_t asked_ns;
};

static void send_beat(const tti_heart *h, enum kind kind, uint64_t token, uint64_t number,
                      const struct sockaddr *to, socklen_t bytes)
{
    const beat b = {
        .magic = MAGIC, .kind = kind, .token = token, .number = number, .rank = (uint32_t)h->wishes.rank};
    /* Lost or refused is as good as not sent. */
    if (sendto(h->fd, &b, sizeof b, MSG_DONTWAIT | MSG_NOSIGNAL, to, bytes) < 0) return;
}

static watched *find(const tti_heart *h, int rank)
{
    watched *w = h->peers;
    while (w != NULL && w->rank != rank)
        w = w->next;
    return w;
}

static void tell_silence(const tti_heart *h, const watched *w)
{
    char name[64] = "?", port[16] = "?";
    getnameinfo((const struct sockaddr *)&w->address, w->address_bytes, name, sizeof name, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    tti_log(TTI_LOG_ERROR,
            "rank %d on %s has heard nothing from rank %d on %s (%s port %s) for %.1f s "
            "(TUTTI_HEARTBEAT=%gs): it "
            "counts as dead; is the way between them open, and is it stopped?",
            h->wishes.rank, h->wishes.host, w->rank, w->host, name, port, (double)w->untold_ns / 1e9,
            (double)h->wishes.silence_ns / 1e9);
}

/* Without the lock, and never waiting for stderr: a thread that waits there answers nobody, and the others
 * would take this rank for dead. What stderr does not take now is said at a later beat. Peers are only ever
 * put before the first one, and what is read of them stays as it was. */
static void tell_silences(tti_heart *h)
{
    pthread_mutex_lock(&h->lock);
    watched *w = h->peers;
    pthread_mutex_unlock(&h->lock);
    for (; w != NULL; w = w->next) {
        if (w->untold_ns == 0) continue;
        if (!tti_log_takes_more()) return;
        tell_silence(h, w);
        w->untold_ns = 0;
    }
}

/* Asks all. If this process itself has not run for long, others had no chance: they get it now. */
static void ask_all(tti_heart *h, int64_t now)
{
    const bool slept = h->asked_ns > 0 && now - h->asked_ns > h->wishes.silence_ns / 2;
    h->asked_ns = now;
    h->number++;
    for (watched *w = h->peers; w != NULL; w = w->next) {
        if (w->over) continue;
        if (slept) w->heard_ns = now;
        send_beat(h, ASK, w->token, h->number, (struct sockaddr *)&w->address, w->address_bytes);
    }
}

/* One that has been silent for too long, to be told without the lock; -1: none. */
static int find_silent(tti_heart *h, int64_t now)
{
    for (watched *w = h->peers; w != NULL; w = w->next) {
        if (w->over || now - w->heard_ns < h->wishes.silence_ns) continue;
        w->dead = w->over = true;
        w->untold_ns = now - w->heard_ns;
        return w->rank;
    }
    return -1;
}

static void answer(const tti_heart *h, const beat *b, const struct sockaddr *from, socklen_t bytes)
{
    if (b->token != h->wishes.token) return; /* a stranger */
    const watched *w = find(h, (int)b->rank);
    send_beat(h, w != NULL && w->dead ? DEAD : ANSWER, 0, b->number, from, bytes);
}

/* Answers to questions of long ago, and invented ones, count for nothing. The rank that holds this one for
 * dead, or -1. */
static int heard(tti_heart *h, const beat *b, const struct sockaddr *from, socklen_t bytes)
{
    watched *w = find(h, (int)b->rank);
    const bool recent = h->number - b->number < 2 * ASKS;
    if (b->kind == ASK) answer(h, b, from, bytes);
    if (w == NULL) return -1;
    if (b->kind == ANSWER && recent) w->heard_ns = tti_clock_ns();
    if (b->kind == BYE && b->token == h->wishes.token) w->over = true;
    return b->kind == DEAD && recent && !w->dead ? w->rank : -1;
}

static void take_all(tti_heart *h)
{
    for (;;) {
        beat b;
        struct sockaddr_storage from;
        socklen_t bytes = sizeof from;
        const ssize_t got = recvfrom(h->fd, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&from, &bytes);
        if (got < 0 && errno != ECONNREFUSED && errno != EINTR) return;
        if (got != (ssize_t)sizeof b || b.magic != MAGIC) continue;
        pthread_mutex_lock(&h->lock);
        const int by = heard(h, &b, (struct sockaddr *)&from, bytes);
        pthread_mutex_unlock(&h->lock);
        if (by >= 0) h->wishes.told(by);
    }
}

/* Answers are taken before silence is judged. It is said, where it can be at once, before the loss is told:
 * that may end the process. */
static void judge(tti_heart *h)
{
    const int64_t now = tti_clock_ns();
    int rank = 0;
    if (now - h->asked_ns < h->wishes.silence_ns / ASKS) return;
    pthread_mutex_lock(&h->lock);
    ask_all(h, now);
    pthread_mutex_unlock(&h->lock);
    while (rank >= 0) {
        pthread_mutex_lock(&h->lock);
        rank = find_silent(h, now);
        pthread_mutex_unlock(&h->lock);
        tell_silences(h);
        if (rank >= 0) h->wishes.lost(rank);
    }
}

static void *beat_on(void *argument)
{
    tti_heart *h = argument;
    const int ms = (int)(h->wishes.silence_ns / ASKS / 1000000);
    struct pollfd fds[2] = {{.fd = h->fd, .events = POLLIN}, {.fd = h->end_fd, .events = POLLIN}};
    while ((fds[1].revents & POLLIN) == 0) {
        poll(fds, 2, ms > 0 ? ms : 1);
        take_all(h);
        judge(h);
    }
    return NULL;
}

static void free_heart(tti_heart *h)
{
    while (h->peers != NULL) {
        watched *next = h->peers->next;
        free(h->peers);
        h->peers = next;
    }
    if (h->fd >= 0) close(h->fd);
    if (h->end_fd >= 0) close(h->end_fd);
    free(h);
}

static int start(tti_heart *h)
{
    const tti_heart_wishes *w = &h->wishes;
    h->end_fd = eventfd(0, EFD_CLOEXEC);
    h->fd = socket(w->address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (h->fd < 0 || h->end_fd < 0 || bind(h->fd, w->address, w->address_bytes) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno,
                              "TUTTI_HEARTBEAT: a socket for datagrams at the fabric's address and port");
    const int error = tti_thread_start(&h->thread, beat_on, h);
    return error == 0 ? 0 : tti_fail_thread(error, "answer others with, as TUTTI_HEARTBEAT asks");
}

int tti_heart_open(const tti_heart_wishes *wishes, tti_heart **heart)
{
    tti_heart *h = calloc(1, sizeof *h);
    if (h == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "TUTTI_HEARTBEAT: no memory");
    h->wishes = *wishes;
    h->fd = h->end_fd = -1;
    h->number = wishes->token ^ (uint64_t)tti_clock_ns();
    pthread_mutex_init(&h->lock, NULL);
    const int code = start(h);
    h->wishes.address = NULL; /* the caller's again */
    if (code < 0)
        free_heart(h);
    else
        *heart = h;
    return code;
}

void tti_heart_close(tti_heart *h)
{
    const uint64_t one = 1;
    if (h == NULL) return;
    while (write(h->end_fd, &one, sizeof one) < 0 && errno == EINTR)
        continue;
    pthread_join(h->thread, NULL);
    tell_silences(h);
    for (int i = 0; i < BYES; i++)
        for (watched *w = h->peers; w != NULL; w = w->next)
            if (!w->dead) send_beat(h, BYE, w->token, 0, (struct sockaddr *)&w->address, w->address_bytes);
    free_heart(h);
}

void tti_heart_watch(tti_heart *h, int rank, const char *host, uint64_t token, const struct sockaddr *address,
                     socklen_t address_bytes)
{
    watched *w = address_bytes <= sizeof w->address ? calloc(1, sizeof *w) : NULL;
    if (w == NULL) return;
    w->rank = rank;
    strncpy(w->host, host, sizeof w->host - 1);
    w->token = token;
    memcpy(&w->address, address, address_bytes);
    w->address_bytes = address_bytes;
    w->heard_ns = tti_clock_ns();
    pthread_mutex_lock(&h->lock);
    const bool known = find(h, rank) != NULL;
    if (!known) {
        w->next = h->peers;
        h->peers = w;
    }
    pthread_mutex_unlock(&h->lock);
    if (known) free(w);
}

void tti_heart_drop(tti_heart *h, int rank)
{
    pthread_mutex_lock(&h->lock);
    watched *w = find(h, rank);
    if (w != NULL) w->over = true;
    pthread_mutex_unlock(&h->lock);
}
