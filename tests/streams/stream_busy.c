/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that never comes to the end of what there is: a stream that sends without a pause to a program that
 * takes a few messages at a time, beside which others come, are heard, are answered and go; and a stranger
 * who writes garbage without a pause, who is found and ended, and nobody else. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/stranger.h"

#define VISITS 5
#define MESSAGES 200 /* of a visitor, and as many answers */
#define FLOODS 3
#define BUDGET 4
#define PATIENT_MS (PATIENCE_S * 1000)

/* Sends messages of at most so many bytes, 0: as long as there is room for, as fast as it can, for ever. */
static void send_for_ever(const char *address, size_t most)
{
    tutti_stream_context *context =
        ends_context(&(tutti_stream_options){.credits = 512, .send_buffers = 512});
    end mine = {.most = most};
    ends_connect(context, &mine, address);
    for (;;) {
        while (ends_send(&mine))
            continue;
        EXPECT(tutti_stream_process(context, 0) >= 0 && !mine.closed);
    }
}

static void babble(const char *address)
{
    send_for_ever(address, 20);
}

/* Of what it sends much is on the way at a time, which is not to be taken for a flood. */
static void declaim(const char *address)
{
    send_for_ever(address, 0);
}

static int socket_to(const char *address)
{
    const int port = atoi(strrchr(address, ':') + 1);
    for (int i = 3; i < 1000; i++) {
        struct sockaddr_in peer;
        socklen_t length = sizeof peer;
        if (getpeername(i, (struct sockaddr *)&peer, &length) == 0 && peer.sin_family == AF_INET &&
            ntohs(peer.sin_port) == port)
            return i;
    }
    return -1;
}

/* Is let in as a stream, and then writes operations as libfabric 1.17's tcp does, which are a frame of
 * nobody's each, past libfabric and its queues, until the connection ends. */
static void flood(const char *address)
{
    static uint8_t text[1 << 16];
    for (size_t at = 0; at < sizeof text; at += 32) {
        text[at] = 3;      /* version */
        text[at + 6] = 16; /* bytes of the head */
        text[at + 8] = 32; /* and of all */
        tti_frame_write(&(tti_frame){.token = UINT64_C(0x123400000000ffff), .kind = TTI_FRAME_CREDIT},
                        text + at + 16);
    }
    const tti_hello hello = {.version = TTI_STREAM_VERSION, .buffer_bytes = 4096, .credits = 4, .token = 1};
    uint8_t words[TTI_HELLO_BYTES];
    tti_hello_write(&hello, words);
    stranger one = {0};
    stranger_find(&one, strrchr(address, ':') + 1, 0);
    stranger_make_endpoint(&one, one.info);
    EXPECT(fi_connect(one.endpoint, one.info->dest_addr, words, sizeof words) == 0);
    struct fi_eq_cm_entry entry[4];
    uint32_t kind = 0;
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (fi_eq_read(one.events, &kind, entry, sizeof entry, 0) <= 0)
        EXPECT(tti_clock_ns() < end_ns);
    EXPECT(kind == FI_CONNECTED);
    const int descriptor = socket_to(address);
    EXPECT(descriptor >= 0 && fcntl(descriptor, F_SETFL, 0) == 0);
    while (send(descriptor, text, sizeof text, MSG_NOSIGNAL) == (ssize_t)sizeof text)
        continue;
}

static void visit(const char *address)
{
    tutti_stream_context *context = ends_context(&(tutti_stream_options){.connect_timeout_ms = PATIENT_MS});
    end mine = {.most = 40, .unchecked = true};
    ends_connect(context, &mine, address);
    ends_send_all(context, &mine, MESSAGES);
    ends_until_messages(context, &mine, MESSAGES);
    ends_close(context, &mine);
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* ---- the program that is kept busy ---- */

static tutti_stream *first; /* the one that keeps it busy; the others are visitors, one after the other */
static tutti_stream *stranger_here; /* who floods it besides, if anybody does */
static bool awaits_stranger;
static tutti_stream *answered; /* the visitor's */
static int due;                /* answers that are not sent yet */

static void answer_all(tutti_stream *stream, void *user)
{
    void *data;
    size_t room;
    (void)user;
    while (stream == answered && due > 0 && tutti_stream_get_buffer(stream, &data, &room) == 0) {
        memset(data, 0, 8);
        EXPECT(tutti_stream_send_buffer(stream, data, 8) == 0);
        due--;
    }
}

static void take(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    uint64_t number = 0;
    (void)user;
    if (bytes >= sizeof number) memcpy(&number, data, sizeof number);
    if (stream != answered) return;
    alarm(PATIENCE_S); /* it is heard */
    due++;
    answer_all(stream, NULL);
}

static void opened(tutti_stream *stream, void *user)
{
    ((end *)user)->streams++;
    if (first == NULL)
        first = stream;
    else if (awaits_stranger && stranger_here == NULL)
        stranger_here = stream;
    else
        answered = stream;
}

static void ended(tutti_stream *stream, int code, const char *why, void *user)
{
    end *mine = user;
    mine->streams--;
    if (stream == stranger_here) {
        EXPECT(code == TUTTI_ERR_FABRIC && strstr(why, "no frame") != NULL);
        stranger_here = NULL;
        awaits_stranger = false;
    }
    if (stream != answered) return;
    EXPECT(code == 0 && due == 0);
    mine->closed = true;
    answered = NULL;
}

/* Until the flood is found out. */
static void let_flood(tutti_stream_context *context, const char *address, int budget)
{
    awaits_stranger = true;
    const pid_t child = ends_start(flood, address);
    alarm(PATIENCE_S); /* else no progress: a call does not return, or nobody finds out */
    while (awaits_stranger)
        EXPECT(tutti_stream_process(context, budget) >= 0);
    ends_join(child);
}

static void keep_busy(void (*how)(const char *address), int budget, int visits, int floods)
{
    tutti_stream_context *context = ends_context(
        &(tutti_stream_options){.credits = 512, .max_streams = 4, .handshake_timeout_ms = PATIENT_MS});
    end near = {0};
    char address[80];
    tutti_stream_listener *listener;
    first = NULL;
    const tutti_stream_callbacks callbacks = {
        .on_open = opened, .on_message = take, .on_ready = answer_all, .on_closed = ended, .user = &near};
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    const pid_t busy = ends_start(how, address);
    while (first == NULL)
        EXPECT(tutti_stream_process(context, budget) >= 0);
    for (int i = 0; i < floods; i++)
        let_flood(context, address, budget);
    for (int i = 0; i < visits; i++) {
        alarm(PATIENCE_S); /* else no progress: a call does not return, or the visitor is not heard */
        const pid_t child = ends_start(visit, address);
        for (near.closed = false; !near.closed;)
            EXPECT(tutti_stream_process(context, budget) >= 0);
        ends_join(child);
    }
    alarm(0);
    EXPECT(near.streams == 1); /* who is busy, but sends what makes sense */
    EXPECT(kill(busy, SIGKILL) == 0 && waitpid(busy, NULL, 0) == busy);
    while (near.streams > 0)
        EXPECT(tutti_stream_process(context, budget) >= 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    keep_busy(babble, BUDGET, VISITS, 0);
    keep_busy(babble, 0, 1, FLOODS);
    keep_busy(declaim, BUDGET, 1, FLOODS);
    return 0;
}
