/* SPDX-License-Identifier: BSD-3-Clause */
/* Heartbeats between two ranks' threads in one process: who answers lives, though its program does nothing;
 * who says BYE is not missed; who is silent is told of, once, and is told so itself when it comes back; who
 * does not know the token gets no answer; whose stderr takes no more goes on, and says later who was silent.
 */
#include "runtime/fabric/heartbeat.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "tests/unit/expect.h"

#define TRIES 5

static int64_t silence_ns = TTI_NS_PER_SECOND / 5;
static _Atomic int lost[3], told[3];
static struct sockaddr_in address[3];

static void on_lost(int rank)
{
    atomic_fetch_add(&lost[rank], 1);
}

static void on_told(int by)
{
    atomic_fetch_add(&told[by], 1);
}

static void choose_address(int rank)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in *a = &address[rank];
    socklen_t bytes = sizeof *a;
    *a = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    EXPECT(fd >= 0 && bind(fd, (struct sockaddr *)a, sizeof *a) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)a, &bytes) == 0);
    close(fd);
}

static tti_heart *open_heart(int rank)
{
    tti_heart *heart;
    const tti_heart_wishes wishes = {.silence_ns = silence_ns,
                                     .rank = rank,
                                     .ranks = 3,
                                     .host = "here",
                                     .token = 100 + (uint64_t)rank,
                                     .address = (struct sockaddr *)&address[rank],
                                     .address_bytes = sizeof address[rank],
                                     .lost = on_lost,
                                     .told = on_told};
    EXPECT(tti_heart_open(&wishes, &heart) == 0);
    return heart;
}

static void watch(tti_heart *heart, int rank, uint64_t token)
{
    tti_heart_watch(heart, rank, "there", token, (struct sockaddr *)&address[rank], sizeof address[rank]);
}

/* Either count. */
static void await_either(const _Atomic int *count, const _Atomic int *other)
{
    while (atomic_load(count) == 0 && atomic_load(other) == 0)
        poll(NULL, 0, 5);
}

static void await(const _Atomic int *count)
{
    await_either(count, count);
}

static void let_silence_pass(void)
{
    poll(NULL, 0, 3 * (int)(silence_ns / 1000000));
}

/* Where the machine lets a thread wait for longer than the silence, who lives is missed as well: then again,
 * and longer. */
static void insist(bool (*check)(void))
{
    for (int i = 0; i < TRIES; i++) {
        for (int rank = 0; rank < 3; rank++)
            lost[rank] = told[rank] = 0;
        if (check()) return;
        silence_ns *= 2;
    }
    EXPECT(!"a rank was missed that lives");
}

/* In place of stderr a pipe that takes no more. Returns the end to read from; *was: stderr. */
static FILE *block_stderr(int *was)
{
    int ends[2];
    EXPECT(pipe2(ends, O_NONBLOCK) == 0);
    while (write(ends[1], "x", 1) == 1)
        continue;
    EXPECT(fcntl(ends[0], F_SETFL, 0) == 0 && fcntl(ends[1], F_SETFL, 0) == 0);
    *was = dup(STDERR_FILENO);
    EXPECT(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO && close(ends[1]) == 0);
    return fdopen(ends[0], "r");
}

/* It comes when the pipe has room again, after what fills it. */
static void await_text(FILE *file, const char *text)
{
    char *line = NULL;
    size_t room = 0;
    while (line == NULL || strstr(line, text) == NULL)
        EXPECT(getline(&line, &room, file) > 0);
    free(line);
}

/* Rank 1 hears from nobody and cannot say so, but asks: rank 2, back again, is answered that it is held for
 * dead. */
static bool check_blocked(void)
{
    int was;
    FILE *file = block_stderr(&was);
    EXPECT(file != NULL);
    tti_heart *b = open_heart(1);
    watch(b, 2, 102);
    await(&lost[2]);
    tti_heart *c = open_heart(2);
    watch(c, 1, 101);
    await_either(&told[1], &lost[1]);
    await_text(file, "rank 1 on here has heard nothing from rank 2 on there");
    tti_heart_close(c);
    tti_heart_close(b);
    EXPECT(dup2(was, STDERR_FILENO) == STDERR_FILENO && close(was) == 0);
    fclose(file);
    return atomic_load(&lost[1]) == 0;
}

static bool check_losses(void)
{
    tti_heart *a = open_heart(0), *b = open_heart(1);
    watch(a, 1, 101);
    watch(a, 1, 101); /* once is enough */
    watch(b, 0, 100);
    watch(a, 2, 102); /* nobody is there */
    await(&lost[2]);
    let_silence_pass();
    tti_heart_close(b); /* says BYE */
    let_silence_pass();
    tti_heart *c = open_heart(2); /* it comes back */
    watch(c, 0, 100);
    await_either(&told[0], &lost[0]);
    tti_heart_close(c);
    EXPECT(atomic_load(&lost[2]) == 1);
    const bool right = atomic_load(&lost[1]) == 0 && atomic_load(&lost[0]) == 0;

    atomic_store(&lost[0], 0);
    tti_heart *d = open_heart(1);
    watch(d, 0, 999); /* the wrong token */
    await(&lost[0]);
    tti_heart_drop(d, 0);
    tti_heart_close(d);
    tti_heart_close(a);
    return right;
}

int main(void)
{
    for (int rank = 0; rank < 3; rank++)
        choose_address(rank);
    insist(check_losses);
    insist(check_blocked);
    return 0;
}
