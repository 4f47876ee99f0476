/* SPDX-License-Identifier: BSD-3-Clause */
/* A listener is closed while somebody is at its door: who has connected and says nothing, or half of what it
 * wants, or all of it just then; and streams that are on their way. None is left waiting, none is forgotten,
 * and what goes on beside the listener goes on. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define MANY 8
#define HEAD 32 /* of a request, as libfabric's tcp sends it */
#define PATIENT_MS (PATIENCE_S * 1000)

static int count_descriptors(void)
{
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    EXPECT(all != NULL);
    while (readdir(all) != NULL)
        count++;
    closedir(all);
    return count;
}

/* ---- who is no stream ---- */

/* From a port of its own, or 0. */
static int walk_in_from(int port, const char *address)
{
    const int yes = 1, guest = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    name.sin_port = htons((uint16_t)port);
    EXPECT(guest >= 0 && setsockopt(guest, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    EXPECT(bind(guest, (struct sockaddr *)&name, sizeof name) == 0);
    name.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    EXPECT(connect(guest, (struct sockaddr *)&name, sizeof name) == 0);
    return guest;
}

static int walk_in(const char *address)
{
    return walk_in_from(0, address);
}

static int port_of(int guest)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    EXPECT(getsockname(guest, (struct sockaddr *)&name, &length) == 0);
    return ntohs(name.sin_port);
}

static void until_descriptors(tutti_stream_context *context, int count)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (count_descriptors() != count) {
        EXPECT(tutti_stream_process(context, 0) >= 0);
        EXPECT(tti_clock_ns() < end_ns); /* else no progress */
    }
}

/* A request to connect with a hello behind its head. */
static void write_request(uint8_t words[HEAD + TTI_HELLO_BYTES])
{
    const tti_hello hello = {.version = TTI_STREAM_VERSION, .buffer_bytes = 4096, .credits = 4, .token = 1};
    memset(words, 0, HEAD);
    words[0] = 3;               /* version; a request is of kind 0 */
    words[3] = TTI_HELLO_BYTES; /* so many follow */
    words[24] = 1;              /* the order of bytes */
    tti_hello_write(&hello, words + HEAD);
}

/* What it is told before the connection ends. */
static int hear_out(int guest)
{
    uint8_t words[256];
    int heard = 0;
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    EXPECT(setsockopt(guest, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    for (;;) {
        const ssize_t got = recv(guest, words, sizeof words, 0);
        EXPECT(got >= 0 || errno == ECONNRESET); /* else no progress */
        if (got <= 0) return heard;
        heard += (int)got;
    }
}

static void works_still(tutti_stream_context *context)
{
    end near = {0}, far = {0};
    char address[80];
    tutti_stream_context *other = ends_context(NULL);
    const tutti_stream_callbacks callbacks = ends_callbacks(&far);
    tutti_stream *stream;
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    EXPECT(tutti_stream_connect(other, address, &callbacks, &stream) == 0);
    ends_until_both(context, other, &far.opened);
    ends_until_both(context, other, &near.opened);
    EXPECT(tutti_stream_listener_close(&listener) == 0 && !near.closed && !far.closed);
    EXPECT(tutti_stream_close(stream) == 0);
    ends_until_both(context, other, &far.closed);
    ends_until_both(context, other, &near.closed);
    EXPECT(near.code == 0 && far.code == 0);
    EXPECT(tutti_stream_context_destroy(&other) == 0);
}

/* Has connected and been let in by libfabric; says the first `bytes` of a request, and the rest when the
 * listener is closed. With `heard` the listener's side has looked in between. */
static void guest_stays(size_t bytes, bool heard)
{
    uint8_t words[HEAD + TTI_HELLO_BYTES];
    end near = {0};
    char address[80];
    tutti_stream_context *context = ends_context(NULL);
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    const int before = count_descriptors(), guest = walk_in(address);
    until_descriptors(context, before + 2);
    write_request(words);
    EXPECT(send(guest, words, bytes, MSG_NOSIGNAL) == (ssize_t)bytes);
    if (heard) EXPECT(tutti_stream_process(context, 0) >= 0);
    EXPECT(tutti_stream_listener_close(&listener) == 0 && listener == NULL);
    EXPECT(count_descriptors() == before); /* the guest's own end in place of the listener's */
    if (bytes < sizeof words) send(guest, words + bytes, sizeof words - bytes, MSG_NOSIGNAL);
    for (int i = 0; i < 3; i++)
        EXPECT(tutti_stream_process(context, 0) >= 0);
    EXPECT((hear_out(guest) >= HEAD) == (bytes == sizeof words));
    EXPECT(!near.opened && !near.refused && !near.closed);
    works_still(context);
    close(guest);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* A context that is destroyed leaves nothing of them either. */
static void guests_at_the_end(void)
{
    end near = {0};
    char address[80];
    int guests[MANY];
    const int before = count_descriptors();
    tutti_stream_context *context = ends_context(NULL);
    ends_listen(context, &near, address);
    const int with_listener = count_descriptors();
    for (int i = 0; i < MANY; i++)
        guests[i] = walk_in(address);
    until_descriptors(context, with_listener + 2 * MANY);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(count_descriptors() == before + MANY);
    for (int i = 0; i < MANY; i++) {
        EXPECT(hear_out(guests[i]) == 0);
        close(guests[i]);
    }
}

/* Who is let in at one listener, and from the same port says nothing at another one, is found there, too. */
static void guest_in_disguise(bool closes)
{
    const tutti_stream_options hasty = {.handshake_timeout_ms = 50},
                               patient = {.handshake_timeout_ms = PATIENT_MS};
    uint8_t words[HEAD + TTI_HELLO_BYTES];
    end near = {0}, beside = {0};
    char address[80], another[80];
    tutti_stream_context *context = ends_context(closes ? &patient : &hasty);
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    ends_listen(context, &beside, another);
    const int guest = walk_in(another);
    write_request(words);
    EXPECT(send(guest, words, sizeof words, MSG_NOSIGNAL) == (ssize_t)sizeof words);
    ends_until(context, &beside.opened, "the guest");
    const int before = count_descriptors(), same = walk_in_from(port_of(guest), address);
    if (closes) {
        until_descriptors(context, before + 2);
        EXPECT(tutti_stream_listener_close(&listener) == 0 && count_descriptors() == before);
    } else {
        ends_until(context, &near.refused, "the end of the guest's time");
        EXPECT(near.code == TUTTI_ERR_TIMEOUT);
    }
    EXPECT(hear_out(same) == 0 && !beside.closed);
    close(same);
    close(guest);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* ---- streams on their way ---- */

static tutti_stream_listener *door;

static void shut_door(int code, const char *why, void *user)
{
    end *mine = user;
    (void)why;
    EXPECT(code == TUTTI_ERR_DENIED && !mine->refused); /* once */
    mine->refused = true;
    EXPECT(tutti_stream_listener_close(&door) == 0);
}

static void knock(tutti_stream_context *context, end *mine, const char *address)
{
    const tutti_stream_callbacks callbacks = ends_callbacks(mine);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    for (int i = 0; i < 3; i++)
        EXPECT(tutti_stream_process(context, 0) >= 0);
}

/* libfabric looks, so that requests are in its queue, and nobody reads them. */
static void look(tutti_stream_context *context, int looks)
{
    uint8_t event[512];
    uint32_t kind;
    for (int i = 0; i < looks; i++)
        fi_eq_read(context->events, &kind, event, sizeof event, FI_PEEK);
}

/* They hear of it at once, and would wait for as long as the test is patient. */
static void expect_turned_away(tutti_stream_context *context, tutti_stream_context *other, end *one,
                               const char *address)
{
    ends_until_both(context, other, &one->closed);
    if (one->code != TUTTI_ERR_REFUSED && one->code != TUTTI_ERR_PEER_FAILED)
        fprintf(stderr, "%d: %s\n", one->code, one->why);
    EXPECT(one->code == TUTTI_ERR_REFUSED || one->code == TUTTI_ERR_PEER_FAILED);
    EXPECT(!one->opened && strstr(one->why, address) != NULL && strstr(one->why, "listen") != NULL);
}

/* Of many that knock the first is turned away, and hearing of that the program closes the listener. */
static void closed_in_a_callback(int looks)
{
    const tutti_stream_options guarded = {.secret = "0123456789abcdef", .secret_bytes = 16},
                               patient = {.connect_timeout_ms = PATIENT_MS};
    tutti_stream_context *context = ends_context(&guarded), *other = ends_context(&patient);
    end near = {0}, far[MANY] = {{0}};
    char address[80];
    tutti_stream_callbacks callbacks = ends_callbacks(&near);
    callbacks.on_refused = shut_door;
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &door) == 0);
    EXPECT(tutti_stream_listener_address(door, address, sizeof address) == 0);
    for (int i = 0; i < MANY; i++)
        knock(other, &far[i], address);
    look(context, looks);
    int denied = 0;
    for (int i = 0; i < MANY; i++) {
        ends_until_both(context, other, &far[i].closed);
        if (far[i].code == TUTTI_ERR_DENIED)
            denied++;
        else
            expect_turned_away(context, other, &far[i], address);
    }
    EXPECT(denied == 1 && near.refused && door == NULL);
    EXPECT(tutti_stream_context_destroy(&context) == 0 && tutti_stream_context_destroy(&other) == 0);
}

/* Of two listeners one is closed, while many knock at both and the context itself knocks elsewhere. */
static void others_go_on(int looks)
{
    const tutti_stream_options patient = {.connect_timeout_ms = PATIENT_MS};
    tutti_stream_context *context = ends_context(&patient), *other = ends_context(&patient);
    end near = {0}, beside = {0}, out = {0}, there = {0}, far[MANY] = {{0}};
    char addresses[2][80], elsewhere[80];
    tutti_stream_listener *closing = ends_listen(context, &near, addresses[0]);
    ends_listen(context, &beside, addresses[1]);
    ends_listen(other, &there, elsewhere);
    knock(context, &out, elsewhere);
    for (int i = 0; i < MANY; i++)
        knock(other, &far[i], addresses[i % 2]);
    look(context, looks);
    EXPECT(tutti_stream_listener_close(&closing) == 0);
    ends_until_both(context, other, &out.opened);
    ends_until_both(context, other, &there.opened);
    for (int i = 0; i < MANY; i++) {
        if (i % 2 == 0)
            expect_turned_away(context, other, &far[i], addresses[0]);
        else
            ends_until_both(context, other, &far[i].opened);
    }
    EXPECT(!near.opened && !near.refused && beside.streams == MANY / 2 && !out.closed && !there.closed);
    EXPECT(tutti_stream_context_destroy(&context) == 0 && tutti_stream_context_destroy(&other) == 0);
}

/* ---- a loop that sleeps ---- */

static void *run(void *context)
{
    EXPECT(tutti_stream_run(context) == 0);
    return NULL;
}

/* The last listener is closed by another thread: the loop has nothing to wait for any more. */
static void loop_ends(void)
{
    const tutti_stream_options threads = {.thread_safe = 1};
    end near = {0};
    char address[80];
    pthread_t loop;
    struct timespec patience;
    tutti_stream_context *context = ends_context(&threads);
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    EXPECT(pthread_create(&loop, NULL, run, context) == 0);
    usleep(50000); /* it may be asleep by then; if not, this shows less */
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += PATIENCE_S;
    EXPECT(pthread_timedjoin_np(loop, NULL, &patience) == 0); /* else no progress */
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(void)
{
    loop_ends();
    guest_stays(0, false);
    guest_stays(5, false);
    guest_stays(HEAD, false);
    guest_stays(HEAD, true);
    guest_stays(HEAD + TTI_HELLO_BYTES, false);
    guests_at_the_end();
    guest_in_disguise(false);
    guest_in_disguise(true);
    for (int looks = 0; looks <= 3 * MANY; looks += MANY) {
        closed_in_a_callback(looks);
        others_go_on(looks);
    }
    return 0;
}
