/* SPDX-License-Identifier: BSD-3-Clause */
/* A program on plain epoll, with other descriptors beside the streams': it gets everything, and is not woken
 * while nothing comes. Tells what idle streams cost, and how soon one of them is answered. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define BURSTS 30
#define BURST 40
#define QUIET_NS 1000000 /* between two bursts */
#define QUIET_WAKES 20   /* in a long quiet time; a descriptor that stays set gives thousands */
#define QUIET_MS 300
#define CROWD 50 /* streams that say nothing */

static int pulse[2]; /* the sender's own signs of life: a byte before each burst */
static int go[2];    /* a byte: the quiet time is over */

static void far_end(const char *address)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    for (int i = 0; i < BURSTS; i++) {
        usleep(QUIET_NS / 1000);
        EXPECT(write(pulse[1], "x", 1) == 1);
        ends_send_all(context, &mine, (uint64_t)(i + 1) * BURST);
    }
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

typedef struct {
    tutti_stream_context *context;
    int epoll, pulses, wakes;
} loop;

static void watch(int epoll, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    EXPECT(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

/* One turn of at most `ms`; false if nothing happened in that time. */
static bool turn(loop *mine, int ms)
{
    struct epoll_event events[4];
    const int timeout = tutti_stream_timeout(mine->context);
    const int count = epoll_wait(mine->epoll, events, 4, timeout >= 0 && timeout < ms ? timeout : ms);
    if (count == 0 && timeout < 0) return false;
    char byte;
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == pulse[0])
            mine->pulses += (int)read(pulse[0], &byte, 1);
        else
            mine->wakes++;
    }
    EXPECT(tutti_stream_process(mine->context, 0) >= 0);
    return true;
}

static void expect_quiet(loop *mine)
{
    mine->wakes = 0;
    const int64_t until = tti_clock_ns() + QUIET_MS * INT64_C(1000000);
    for (int64_t now = tti_clock_ns(); now < until; now = tti_clock_ns())
        turn(mine, (int)((until - now) / 1000000) + 1);
    EXPECT(mine->wakes <= QUIET_WAKES);
}

static int compare(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return a < b ? -1 : a > b;
}

/* One message on each stream, some time after the one before, and its answer. */
static void ask(tutti_stream_context *context, end each[CROWD])
{
    int64_t took[CROWD];
    for (int i = 0; i < CROWD; i++) {
        usleep(QUIET_NS / 1000 * 5);
        const int64_t start = tti_clock_ns();
        EXPECT(ends_send(&each[i]));
        ends_until_messages(context, &each[i], 1);
        took[i] = tti_clock_ns() - start;
    }
    qsort(took, CROWD, sizeof took[0], compare);
    printf("question and answer take %.3f ms, at most %.3f\n", (double)took[CROWD / 2] / 1e6,
           (double)took[CROWD - 1] / 1e6);
    fflush(stdout);
}

static void silent_crowd(const char *address)
{
    tutti_stream_context *context = ends_context(&(tutti_stream_options){.own_connections = 1});
    static end each[CROWD];
    char byte;
    for (int i = 0; i < CROWD; i++)
        ends_connect(context, &each[i], address);
    EXPECT(read(go[0], &byte, 1) == 1);
    ask(context, each);
    EXPECT(write(pulse[1], "x", 1) == 1);
    for (int i = 0; i < CROWD; i++)
        ends_until(context, &each[i].closed, "the close");
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void answer(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    void *room;
    size_t most;
    (void)user;
    EXPECT(tutti_stream_get_buffer(stream, &room, &most) == 0 && bytes <= most);
    memcpy(room, data, bytes);
    EXPECT(tutti_stream_send_buffer(stream, room, bytes) == 0);
}

static double processor_ms(void)
{
    struct timespec now;
    EXPECT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Many streams are as quiet as one; and each is heard at once. */
static void crowd_is_quiet(loop *mine)
{
    end near = {0};
    char address[80];
    tutti_stream_listener *listener;
    tutti_stream_callbacks callbacks = ends_callbacks(&near);
    callbacks.on_message = answer;
    EXPECT(tutti_stream_listen(mine->context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    const pid_t child = ends_start(silent_crowd, address);
    while (near.streams < CROWD)
        EXPECT(turn(mine, PATIENCE_S * 1000)); /* else no progress */
    const double before = processor_ms();
    expect_quiet(mine);
    printf("%d streams that are idle take %.2f %% of a processor\n", CROWD,
           (processor_ms() - before) * 100 / QUIET_MS);
    mine->pulses = 0;
    EXPECT(write(go[1], "x", 1) == 1);
    while (mine->pulses == 0)
        EXPECT(turn(mine, PATIENCE_S * 1000));
    EXPECT(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    while (near.streams > 0)
        EXPECT(turn(mine, PATIENCE_S * 1000));
    EXPECT(tutti_stream_listener_close(&listener) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    loop mine = {ends_context(NULL), epoll_create1(EPOLL_CLOEXEC), 0, 0};
    end near = {0};
    char address[80];
    EXPECT(pipe(pulse) == 0 && pipe(go) == 0);
    tutti_stream_listener *listener = ends_listen(mine.context, &near, address);
    watch(mine.epoll, tutti_stream_fd(mine.context));
    watch(mine.epoll, pulse[0]);
    expect_quiet(&mine);
    const pid_t child = ends_start(far_end, address);
    while (near.messages < BURSTS * BURST || mine.pulses < BURSTS) {
        if (turn(&mine, PATIENCE_S * 1000)) continue;
        fprintf(stderr, "no progress: a wake-up is lost after %d messages\n", (int)near.messages);
        return 1;
    }
    expect_quiet(&mine); /* with a stream that is open */
    EXPECT(tutti_stream_close(near.stream) == 0);
    ends_until(mine.context, &near.closed, "the close");
    ends_join(child);
    crowd_is_quiet(&mine);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&mine.context) == 0);
    close(mine.epoll);
    return 0;
}
