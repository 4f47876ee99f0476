/* SPDX-License-Identifier: BSD-3-Clause */
/* How soon a program in an epoll loop answers on one of many connections that are idle otherwise: streams,
 * beside plain TCP sockets. What the second takes at worst is the machine's: both sides sleep, and are woken.
 */
#include "bench/streams/stream_answer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/statistics.h"

#define PAUSE_US 2000 /* before each question: both sides are asleep */

static long questions_of(const stream_settings *settings)
{
    const long count = settings->count > 0 ? settings->count : 200;
    return count < STREAM_QUESTIONS_MOST ? count : STREAM_QUESTIONS_MOST;
}

bool stream_answer_tell_port(int pipe_end, int port)
{
    const bool told = write(pipe_end, &port, sizeof port) == sizeof port;
    close(pipe_end);
    return told;
}

bool stream_answer_silence(void)
{
    stream_fail("waiting", "no word from the other side for two minutes");
    return false;
}

bool stream_answer_watch(int epoll, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static tutti_stream_context *context;
static tutti_stream *streams[ANSWER_CONNECTIONS];
static int streams_open, answers;
static bool bad; /* a stream ended, or could not send */

static bool send_words(tutti_stream *stream)
{
    void *data;
    size_t room;
    if (tutti_stream_get_buffer(stream, &data, &room) == 0 &&
        tutti_stream_send_buffer(stream, memset(data, 0, ANSWER_BYTES), ANSWER_BYTES) == 0)
        return true;
    return stream_fail("sending", tutti_error_detail()) == 0;
}

static void on_open(tutti_stream *stream, void *user)
{
    (void)stream;
    (void)user;
    streams_open++;
}

static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    (void)stream;
    (void)user;
    streams_open--;
    if (code == 0) return;
    if (!bad) stream_fail("a stream has ended", why);
    bad = true;
}

static void on_question(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    (void)data;
    (void)user;
    bad |= bytes != ANSWER_BYTES || !send_words(stream);
}

static void on_answer(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    (void)stream;
    (void)data;
    (void)user;
    bad |= bytes != ANSWER_BYTES;
    answers++;
}

static bool open_context(const stream_settings *settings)
{
    const tutti_stream_options options = {.provider = settings->provider, .own_connections = 1};
    return tutti_stream_context_create(&context, &options) == 0 ||
           stream_fail("a context", tutti_error_detail()) == 0;
}

/* One turn of an epoll loop. */
static bool turn(int epoll)
{
    struct epoll_event event;
    const int timeout = tutti_stream_timeout(context);
    const int count = epoll_wait(epoll, &event, 1, timeout < 0 ? ANSWER_SILENCE_MS : timeout);
    if (count == 0 && timeout < 0) return stream_answer_silence();
    if (tutti_stream_process(context, 0) < 0) return stream_fail("streams", tutti_error_detail()) == 0;
    return !bad;
}

static bool serve_streams(const stream_settings *settings, int levels, int pipe_end)
{
    static const tutti_stream_callbacks callbacks = {
        .on_open = on_open, .on_message = on_question, .on_closed = on_closed};
    tutti_stream_listener *listener;
    char address[80];
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    (void)levels; /* libfabric's */
    if (!open_context(settings)) return false;
    if (tutti_stream_listen(context, "0", &callbacks, &listener) != 0 ||
        tutti_stream_listener_address(listener, address, sizeof address) != 0)
        return stream_fail("listening", tutti_error_detail()) == 0;
    if (!stream_answer_watch(epoll, tutti_stream_fd(context)) ||
        !stream_answer_tell_port(pipe_end, atoi(strrchr(address, ':') + 1)))
        return false;
    while (streams_open < ANSWER_CONNECTIONS) {
        if (!turn(epoll)) return false;
    }
    while (streams_open > 0) {
        if (!turn(epoll)) return false;
    }
    return tutti_stream_context_destroy(&context) == 0;
}

static int client_epoll;

static bool connect_streams(const stream_settings *settings, int levels, int port)
{
    static const tutti_stream_callbacks callbacks = {
        .on_open = on_open, .on_message = on_answer, .on_closed = on_closed};
    char address[16];
    (void)levels; /* libfabric's */
    snprintf(address, sizeof address, "%d", port);
    client_epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!open_context(settings) || !stream_answer_watch(client_epoll, tutti_stream_fd(context))) return false;
    for (int i = 0; i < ANSWER_CONNECTIONS; i++) {
        if (tutti_stream_connect(context, address, &callbacks, &streams[i]) != 0)
            return stream_fail("connecting", tutti_error_detail()) == 0;
        while (streams_open <= i) {
            if (!turn(client_epoll)) return false;
        }
    }
    return true;
}

static bool ask_stream(int connection)
{
    const int before = answers;
    if (!send_words(streams[connection])) return false;
    while (answers == before) {
        if (!turn(client_epoll)) return false;
    }
    return true;
}

static void leave_streams(void)
{
    for (int i = 0; i < streams_open && !bad; i++)
        tutti_stream_close(streams[i]);
    while (streams_open > 0 && !bad && turn(client_epoll))
        continue;
    if (context != NULL) tutti_stream_context_destroy(&context);
    close(client_epoll);
    streams_open = answers = 0;
}

static bool ask_all(const stream_answer_way *way, long count, double *took)
{
    for (long i = 0; i < count; i++) {
        usleep(PAUSE_US);
        const double start = stream_now();
        if (!way->ask((int)(i % ANSWER_CONNECTIONS))) return false;
        took[i] = (stream_now() - start) * 1e6;
    }
    bench_sort(took, (size_t)count);
    return true;
}

static pid_t start(const stream_answer_way *way, const stream_settings *settings, int *port)
{
    int end;
    const pid_t child = stream_fork(&end);
    if (child < 0) return -1;
    if (child == 0) exit(way->serve(settings, way->levels, end) ? 0 : 1);
    const bool told = read(end, port, sizeof *port) == sizeof *port;
    close(end);
    if (told) return child;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return -1;
}

/* The times of one round, the shortest first. */
static bool ask_round(const stream_answer_way *way, const stream_settings *settings, double *took)
{
    int port, status = 1;
    const pid_t server = start(way, settings, &port);
    if (server < 0) return false;
    bad = false;
    const bool good = way->connect(settings, way->levels, port) && ask_all(way, questions_of(settings), took);
    way->leave();
    if (!good) kill(server, SIGKILL);
    waitpid(server, &status, 0);
    return good && status == 0;
}

static const stream_answer_way by_streams = {
    .serve = serve_streams, .connect = connect_streams, .ask = ask_stream, .leave = leave_streams};
static double took[STREAM_QUESTIONS_MOST];

static double median_of(const stream_settings *settings, const void *how)
{
    if (!ask_round(how, settings, took)) return -1;
    return bench_median(took, (size_t)questions_of(settings));
}

static double worst_of(const stream_settings *settings, const void *how)
{
    return ask_round(how, settings, took) ? took[questions_of(settings) - 1] : -1;
}

bool stream_bench_answer(const stream_settings *settings)
{
    static const stream_way medians[] = {{"TCP sockets", median_of, &stream_answer_by_sockets},
                                         {"sockets, epoll in epoll", median_of, &stream_answer_behind},
                                         {"streams", median_of, &by_streams}};
    static const stream_way worst[] = {{"TCP sockets", worst_of, &stream_answer_by_sockets},
                                       {"sockets, epoll in epoll", worst_of, &stream_answer_behind},
                                       {"streams", worst_of, &by_streams}};
    char title[160];
    snprintf(title, sizeof title,
             "answer: microseconds to it, of %d bytes, in an epoll loop of %d connections, median of %ld",
             ANSWER_BYTES, ANSWER_CONNECTIONS, questions_of(settings));
    if (!stream_compare(settings, title, medians, 3)) return false;
    snprintf(title, sizeof title, "answer: the same, at worst of %ld", questions_of(settings));
    return stream_compare(settings, title, worst, 3);
}
