/* SPDX-License-Identifier: BSD-3-Clause */
/* What is no stream knocks at a listener, many at a time: streams come and go beside it undisturbed, nothing
 * is left of who has gone, and who stays and says nothing is sent away. Descriptors that run out make no loop
 * spin. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "tests/descriptors.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define ROUNDS 100
#define SILENT 20

static int knock(const char *address)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    name.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(descriptor >= 0 && connect(descriptor, (struct sockaddr *)&name, sizeof name) == 0);
    return descriptor;
}

static void say_garbage(const char *address, int number)
{
    static const char *const known[] = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-x\r\n", "TTIS", "\n"};
    const int descriptor = knock(address);
    uint8_t bytes[600];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)rand();
    const size_t length = (size_t)rand() % sizeof bytes;
    const char *text = known[number % 4];
    if (number % 2 == 0)
        EXPECT(send(descriptor, bytes, length, MSG_NOSIGNAL) >= 0);
    else
        EXPECT(send(descriptor, text, strlen(text), MSG_NOSIGNAL) >= 0);
    close(descriptor);
}

static void stream_beside(tutti_stream_context *context, end *near, const char *address)
{
    end far = {0};
    *near = (end){0};
    ends_connect(context, &far, address);
    ends_send_all(context, &far, 20);
    ends_until_messages(context, near, 20);
    ends_close(context, &far);
    ends_until(context, &near->closed, "the close");
    EXPECT(far.code == 0 && near->code == 0);
}

static void until_descriptors(tutti_stream_context *context, int count)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (count_descriptors() > count) {
        EXPECT(tti_clock_ns() < end_ns); /* else what strangers left stays for ever */
        errno = EAGAIN;                  /* as a program's own reading leaves it */
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
}

/* The descriptor is quiet, which it never becomes if each call leaves it readable. */
static void until_quiet(tutti_stream_context *context)
{
    struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (poll(&descriptor, 1, 0) != 0) {
        EXPECT(tti_clock_ns() < end_ns);
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
}

/* Who went without a word, or in the middle of one. */
static void gone_again(tutti_stream_context *context, const char *address)
{
    const int before = count_descriptors();
    for (int i = 0; i < SILENT; i++) {
        const int descriptor = knock(address);
        EXPECT(tutti_stream_process(context, 0) >= 0); /* let in */
        if (i % 2 == 0) EXPECT(send(descriptor, "x", 1, MSG_NOSIGNAL) == 1);
        close(descriptor);
        errno = EAGAIN;
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
    until_descriptors(context, before);
}

/* The head of a request to connect, as libfabric 1.17's tcp writes it, and not the 200 bytes it announces. */
static void half_a_request(tutti_stream_context *context, end *near, const char *address)
{
    static const uint8_t head[32] = {[0] = 3, [3] = 200, [16] = 1};
    const int descriptor = knock(address);
    EXPECT(send(descriptor, head, sizeof head, MSG_NOSIGNAL) == sizeof head);
    until_quiet(context); /* a call that waits for the rest never returns */
    stream_beside(context, near, address);
    close(descriptor);
}

static void too_silent(int half_open, int timeout_ms, int code, const char *words)
{
    const tutti_stream_options options = {.max_half_open = half_open, .handshake_timeout_ms = timeout_ms};
    tutti_stream_context *context = ends_context(&options);
    end near = {0};
    char address[80];
    int silent[SILENT];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    const int before = count_descriptors();
    for (int i = 0; i < SILENT; i++)
        silent[i] = knock(address);
    ends_until(context, &near.refused, "who says nothing to be sent away");
    EXPECT(near.code == code && strstr(near.why, words) != NULL && strstr(near.why, "127.0.0.1:") != NULL);
    until_descriptors(context, before + SILENT + (code == TUTTI_ERR_LIMIT ? half_open : 0));
    stream_beside(context, &near, address);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    until_descriptors(context, before);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static void no_descriptors(tutti_stream_context *context, end *near, const char *address)
{
    struct rlimit saved, none;
    const int first = knock(address);
    EXPECT(getrlimit(RLIMIT_NOFILE, &saved) == 0);
    none = saved;
    none.rlim_cur = (rlim_t)first + 1; /* descriptors are given from the lowest, so no more can be had */
    EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0);
    until_quiet(context);
    EXPECT(tutti_stream_timeout(context) >= 0); /* it will look again */
    EXPECT(setrlimit(RLIMIT_NOFILE, &saved) == 0);
    stream_beside(context, near, address);
    close(first);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    too_silent(SILENT, 50, TUTTI_ERR_TIMEOUT, "handshake_timeout_ms");
    too_silent(2, 1000000, TUTTI_ERR_LIMIT, "max_half_open");
    tutti_stream_context *context = ends_context(NULL);
    end near = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++)
        silent[i] = knock(address);
    srand(7);
    for (int i = 0; i < ROUNDS; i++) {
        say_garbage(address, i);
        if (i % 10 == 0) stream_beside(context, &near, address);
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
    EXPECT(near.streams == 0);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    stream_beside(context, &near, address);
    gone_again(context, address);
    no_descriptors(context, &near, address);
    half_a_request(context, &near, address);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
