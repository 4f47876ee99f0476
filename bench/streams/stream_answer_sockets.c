/* SPDX-License-Identifier: BSD-3-Clause */
/* What streams in an epoll loop are set beside: plain TCP sockets in one, and sockets behind descriptors.
 * Epoll in epoll hands on that somebody has written, but not that the writer is about to sleep, by which the
 * kernel chooses on which core to wake whom: on a busy machine that shows. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/streams/stream_answer.h"

/* An epoll descriptor, or one behind others: [0] is what the program waits on, the last one has the sockets.
 */
typedef struct {
    int levels[3], count;
} answer_nest;

static int sockets[ANSWER_CONNECTIONS];
static answer_nest all; /* the client's, where its sockets are behind descriptors */

static bool nest(answer_nest *mine, int count)
{
    mine->count = count;
    for (int i = 0; i < count; i++) {
        mine->levels[i] = epoll_create1(EPOLL_CLOEXEC);
        if (mine->levels[i] < 0 || (i > 0 && !stream_answer_watch(mine->levels[i - 1], mine->levels[i])))
            return stream_fail("epoll", strerror(errno)) == 0;
    }
    return true;
}

/* As epoll_wait() of them all. */
static int wait_on(const answer_nest *mine, struct epoll_event *events, int most)
{
    const int last = mine->count - 1;
    int count = epoll_wait(mine->levels[0], events, most, ANSWER_SILENCE_MS);
    if (count > 0 && last > 0) count = epoll_wait(mine->levels[last], events, most, 0);
    return count;
}

static int be_quick(int descriptor)
{
    const int yes = 1;
    if (descriptor >= 0) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return descriptor;
}

static int listen_somewhere(int *port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) != 0 ||
        listen(listener, ANSWER_CONNECTIONS) != 0 ||
        getsockname(listener, (struct sockaddr *)&name, &length) != 0)
        return stream_fail("a socket", strerror(errno));
    *port = ntohs(name.sin_port);
    return listener;
}

/* Echoes what comes on one connection; how many that ended. */
static int answer_socket(int descriptor)
{
    uint8_t words[ANSWER_BYTES];
    const ssize_t count = recv(descriptor, words, sizeof words, 0);
    if (count > 0 && send(descriptor, words, (size_t)count, MSG_NOSIGNAL) == count) return 0;
    close(descriptor);
    return 1;
}

static bool serve_sockets(const stream_settings *settings, int levels, int pipe_end)
{
    (void)settings;
    int port = 0, left = ANSWER_CONNECTIONS;
    answer_nest mine;
    const int listener = listen_somewhere(&port);
    if (listener < 0 || !nest(&mine, levels)) return false;
    const int epoll = mine.levels[levels - 1];
    if (!stream_answer_watch(epoll, listener) || !stream_answer_tell_port(pipe_end, port)) return false;
    while (left > 0) {
        struct epoll_event events[8];
        const int count = wait_on(&mine, events, 8);
        if (count == 0) return stream_answer_silence();
        for (int i = 0; i < count; i++) {
            const int descriptor = events[i].data.fd;
            if (descriptor != listener)
                left -= answer_socket(descriptor);
            else
                stream_answer_watch(epoll, be_quick(accept(listener, NULL, NULL)));
        }
    }
    return true;
}

static bool connect_sockets(const stream_settings *settings, int levels, int port)
{
    (void)settings;
    const struct sockaddr_in name = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (!nest(&all, levels)) return false;
    for (int i = 0; i < ANSWER_CONNECTIONS; i++) {
        sockets[i] = be_quick(socket(AF_INET, SOCK_STREAM, 0));
        if (connect(sockets[i], (const struct sockaddr *)&name, sizeof name) != 0 ||
            !stream_answer_watch(all.levels[levels - 1], sockets[i]))
            return stream_fail("connecting", strerror(errno)) == 0;
    }
    return true;
}

static bool ask_socket(int connection)
{
    uint8_t words[ANSWER_BYTES] = {0};
    struct epoll_event event;
    return send(sockets[connection], words, sizeof words, MSG_NOSIGNAL) == ANSWER_BYTES &&
           wait_on(&all, &event, 1) == 1 &&
           recv(sockets[connection], words, sizeof words, MSG_WAITALL) == ANSWER_BYTES;
}

static void leave_sockets(void)
{
    for (int i = 0; i < ANSWER_CONNECTIONS; i++)
        close(sockets[i]);
    for (int i = 0; i < all.count; i++)
        close(all.levels[i]);
}

#define BY_SOCKETS                                                                                           \
    .serve = serve_sockets, .connect = connect_sockets, .ask = ask_socket, .leave = leave_sockets

const stream_answer_way stream_answer_by_sockets = {BY_SOCKETS, .levels = 1};
const stream_answer_way stream_answer_behind = {BY_SOCKETS, .levels = 3};
