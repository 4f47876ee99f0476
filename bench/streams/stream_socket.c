/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stream's bandwidth is set beside: the same bytes through a TCP socket on the loopback, written in
 * messages from one place and read into one place, without any framing. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

static bool send_whole(int descriptor, const uint8_t *data, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t count = send(descriptor, data + at, bytes - at, MSG_NOSIGNAL);
        if (count <= 0) return false;
        at += (size_t)count;
    }
    return true;
}

static bool receive_whole(int descriptor, uint8_t *data, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t count = recv(descriptor, data + at, bytes - at, 0);
        if (count <= 0) return false;
        at += (size_t)count;
    }
    return true;
}

static long warm_up_of(long count)
{
    return count / 10 + 1;
}

/* The receiver: acknowledges the last of the warm-up, and the last of all. */
static bool serve(int listener, uint8_t *memory, size_t bytes, long count)
{
    const int descriptor = accept(listener, NULL, NULL);
    const long warm_up = warm_up_of(count);
    bool good = descriptor >= 0;
    for (long i = 1; good && i <= warm_up + count; i++) {
        good = receive_whole(descriptor, memory, bytes);
        if (good && (i == warm_up || i == warm_up + count)) good = send_whole(descriptor, memory, 1);
    }
    return good;
}

static bool pass(int descriptor, uint8_t *memory, size_t bytes, long count)
{
    uint8_t word;
    for (long i = 0; i < count; i++) {
        if (!send_whole(descriptor, memory, bytes)) return false;
    }
    return receive_whole(descriptor, &word, 1);
}

static int listen_at(struct sockaddr_in *name)
{
    socklen_t length = sizeof *name;
    *name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener >= 0 && bind(listener, (struct sockaddr *)name, sizeof *name) == 0 &&
        listen(listener, 1) == 0 && getsockname(listener, (struct sockaddr *)name, &length) == 0)
        return listener;
    if (listener >= 0) close(listener);
    return stream_fail("a socket", strerror(errno));
}

static bool prepare(int descriptor)
{
    const struct timeval silence = {.tv_sec = 120};
    const int at_once = 1; /* else the kernel gathers short messages while others are under way */
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence) == 0 &&
           setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence) == 0 &&
           setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once) == 0;
}

static double run_client(const struct sockaddr_in *name, uint8_t *memory, size_t bytes, long count)
{
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    double seconds = -1;
    if (descriptor >= 0 && prepare(descriptor) &&
        connect(descriptor, (const struct sockaddr *)name, sizeof *name) == 0 &&
        pass(descriptor, memory, bytes, warm_up_of(count))) {
        const double start = stream_now();
        if (pass(descriptor, memory, bytes, count)) seconds = stream_now() - start;
    }
    if (seconds < 0) stream_fail("the TCP socket", strerror(errno));
    if (descriptor >= 0) close(descriptor);
    return seconds;
}

double stream_over_a_socket(size_t bytes, long count)
{
    struct sockaddr_in name;
    uint8_t *memory = calloc(1, bytes);
    const int listener = memory != NULL ? listen_at(&name) : -1;
    const pid_t child = listener >= 0 ? fork() : -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        exit(serve(listener, memory, bytes, count) ? 0 : 1);
    }
    double seconds = -1;
    if (child > 0) seconds = run_client(&name, memory, bytes, count);
    if (child > 0 && seconds < 0) kill(child, SIGKILL);
    if (child > 0) waitpid(child, NULL, 0);
    if (listener >= 0) close(listener);
    free(memory);
    return seconds;
}
