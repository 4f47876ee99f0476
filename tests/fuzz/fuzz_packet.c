/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of three other ranks, of any content, among calls of the program's: receives, sends, cancels, RMA
 * on a real window. The stand-ins for the ways touch all memory that real ones would.
 *
 * The input is a list of acts, each: what (1 byte), an argument (1 byte), and for packets a length (1 byte)
 * and so many bytes. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/progress/progress.h"
#include "tests/unit/p2p/lone_rank.h"

#define REQUESTS 32
#define BUFFER 20000 /* over what goes at once by either way */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    tutti_request *request;
    char *buffer; /* of its own, so that an access beyond or after is seen */
} pending;

static pending requests[REQUESTS];

enum {
    RAW,
    HEADED,
    RECEIVE,
    SEND,
    SEND_SYNC,
    PUT,
    GET,
    ACCUMULATE,
    CANCEL,
    PROGRESS,
    BULK,
    ROOM,
    DEATH,
    ACTS
};

static pending *free_one(void)
{
    for (int i = 0; i < REQUESTS; i++)
        if (requests[i].buffer == NULL) return &requests[i];
    return NULL;
}

static void finish(pending *one)
{
    /* Any end will do. */
    if (one->request != NULL && tutti_wait(&one->request, NULL) != 0) one->request = NULL;
    free(one->buffer);
    *one = (pending){NULL, NULL};
}

static void look(void)
{
    for (int i = 0; i < REQUESTS; i++) {
        int over = 0;
        if (requests[i].buffer == NULL) continue;
        if (tutti_test(&requests[i].request, &over, NULL) != 0 || over) finish(&requests[i]);
    }
}

/* A call of the program's to or from rank 1 to 3 or any, of few bytes or many. */
static void call(int act, uint8_t argument)
{
    pending *one = free_one();
    const int rank = 1 + argument % 3, tag = argument >> 6;
    const size_t bytes = (argument & 4) != 0 ? BUFFER : 8 + argument % 56;
    if (one == NULL || (one->buffer = calloc(1, bytes)) == NULL) return;
    tutti_comm *world = lone.world;
    const int source = (argument & 8) != 0 ? TUTTI_ANY_SOURCE : rank;
    int code = -1;
    switch (act) {
    case RECEIVE:
        code = tutti_irecv(world, one->buffer, bytes, source, (argument & 16) != 0 ? TUTTI_ANY_TAG : tag,
                           &one->request);
        break;
    case SEND: code = tutti_isend(world, one->buffer, bytes, rank, tag, &one->request); break;
    case SEND_SYNC: code = tutti_issend(world, one->buffer, bytes, rank, tag, &one->request); break;
    case PUT: code = tutti_put(lone.window, one->buffer, bytes % 64, rank, 0, &one->request); break;
    case GET: code = tutti_get(lone.window, one->buffer, bytes % 64, rank, 0, &one->request); break;
    default:
        code = tutti_accumulate(lone.window, one->buffer, 1, TUTTI_DOUBLE, TUTTI_SUM, rank, 8, &one->request);
    }
    if (code < 0) finish(one);
}

static void cancel(uint8_t argument)
{
    const pending *one = &requests[argument % REQUESTS];
    if (one->request != NULL) tutti_cancel(one->request);
}

static const uint8_t *receive(int act, uint8_t argument, const uint8_t *at, const uint8_t *end)
{
    const int rank = 1 + argument % 3;
    const size_t left = (size_t)(end - at), bytes = at[0] < left - 1 ? at[0] : left - 1;
    struct {
        tti_packet_head head;
        unsigned char rest[256];
    } packet = {tti_packet_head_for((enum tti_packet_kind)(argument / 3 % TTI_PACKET_KINDS), rank, 0, 0),
                {0}};
    if (act == RAW) {
        lone_receive(rank, at + 1, bytes);
    } else {
        /* The tag is the kind of active messages, and their first byte chooses among those. */
        packet.head.tag = bytes > 0 ? at[1] % TTI_AM_KINDS : 0;
        if (bytes > 1) memcpy(packet.rest, at + 2, bytes - 1);
        lone_receive(rank, &packet, sizeof packet.head + (bytes > 1 ? bytes - 1 : 0));
    }
    return at + 1 + bytes;
}

static const uint8_t *act_on(const uint8_t *at, const uint8_t *end)
{
    const int act = at[0] % ACTS;
    const uint8_t argument = at[1];
    at += 2;
    switch (act) {
    case RAW:
    case HEADED: return at < end ? receive(act, argument, at, end) : end;
    case CANCEL: cancel(argument); break;
    case PROGRESS: tti_progress_all(); break;
    case BULK: lone_finish_bulk(); break;
    case ROOM: lone.full = argument % 2 != 0; break;
    case DEATH: tti_lost_peer_died(1 + argument % 3, NULL); break;
    default: call(act, argument);
    }
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool loaded;
    if (!loaded && tti_options_load(NULL) != 0) abort();
    loaded = true;
    lone_open();
    const uint8_t *const end = data + size;
    for (const uint8_t *at = data; end - at >= 2;) {
        at = act_on(at, end);
        look();
    }
    lone_end_all();
    for (int i = 0; i < REQUESTS; i++)
        finish(&requests[i]);
    lone_close();
    return 0;
}
