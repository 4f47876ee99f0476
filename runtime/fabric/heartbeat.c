/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/heartbeat.h"

#include <errno.h>
#include <limits.h>
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
/* Ranks that are asked at a time, at most: 32 answers find room in a socket's buffer, where the answers of
 * all ranks of a large job do not, and those of the same ranks would be dropped each time. */
#define PORTION 32
#define PORTIONS_MADE_UP 4 /* at a time, when the heart's thread has been late */
/* What the kernel counts for one datagram where a network's driver puts each into 2 KiB of its own. */
#define DATAGRAM_BYTES 2304
#define MAGIC UINT32_C(0x54544842)

enum kind { ASK, ANSWER, DEAD, BYE };

typedef struct {
    uint32_t magic, kind;
    uint64_t token;  /* the receiver's, of ASK and BYE */
    uint64_t number; /* of an ASK, and its answer */
    uint32_t rank, reserved;
} beat;

typedef struct watched {
    struct watched *next_untold;
    int rank, asked;   /* so often in vain, since it was heard */
    bool dead, over;   /* found silent; nothing more to ask */
    int64_t silent_ns; /* for so long, when it was found dead */
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
    watched **peers;      /* by rank; NULL: not watched */
    /* What follows is the heart's thread's alone. */
    watched *untold;   /* found silent, and stderr has not taken it yet */
    uint64_t number;   /* of the round of questions; a random start */
    int next;          /* the rank whose turn is next */
    int portion, late; /* ranks that have their turn at a time; portions that are made up for at a time */
    int64_t gap_ns, due_ns; /* between two portions; when the next one is due */
    int64_t looked_ns;      /* when this thread ran last */
    int64_t awake_ns;       /* since then it has run, now and again */
};

static void send_beat(const tti_heart *h, enum kind kind, uint64_t token, uint64_t number,
                      const struct sockaddr *to, socklen_t bytes)
{
    const beat b = {
        .magic = MAGIC, .kind = kind, .token = token, .number = number, .rank = (uint32_t)h->wishes.rank};
    /* Lost or refused is as good as not sent. */
    if (sendto(h->fd, &b, sizeof b, MSG_DONTWAIT | MSG_NOSIGNAL, to, bytes) < 0) return;
}

static watched *find(const tti_heart *h, uint32_t rank)
{
    return rank < (uint32_t)h->wishes.ranks ? h->peers[rank] : NULL;
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
            h->wishes.rank, h->wishes.host, w->rank, w->host, name, port, (double)w->silent_ns / 1e9,
            (double)h->wishes.silence_ns / 1e9);
}

/* Without the lock, and never waiting for stderr: a thread that waits there answers nobody, and the others
 * would take this rank for dead. What stderr does not take now is said at a later beat. */
static void tell_silences(tti_heart *h)
{
    for (; h->untold != NULL && tti_log_takes_more(); h->untold = h->untold->next_untold)
        tell_silence(h, h->untold);
}

static void answer(const tti_heart *h, const beat *b, const struct sockaddr *from, socklen_t bytes)
{
    if (b->token != h->wishes.token) return; /* a stranger */
    const watched *w = find(h, b->rank);
    send_beat(h, w != NULL && w->dead ? DEAD : ANSWER, 0, b->number, from, bytes);
}

/* Whoever asks lives, too. Answers to questions of long ago, and invented ones, count for nothing. */
static bool is_sign_of_life(const tti_heart *h, const beat *b, bool recent)
{
    return b->kind == ASK ? b->token == h->wishes.token : b->kind == ANSWER && recent;
}

/* The rank that holds this one for dead, or -1. */
static int heard(tti_heart *h, const beat *b, const struct sockaddr *from, socklen_t bytes)
{
    watched *w = find(h, b->rank);
    const bool recent = h->number - b->number < 2 * ASKS;
    if (b->kind == ASK) answer(h, b, from, bytes);
    if (w == NULL) return -1;
    if (is_sign_of_life(h, b, recent)) {
        w->heard_ns = tti_clock_ns();
        w->asked = 0;
    }
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

/* Its turn: it is asked, or found dead, and true. Where this thread was late itself, silence alone says
 * nothing: it must have been asked some times, too. */
static bool is_found_dead(tti_heart *h, watched *w, int64_t now)
{
    const int64_t since = w->heard_ns > h->awake_ns ? w->heard_ns : h->awake_ns;
    if (w->over) return false;
    if (w->asked < ASKS / 2 || now - since < h->wishes.silence_ns) {
        w->asked++;
        send_beat(h, ASK, w->token, h->number, (struct sockaddr *)&w->address, w->address_bytes);
        return false;
    }
    w->dead = w->over = true;
    w->silent_ns = now - w->heard_ns;
    w->next_untold = h->untold;
    h->untold = w;
    return true;
}

/* Which ranks are found dead, and how many. Each rank begins with the one behind it, so that it is not all of
 * them that ask the same one at a time. */
static int ask_portion(tti_heart *h, int64_t now, int dead[PORTION])
{
    int count = 0;
    pthread_mutex_lock(&h->lock);
    for (int i = 0; i < h->portion; i++) {
        watched *w = h->peers[h->next];
        if (w != NULL && is_found_dead(h, w, now)) dead[count++] = w->rank;
        h->next = (h->next + 1) % h->wishes.ranks;
        if (h->next == 0) h->number++;
    }
    pthread_mutex_unlock(&h->lock);
    return count;
}

/* Takes what has come and asks the next ones, if that is due. What came until `now` has been heard when
 * silence is judged by that. If this process itself has not run for long, others had no chance: they get it
 * from now on. A silence is said, where it can be at once, before the loss is told: that may end the process.
 */
static bool beat_once(tti_heart *h)
{
    const int64_t now = tti_clock_ns(), oldest = now - (h->late - 1) * h->gap_ns;
    int dead[PORTION];
    take_all(h);
    if (now - h->looked_ns > h->wishes.silence_ns / 2) h->awake_ns = now;
    h->looked_ns = now;
    if (now < h->due_ns) return false;
    h->due_ns = (h->due_ns > oldest ? h->due_ns : oldest) + h->gap_ns;
    const int count = ask_portion(h, now, dead);
    tell_silences(h);
    for (int i = 0; i < count; i++)
        h->wishes.lost(dead[i]);
    return true;
}

static void *beat_on(void *argument)
{
    tti_heart *h = argument;
    const int ms = (int)(h->gap_ns / 1000000);
    struct pollfd fds[2] = {{.fd = h->fd, .events = POLLIN}, {.fd = h->end_fd, .events = POLLIN}};
    while ((fds[1].revents & POLLIN) == 0) {
        poll(fds, 2, ms > 0 ? ms : 1);
        for (int i = 0; i < h->late && beat_once(h); i++)
            continue;
    }
    return NULL;
}

static void free_heart(tti_heart *h)
{
    for (int rank = 0; h->peers != NULL && rank < h->wishes.ranks; rank++)
        free(h->peers[rank]);
    free(h->peers);
    if (h->fd >= 0) close(h->fd);
    if (h->end_fd >= 0) close(h->end_fd);
    free(h);
}

/* For a question and an answer of each rank, if the system lets. */
static void make_room(const tti_heart *h)
{
    int has = 0;
    socklen_t bytes = sizeof has;
    const int64_t wanted = (int64_t)h->wishes.ranks * 2 * DATAGRAM_BYTES;
    const int half = (int)(wanted < INT_MAX ? wanted : INT_MAX) / 2; /* the kernel doubles it */
    if (getsockopt(h->fd, SOL_SOCKET, SO_RCVBUF, &has, &bytes) != 0 || wanted <= has) return;
    if (setsockopt(h->fd, SOL_SOCKET, SO_RCVBUF, &half, sizeof half) != 0) return;
}

static int start(tti_heart *h)
{
    const tti_heart_wishes *w = &h->wishes;
    h->end_fd = eventfd(0, EFD_CLOEXEC);
    h->fd = socket(w->address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (h->fd < 0 || h->end_fd < 0 || bind(h->fd, w->address, w->address_bytes) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno,
                              "TUTTI_HEARTBEAT: a socket for datagrams at the fabric's address and port");
    make_room(h);
    const int error = tti_thread_start(&h->thread, beat_on, h);
    return error == 0 ? 0 : tti_fail_thread(error, "answer others with, as TUTTI_HEARTBEAT asks");
}

/* All ranks have their turn once in an interval, in portions that are spread over it. */
static void divide(tti_heart *h)
{
    const int ranks = h->wishes.ranks, portions = (ranks + PORTION - 1) / PORTION;
    h->portion = (ranks + portions - 1) / portions;
    h->late = portions < PORTIONS_MADE_UP ? portions : PORTIONS_MADE_UP;
    h->gap_ns = h->wishes.silence_ns / ASKS / portions;
    h->next = (h->wishes.rank + 1) % ranks;
}

int tti_heart_open(const tti_heart_wishes *wishes, tti_heart **heart)
{
    tti_heart *h = calloc(1, sizeof *h);
    if (h == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "TUTTI_HEARTBEAT: no memory");
    h->wishes = *wishes;
    h->fd = h->end_fd = -1;
    h->number = wishes->token ^ (uint64_t)tti_clock_ns();
    h->peers = calloc((size_t)wishes->ranks, sizeof(watched *));
    divide(h);
    pthread_mutex_init(&h->lock, NULL);
    const int code =
        h->peers != NULL ? start(h) : tti_fail(TUTTI_ERR_NO_MEMORY, "TUTTI_HEARTBEAT: no memory");
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
    for (int i = 0; i < BYES * h->wishes.ranks; i++) {
        const watched *w = h->peers[(h->wishes.rank + i) % h->wishes.ranks];
        if (w == NULL || w->dead) continue;
        send_beat(h, BYE, w->token, 0, (const struct sockaddr *)&w->address, w->address_bytes);
    }
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
    const bool known = h->peers[rank] != NULL;
    if (!known) h->peers[rank] = w;
    pthread_mutex_unlock(&h->lock);
    if (known) free(w);
}

void tti_heart_drop(tti_heart *h, int rank)
{
    pthread_mutex_lock(&h->lock);
    if (h->peers[rank] != NULL) h->peers[rank]->over = true;
    pthread_mutex_unlock(&h->lock);
}
