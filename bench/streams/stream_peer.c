/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ends in two processes; a pipe tells the address, and then that the last of the warm-up, and the last
 * of all, have come: PUSH and PULL have no way back. */
#include "bench/streams/stream_peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

static bool take_all(const stream_peer *peer, void *side, size_t bytes, long count)
{
    char head[16];
    for (long i = 0; i < count; i++) {
        if (peer->receive(side, head, sizeof head) == (long)bytes) continue;
        stream_fail("the receiver", "a message is missing, or of another length");
        return false;
    }
    return true;
}

static int serve(const stream_peer *peer, size_t bytes, const long passes[2], int tell)
{
    char address[80] = "";
    void *side = peer->listen(address);
    bool good = side != NULL && write(tell, address, sizeof address) == sizeof address;
    for (int i = 0; i < 2 && good; i++)
        good = take_all(peer, side, bytes, passes[i]) && write(tell, "x", 1) == 1;
    if (side != NULL) peer->close(side);
    return good ? 0 : 1;
}

static bool pass(const stream_peer *peer, void *side, const void *data, size_t bytes, long count, int told)
{
    char word;
    for (long i = 0; i < count; i++) {
        if (!peer->send(side, data, bytes)) return false;
    }
    return read(told, &word, 1) == 1;
}

static double run(const stream_peer *peer, size_t bytes, const long passes[2], int told)
{
    char address[80];
    double seconds = -1;
    void *data = calloc(1, bytes);
    void *side =
        data != NULL && read(told, address, sizeof address) == sizeof address ? peer->connect(address) : NULL;
    if (side != NULL && pass(peer, side, data, bytes, passes[0], told)) {
        const double start = stream_now();
        if (pass(peer, side, data, bytes, passes[1], told)) seconds = stream_now() - start;
    }
    if (side != NULL) peer->close(side);
    free(data);
    return seconds;
}

static double play(const stream_peer *peer, size_t bytes, long count)
{
    const long passes[2] = {count / 10 + 1, count};
    int end, status;
    const pid_t child = stream_fork(&end);
    if (child < 0) return -1;
    if (child == 0) exit(serve(peer, bytes, passes, end));
    double seconds = run(peer, bytes, passes, end);
    close(end);
    if (seconds < 0) kill(child, SIGKILL);
    if (waitpid(child, &status, 0) != child || status != 0) seconds = -1;
    return seconds;
}

/* In a process of its own, too: nng ends a program that has used it and forks. */
double stream_peer_round(const stream_peer *peer, size_t bytes, long count)
{
    int end;
    double seconds = -1;
    const pid_t child = stream_fork(&end);
    if (child < 0) return -1;
    if (child == 0) {
        seconds = play(peer, bytes, count);
        exit(write(end, &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
    }
    if (read(end, &seconds, sizeof seconds) != sizeof seconds)
        stream_fail("a round", "it has ended without a figure");
    close(end);
    waitpid(child, NULL, 0);
    return seconds;
}
