/* SPDX-License-Identifier: BSD-3-Clause */
#include "side_channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int fail(const char *what)
{
    const bool late = errno == EAGAIN || errno == EINPROGRESS;
    fprintf(stderr, "%s: %s\n", what, late ? "nothing heard of the other side (-t)" : strerror(errno));
    return -1;
}

/* Kept by connect() and accept(), too. */
static void limit_waiting(int fd, int limit_ms)
{
    const struct timeval limit = {.tv_sec = limit_ms / 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* A socket at one of the addresses, connected or listening; -1 with errno. */
static int open_at(const struct addrinfo *one, bool listens, int limit_ms)
{
    const int on = 1, fd = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    limit_waiting(fd, limit_ms);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const bool opened = listens ? bind(fd, one->ai_addr, one->ai_addrlen) == 0 && listen(fd, 1) == 0
                                : connect(fd, one->ai_addr, one->ai_addrlen) == 0;
    if (opened) return fd;
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* A name may stand for several addresses: the first that works. */
static int open_socket(const struct arguments *arguments)
{
    const bool listens = arguments->server == NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = listens ? AI_PASSIVE : 0};
    struct addrinfo *all;
    const int error = getaddrinfo(arguments->server, arguments->port, &hints, &all);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", listens ? arguments->port : arguments->server, gai_strerror(error));
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *one = all; one != NULL && fd < 0; one = one->ai_next)
        fd = open_at(one, listens, arguments->limit_ms);
    const int why = errno;
    freeaddrinfo(all);
    errno = why;
    return fd >= 0 ? fd : fail(listens ? "listening" : arguments->server);
}

static int accept_client(int listener)
{
    struct sockaddr_in6 own; /* an address of IPv4 has the port in the same place */
    socklen_t bytes = sizeof own;
    if (getsockname(listener, (struct sockaddr *)&own, &bytes) != 0) return fail("getsockname");
    printf("listening on port %d\n", ntohs(own.sin6_port));
    fflush(stdout);
    const int fd = accept(listener, NULL, NULL);
    return fd >= 0 ? fd : fail("waiting for a client");
}

int open_side_channel(const struct arguments *arguments)
{
    const int opened = open_socket(arguments);
    if (opened < 0 || arguments->server != NULL) return opened;
    const int fd = accept_client(opened);
    close(opened);
    if (fd >= 0) limit_waiting(fd, arguments->limit_ms);
    return fd;
}

int tell_own_host(int channel, char *host, size_t room)
{
    struct sockaddr_storage own;
    socklen_t bytes = sizeof own;
    if (getsockname(channel, (struct sockaddr *)&own, &bytes) != 0) return fail("getsockname");
    const int error =
        getnameinfo((struct sockaddr *)&own, bytes, host, (socklen_t)room, NULL, 0, NI_NUMERICHOST);
    if (error == 0) return 0;
    fprintf(stderr, "the address of this host: %s\n", gai_strerror(error));
    return -1;
}

int swap(int channel, const void *mine, void *theirs, size_t bytes)
{
    errno = ECONNRESET; /* for an end where there should be more */
    if (send(channel, mine, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) return fail("the other side");
    return recv(channel, theirs, bytes, MSG_WAITALL) == (ssize_t)bytes ? 0 : fail("the other side");
}

int say_goodbye(int channel)
{
    return shutdown(channel, SHUT_WR) == 0 ? 0 : fail("the other side");
}

int heard_goodbye(int channel)
{
    char nothing;
    const ssize_t got = recv(channel, &nothing, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return got >= 0 ? 1 : fail("the other side");
}
