/* SPDX-License-Identifier: BSD-3-Clause */
/* A context for many threads: some send on one stream, one gives back what is held, all connect and close,
 * while one is in tutti_stream_run(). And one for one thread, which another calls. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "tests/patience.h"
#include "tests/streams/ends.h"

#define SENDERS 3
#define MESSAGES 3000
#define VISITS 30
#define HOLDS 8 /* at a time */

typedef struct {
    uint64_t sender, number;
} word;

/* Who has connected; the `user` of its callbacks, NULL of those that the listener has. */
typedef struct {
    bool opened, closed;
} guest;

/* Of the program, held while it calls and taken by its callbacks: the library may hold none meanwhile. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint64_t due[SENDERS], received, keys;
static int gone; /* of the listener's streams */
static bool enough;
static const void *held[HOLDS];
static tutti_stream_context *context;
static tutti_stream *stream;
static char address[80];
static word table[SENDERS][MESSAGES]; /* sent in place */

static void enter(void)
{
    EXPECT(pthread_mutex_lock(&gate) == 0);
}

/* Something has changed. */
static void leave(void)
{
    EXPECT(pthread_cond_broadcast(&changed) == 0 && pthread_mutex_unlock(&gate) == 0);
}

/* Inside; exits where nothing changes. */
static void wait_for(const char *what)
{
    struct timespec latest;
    clock_gettime(CLOCK_REALTIME, &latest);
    latest.tv_sec += PATIENCE_S;
    if (pthread_cond_timedwait(&changed, &gate, &latest) == 0) return;
    fprintf(stderr, "no progress: waiting for %s\n", what);
    exit(1);
}

static void wait_until(const bool *done, const char *what)
{
    enter();
    while (!*done)
        wait_for(what);
    leave();
}

static void on_open(tutti_stream *one, void *user)
{
    (void)one;
    enter();
    if (user != NULL) ((guest *)user)->opened = true;
    leave();
}

static void on_ready(tutti_stream *one, void *user)
{
    (void)one;
    (void)user;
    enter();
    leave();
}

static void on_sent(tutti_stream *one, uint64_t key, void *user)
{
    (void)one;
    (void)user;
    enter();
    keys += key;
    leave();
}

static void keep_some(tutti_stream *one, const void *data)
{
    for (int i = 0; i < HOLDS && received % 5 == 0; i++) {
        if (held[i] != NULL) continue;
        EXPECT(tutti_stream_hold(one, data) == 0);
        held[i] = data;
        return;
    }
}

static void on_message(tutti_stream *one, void *data, size_t bytes, void *user)
{
    word got;
    (void)user;
    EXPECT(bytes == sizeof got);
    memcpy(&got, data, sizeof got);
    enter();
    EXPECT(got.sender < SENDERS && got.number == due[got.sender]);
    due[got.sender]++;
    received++;
    keep_some(one, data);
    leave();
}

static void on_closed(tutti_stream *one, int code, const char *why, void *user)
{
    (void)one;
    (void)why;
    enter();
    EXPECT(code == 0);
    if (user != NULL) ((guest *)user)->closed = true;
    gone += user == NULL;
    leave();
}

static tutti_stream_callbacks callbacks_of(guest *user)
{
    return (tutti_stream_callbacks){.on_open = on_open,
                                    .on_message = on_message,
                                    .on_ready = on_ready,
                                    .on_sent = on_sent,
                                    .on_closed = on_closed,
                                    .user = user};
}

static int try_to_send(uint64_t sender, uint64_t number)
{
    void *data;
    size_t room;
    const struct iovec piece = {&table[sender][number], sizeof(word)};
    if (number % 7 == 0) return tutti_stream_send(stream, NULL, 0, &piece, 1, 1);
    const int code = tutti_stream_get_buffer(stream, &data, &room);
    if (code != 0) return code;
    memcpy(data, &table[sender][number], sizeof(word));
    return tutti_stream_send_buffer(stream, data, sizeof(word));
}

/* Without the gate, so that several are in it at a time; with it, to wait without missing on_ready. */
static void send_word(uint64_t sender, uint64_t number)
{
    int code = try_to_send(sender, number);
    if (code == TUTTI_ERR_AGAIN) {
        enter();
        while ((code = try_to_send(sender, number)) == TUTTI_ERR_AGAIN)
            wait_for("room to send");
        leave();
    }
    EXPECT(code == 0);
}

static void borrow(void)
{
    void *data;
    size_t room;
    if (tutti_stream_get_buffer(stream, &data, &room) == 0)
        EXPECT(tutti_stream_return_buffer(stream, data) == 0);
}

/* The last messages leave by their deadline, which the loop's thread, asleep, has to hear of. */
static void *send_all(void *argument)
{
    const uint64_t sender = (uint64_t)(uintptr_t)argument;
    for (uint64_t i = 0; i < MESSAGES; i++)
        table[sender][i] = (word){sender, i};
    EXPECT(tutti_stream_register(context, table[sender], sizeof table[sender]) == 0);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        if (i % 11 == 0) borrow();
        if (i % 100 == 50) EXPECT(tutti_stream_flush(stream) == 0);
        send_word(sender, i);
    }
    return NULL;
}

/* What is held comes back from here. */
static void *release_all(void *argument)
{
    enter();
    while (!enough) {
        for (int i = 0; i < HOLDS; i++) {
            if (held[i] != NULL) EXPECT(tutti_stream_release(context, held[i]) == 0);
            held[i] = NULL;
        }
        if (!enough) wait_for("messages to release");
    }
    leave();
    return argument;
}

static void *visit_often(void *argument)
{
    for (int i = 0; i < VISITS; i++) {
        guest mine = {0};
        const tutti_stream_callbacks callbacks = callbacks_of(&mine);
        tutti_stream *one;
        EXPECT(tutti_stream_connect(context, address, &callbacks, &one) == 0);
        EXPECT(tutti_stream_timeout(context) >= -1);
        wait_until(&mine.opened, "a connection");
        EXPECT(tutti_stream_close(one) == 0);
        wait_until(&mine.closed, "a close");
    }
    return argument;
}

static void *run_loop(void *argument)
{
    EXPECT(tutti_stream_run(context) == 0);
    return argument;
}

static pthread_t start(void *(*body)(void *argument), uintptr_t argument)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, body, (void *)argument) == 0);
    return thread;
}

static void work(void)
{
    pthread_t senders[SENDERS], visitors[2];
    const pthread_t releaser = start(release_all, 0);
    for (uintptr_t i = 0; i < SENDERS; i++)
        senders[i] = start(send_all, i);
    for (int i = 0; i < 2; i++)
        visitors[i] = start(visit_often, 0);
    for (int i = 0; i < SENDERS; i++)
        EXPECT(pthread_join(senders[i], NULL) == 0);
    for (int i = 0; i < 2; i++)
        EXPECT(pthread_join(visitors[i], NULL) == 0);
    enter();
    while (received < SENDERS * MESSAGES)
        wait_for("messages");
    enough = true;
    leave();
    EXPECT(pthread_join(releaser, NULL) == 0);
}

static void many_threads(int coalesce_ms)
{
    const tutti_stream_options options = {
        .thread_safe = 1, .coalesce_ms = coalesce_ms, .credits = 24, .send_buffers = 8, .zero_copy_sends = 4};
    const tutti_stream_callbacks arriving = callbacks_of(NULL);
    guest mine = {0};
    const tutti_stream_callbacks callbacks = callbacks_of(&mine);
    tutti_stream_listener *listener;
    context = ends_context(&options);
    EXPECT(tutti_stream_listen(context, "0", &arriving, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    const pthread_t loop = start(run_loop, 0);
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    wait_until(&mine.opened, "the connection");
    work();
    EXPECT(tutti_stream_close(stream) == 0);
    wait_until(&mine.closed, "the close");
    enter();
    while (gone < 1 + 2 * VISITS)
        wait_for("the other ends to close");
    leave();
    EXPECT(keys == SENDERS * ((MESSAGES + 6) / 7));
    tutti_stream_stop(context);
    EXPECT(pthread_join(loop, NULL) == 0);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void *call_from_outside(void *argument)
{
    const int code = tutti_stream_register(context, table, sizeof table);
#ifdef NDEBUG
    EXPECT(code == 0);
#else
    EXPECT(code == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "thread_safe") != NULL);
    EXPECT(tutti_stream_process(context, 0) == TUTTI_ERR_STATE);
    EXPECT(tutti_stream_timeout(context) == 0);
#endif
    return argument;
}

static void one_thread(void)
{
    context = ends_context(NULL);
    EXPECT(tutti_stream_process(context, 0) == 0);
    const pthread_t other = start(call_from_outside, 0);
    EXPECT(pthread_join(other, NULL) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    many_threads(argc == 1 ? 5 : 0);
    one_thread();
    return 0;
}
