/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows in a browser what a simulation streams, while it runs:
 *
 *     live 4711                                                  # on one terminal
 *     tuttirun -n 4 flow --live 4711 examples/flow/cylinder.conf # on another; then look at
 * http://127.0.0.1:8080/
 *
 * One thread and one event loop for both: what the stream has (frames.h) and what browsers ask for (site.h).
 * It may be started, stopped and started again at any time; the simulation does not wait for it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "examples/live/frames.h"
#include "examples/live/site.h"

#define BUDGET 4 /* frames that are received before browsers have a turn */

static const char usage[] =
    "usage: live [--http ADDRESS] [--secret-file FILE] ADDRESS\n"
    "  Shows the frames of a simulation that streams them to ADDRESS (flow --live ADDRESS) as a web page.\n"
    "  ADDRESS             host:port, [IPv6]:port, or a port of 127.0.0.1; port 0 is one that is free\n"
    "  --http ADDRESS      of the page [8080]. It has no password: who reaches the address sees the picture\n"
    "  --secret-file FILE  a secret that the simulation must know (flow --live-secret), mode 0600\n"
    "Ends by SIGINT or SIGTERM.\n";

struct request {
    const char *address, *http, *secret_file;
};

/* -1: go on; else the exit status. */
static int read_line(int argc, char **argv, struct request *request)
{
    *request = (struct request){.http = "8080"};
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
        if (strcmp(argv[i], "--http") == 0 && more)
            request->http = argv[++i];
        else if (strcmp(argv[i], "--secret-file") == 0 && more)
            request->secret_file = argv[++i];
        else if (argv[i][0] != '-' && request->address == NULL)
            request->address = argv[i];
        else
            return complain("argument \"%s\" is not understood; see live --help", argv[i]), 2;
    }
    if (request->address == NULL) return complain("no address is given; see live --help"), 2;
    return -1;
}

/* The signals that end it, as a descriptor; set before anything else may start a thread. */
static int catch_end(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* browsers come and go */
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int run(struct frames *frames, struct site *site, int end)
{
    const int loop = epoll_create1(EPOLL_CLOEXEC),
              fds[] = {end, tutti_stream_fd(frames->context), site_fd(site)};
    struct epoll_event events[3];
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[i]};
        if (loop < 0 || epoll_ctl(loop, EPOLL_CTL_ADD, fds[i], &event) != 0)
            return complain("epoll: %s", strerror(errno)), 1;
    }
    for (;;) {
        const int timeout = site_timeout(site, tutti_stream_timeout(frames->context));
        const int count = epoll_wait(loop, events, 3, timeout);
        if (count < 0 && errno != EINTR) return complain("epoll_wait: %s", strerror(errno)), 1;
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == end) return close(loop), 0;
        }
        if (tutti_stream_process(frames->context, BUDGET) < 0)
            return complain("streams: %s", tutti_error_detail()), 1;
        site_process(site);
    }
}

int main(int argc, char **argv)
{
    struct request request;
    struct frames frames;
    struct site site = {0};
    int status = read_line(argc, argv, &request);
    if (status >= 0) return status;
    const int end = catch_end();
    status = 1;
    if (frames_open(&frames, request.address, request.secret_file) && site_open(&site, request.http, &frames))
        status = run(&frames, &site, end);
    site_close(&site);
    frames_close(&frames);
    close(end);
    return status;
}
