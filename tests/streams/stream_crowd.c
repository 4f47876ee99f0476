/* SPDX-License-Identifier: BSD-3-Clause */
/* One listener and a crowd of senders, each a process, while the listener stalls, senders are killed and the
 * listener is killed and started again. A sender whose stream breaks begins anew on another one. On each
 * stream every message comes once, whole and in order; what a sender was told has arrived has arrived.
 *
 *   stream_crowd [SENDERS [MESSAGES [KILLS [RESTARTS [HOST [NAMESPACE]]]]]]
 *
 * HOST is where the listener listens, in the network NAMESPACE, where the senders are in this one. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/atomics.h"
#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define SENDERS_MOST 1000
#define BUFFER_BYTES 512
#define STALL_EACH 3000 /* messages */
#define STALL_US 30000

typedef struct {
    uint32_t sender, attempt;
    uint64_t number, count;
    uint8_t rest[];
} message;

/* What all processes see. */
typedef struct {
    atomic_long received;
    atomic_int listens, over;
    char address[80];
    atomic_uint attempts[SENDERS_MOST]; /* begun */
    atomic_uint finished[SENDERS_MOST]; /* the last one of which all has come */
} board;

static board *shared;
static int64_t patient_until; /* ns; later when messages come, from whomever */
static long seen;
static int senders = 10, restarts = 1;
static long messages = 400, kills = 3;
static const char *host = "127.0.0.1", *namespace;

static void expect_progress(void)
{
    const long received = atomic_load(&shared->received);
    const int64_t now = tti_clock_ns();
    if (patient_until == 0 || received != seen) patient_until = now + PATIENCE_NS;
    seen = received;
    EXPECT(now < patient_until); /* else no progress */
}

static size_t rest_of(uint64_t number)
{
    return (size_t)(number * 7919 % (BUFFER_BYTES / 8 - sizeof(message)));
}

/* ---- the listener ---- */

static int streams;

static void guest_opened(tutti_stream *stream, void *user)
{
    message *due = calloc(1, sizeof *due);
    (void)user;
    EXPECT(due != NULL);
    tutti_stream_set_data(stream, due);
    streams++;
}

static void guest_said(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    const message *got = data;
    message *due = tutti_stream_data(stream);
    (void)user;
    EXPECT(bytes == sizeof *got + rest_of(due->number));
    if (due->number == 0) {
        due->sender = got->sender;
        due->attempt = got->attempt;
        due->count = got->count;
    }
    EXPECT(memcmp(got, due, sizeof *got) == 0);
    for (size_t i = 0; i < rest_of(due->number); i++)
        EXPECT(got->rest[i] == (uint8_t)(due->sender + due->number + i));
    if (++due->number == due->count) atomic_store(&shared->finished[due->sender], due->attempt);
    if (atomic_fetch_add(&shared->received, 1) % STALL_EACH == STALL_EACH - 1) usleep(STALL_US);
}

static void guest_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    message *due = tutti_stream_data(stream);
    (void)why;
    (void)user;
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    EXPECT(code != 0 || due->number == due->count);
    free(due);
    streams--;
}

static void enter_namespace(void)
{
    char path[200];
    if (namespace == NULL) return;
    snprintf(path, sizeof path, "/run/netns/%s", namespace);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    EXPECT(descriptor >= 0 && setns(descriptor, CLONE_NEWNET) == 0);
    close(descriptor);
}

static void listener_end(const char *address)
{
    enter_namespace();
    const tutti_stream_options options = {
        .max_streams = 3 * senders, .max_half_open = 3 * senders, .buffer_bytes = BUFFER_BYTES, .credits = 8};
    tutti_stream_context *context = ends_context(&options);
    const tutti_stream_callbacks callbacks = {
        .on_open = guest_opened, .on_message = guest_said, .on_closed = guest_closed};
    tutti_stream_listener *listener;
    EXPECT(tutti_stream_listen(context, address, &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, shared->address, sizeof shared->address) == 0);
    atomic_store(&shared->listens, 1);
    while (atomic_load(&shared->over) == 0 || streams > 0) {
        struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
        const int timeout = tutti_stream_timeout(context);
        poll(&descriptor, 1, timeout >= 0 && timeout < 50 ? timeout : 50);
        EXPECT(tutti_stream_process(context, 100) >= 0);
    }
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* ---- a sender ---- */

static void turn(tutti_stream_context *context)
{
    struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
    const int timeout = tutti_stream_timeout(context);
    poll(&descriptor, 1, timeout >= 0 && timeout < 1000 ? timeout : 1000);
    EXPECT(tutti_stream_process(context, 0) >= 0);
    expect_progress();
}

static bool send_one(end *mine, const message *head)
{
    void *data;
    size_t room;
    const int code = tutti_stream_get_buffer(mine->stream, &data, &room);
    if (code == TUTTI_ERR_STATE) return false; /* broken: on_closed follows */
    if (code == TUTTI_ERR_AGAIN) return false;
    EXPECT(code == 0);
    message *one = data;
    *one = *head;
    for (size_t i = 0; i < rest_of(head->number); i++)
        one->rest[i] = (uint8_t)(head->sender + head->number + i);
    (void)!tutti_stream_send_buffer(mine->stream, data, sizeof *one + rest_of(head->number));
    return true;
}

/* One stream from its beginning to its end; whether all that was sent has arrived. */
static bool try_all(tutti_stream_context *context, uint32_t sender)
{
    end mine = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    message head = {.sender = sender,
                    .attempt = atomic_fetch_add(&shared->attempts[sender], 1) + 1,
                    .count = (uint64_t)messages};
    EXPECT(tutti_stream_connect(context, shared->address, &callbacks, &mine.stream) == 0);
    while (!mine.opened && !mine.closed)
        turn(context);
    while (!mine.closed && head.number < head.count) {
        if (send_one(&mine, &head))
            head.number++;
        else
            turn(context);
    }
    if (!mine.closed) EXPECT(tutti_stream_close(mine.stream) == 0);
    while (!mine.closed)
        turn(context);
    const bool known = mine.code == 0 || mine.code == TUTTI_ERR_PEER_FAILED ||
                       mine.code == TUTTI_ERR_REFUSED || mine.code == TUTTI_ERR_LIMIT ||
                       mine.code == TUTTI_ERR_TIMEOUT;
    if (!known) fprintf(stderr, "sender %u: %s\n", sender, mine.why);
    EXPECT(known);
    if (mine.code == 0) EXPECT(atomic_load(&shared->finished[sender]) == head.attempt);
    return mine.code == 0;
}

static void sender_end(uint32_t sender)
{
    const tutti_stream_options options = {.buffer_bytes = BUFFER_BYTES};
    tutti_stream_context *context = ends_context(&options);
    while (!try_all(context, sender))
        usleep(20000);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* ---- who starts and kills them ---- */

static pid_t crowd[SENDERS_MOST], listening;
static int left;

static pid_t start(uint32_t sender)
{
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sender_end(sender);
    exit(0);
}

static void start_listener(const char *address)
{
    atomic_store(&shared->listens, 0);
    listening = ends_start(listener_end, address);
    while (atomic_load(&shared->listens) == 0) {
        EXPECT(waitpid(listening, NULL, WNOHANG) == 0);
        expect_progress();
        usleep(1000);
    }
}

static void kill_one(int sender)
{
    int status;
    if (crowd[sender] == 0) return; /* has ended */
    EXPECT(kill(crowd[sender], SIGKILL) == 0 && waitpid(crowd[sender], &status, 0) == crowd[sender]);
    crowd[sender] = 0;
    if (WIFEXITED(status)) { /* just before */
        EXPECT(WEXITSTATUS(status) == 0);
        left--;
    } else {
        crowd[sender] = start((uint32_t)sender);
    }
}

static void restart_listener(void)
{
    char address[80];
    int status;
    memcpy(address, shared->address, sizeof address);
    EXPECT(kill(listening, SIGKILL) == 0 && waitpid(listening, &status, 0) == listening);
    EXPECT(WIFSIGNALED(status)); /* else it had found a fault */
    start_listener(address);
}

static void look_who_ended(void)
{
    for (int i = 0; i < senders; i++) {
        int status;
        if (crowd[i] == 0 || waitpid(crowd[i], &status, WNOHANG) == 0) continue;
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        crowd[i] = 0;
        left--;
    }
}

/* Kills and restarts are spread over the messages that have to come at least. */
static void disturb(void)
{
    static long done;
    static uint32_t seed = 1;
    const long all = kills + restarts;
    if (done >= all || atomic_load(&shared->received) < (done + 1) * (senders * messages / (all + 1))) return;
    done++;
    seed = seed * 1664525 + 1013904223;
    if (done * restarts / all > (done - 1) * restarts / all)
        restart_listener();
    else
        kill_one((int)(seed >> 8) % senders);
}

int main(int argc, char **argv)
{
    char address[100];
    if (argc > 1) senders = atoi(argv[1]);
    if (argc > 2) messages = atol(argv[2]);
    if (argc > 3) kills = atol(argv[3]);
    if (argc > 4) restarts = atoi(argv[4]);
    if (argc > 5) host = argv[5];
    if (argc > 6) namespace = argv[6];
    EXPECT(senders > 0 && senders <= SENDERS_MOST && messages > 0 && kills >= 0 && restarts >= 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(shared != MAP_FAILED);
    snprintf(address, sizeof address, "%s:0", host);
    start_listener(address);
    for (left = 0; left < senders; left++)
        crowd[left] = start((uint32_t)left);
    while (left > 0) {
        EXPECT(waitpid(listening, NULL, WNOHANG) == 0); /* it has found no fault */
        expect_progress();
        look_who_ended();
        disturb();
        usleep(1000);
    }
    atomic_store(&shared->over, 1);
    ends_join(listening);
    printf("%d senders, %ld messages each: %ld messages came\n", senders, messages,
           atomic_load(&shared->received));
    return 0;
}
