/* SPDX-License-Identifier: BSD-3-Clause */
/* The first packet to a peer, over one provider, the first argument: greetings that fail or get lost cost
 * nothing but time, and nothing follows before the answer. */
#include <string.h>

#include "pmi/pmi.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define QUIET_POLLS 100000
#define UNREAD 20 /* greetings that a peer has before it that has not looked for some seconds */

static tti_fabric *fabric;
static int packets, failures, failed_code; /* of the first failure */

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context, (void)rank;
    EXPECT(bytes == 6 && strcmp(packet, "hello") == 0);
    packets++;
}

static void on_failure(void *context, int rank, int code)
{
    (void)context, (void)rank;
    if (failures++ == 0) failed_code = code;
}

static void together(void)
{
    int ticket = -1;
    while (!met(&ticket))
        tti_fabric_poll(fabric);
}

static struct fi_ops_cq broken;
static struct fi_ops_cq *whole;
static void *failing; /* the operation that ended, and is to be told as failed */

static ssize_t read_as_failure(struct fid_cq *cq, void *buf, size_t count)
{
    const ssize_t got = whole->read(cq, buf, count < 1 ? count : 1);
    const struct fi_cq_msg_entry *entry = buf;
    if (got != 1 || (entry->flags & FI_SEND) == 0) return got;
    failing = entry->op_context;
    return -FI_EAVAIL;
}

static ssize_t read_failure(struct fid_cq *cq, struct fi_cq_err_entry *entry, uint64_t flags)
{
    if (failing == NULL) return whole->readerr(cq, entry, flags);
    *entry = (struct fi_cq_err_entry){.op_context = failing, .err = FI_ENOTCONN};
    failing = NULL;
    cq->ops = whole;
    return 1;
}

/* The next completion of something sent is an error: its connection broke. */
static void break_next(void)
{
    whole = fabric->completions->ops;
    broken = *whole;
    broken.read = read_as_failure;
    broken.readerr = read_failure;
    fabric->completions->ops = &broken;
}

/* Tries to send until so many greetings have left. With a wrong token the peer drops them. */
static void lose_greetings(tti_fabric_contact *peer, int count)
{
    const uint64_t token = peer->token;
    peer->token++;
    while (peer->greetings < count || peer->greeting) {
        EXPECT(tti_fabric_send(fabric, peer->rank, "hello", 6, NULL, 0) == 1);
        tti_fabric_poll(fabric);
    }
    peer->token = token;
}

/* The one of that number. What this thread was told of last it can still read. */
static void break_greeting(tti_fabric_contact *peer, int number)
{
    tti_fail(TUTTI_ERR_ARG, "another failure");
    break_next();
    lose_greetings(peer, number);
    EXPECT(fabric->completions->ops == whole); /* told as failed */
    EXPECT(strcmp(tutti_error_detail(), "another failure") == 0);
}

static tti_fabric_contact *find(int rank)
{
    tti_fabric_contact *peer;
    int code;
    while ((code = tti_fabric_locate(fabric, rank, &peer)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    return peer;
}

static void send_hello(int rank)
{
    int code;
    while ((code = tti_fabric_send(fabric, rank, "hello", 6, NULL, 0)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
}

static void lost(const tti_job *job)
{
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
    meet();
    if (job->rank == 0 && tti_fabric_connects(fabric)) {
        tti_fabric_contact *peer = find(1);
        break_greeting(peer, 1);
        lose_greetings(peer, 2);
        peer->greetings = UNREAD;
        peer->greet_ns = 0;
        break_greeting(peer, UNREAD + 1);
        peer->greet_ns = 0;
        EXPECT(peer->sent == 0);
    }
    if (job->rank == 0) send_hello(1);
    while (job->rank == 1 && packets == 0)
        tti_fabric_poll(fabric);
    together();
    EXPECT(failures == 0 && packets == job->rank);
    EXPECT(fabric->strangers == (tti_fabric_connects(fabric) && job->rank == 1 ? 3 : 0));
    tti_fabric_close(fabric);
}

/* Rank 1 does not look while rank 0 tries. */
static void nothing_follows(const tti_job *job)
{
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
    meet();
    if (job->rank == 0 && tti_fabric_connects(fabric)) {
        tti_fabric_contact *peer = find(1);
        for (int i = 0; i < QUIET_POLLS; i++) {
            EXPECT(tti_fabric_send(fabric, 1, "hello", 6, NULL, 0) == 1);
            tti_fabric_poll(fabric);
        }
        EXPECT(peer->sent == 0 && !peer->met);
    }
    meet();
    if (job->rank == 0) send_hello(1);
    if (job->rank == 1) send_hello(0);
    while (packets == 0)
        tti_fabric_poll(fabric);
    together();
    EXPECT(failures == 0 && packets == 1);
    tti_fabric_close(fabric);
}

/* Rank 0 cannot answer the greetings of rank 1, whose card is of another version. */
static void no_answer(const tti_job *job)
{
    int ticket = -1;
    tti_card card = {.tutti = "9.9.9", .host = "elsewhere", .provider = "none"};
    uint8_t wire[TTI_CARD_MAX];
    EXPECT(tti_fabric_open(job, on_packet, on_failure, NULL, &fabric) == 0);
    const int bytes = tti_card_write(&card, wire, sizeof wire);
    if (job->rank == 1) EXPECT(tti_pmi_put("tutti.card", wire, (size_t)bytes) == 0);
    meet();
    while (job->rank == 0 && tti_fabric_connects(fabric) && failures == 0)
        tti_fabric_poll(fabric);
    if (failures > 0)
        EXPECT(failed_code == TUTTI_ERR_VERSION && strstr(tutti_error_detail(), "9.9.9") != NULL);
    while (!met(&ticket)) {
        if (job->rank == 1 && tti_fabric_connects(fabric))
            (void)tti_fabric_send(fabric, 0, "hello", 6, NULL, 0);
        tti_fabric_poll(fabric);
    }
    EXPECT(packets == 0);
    tti_fabric_close(fabric);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    char option[64];
    snprintf(option, sizeof option, "TUTTI_PROVIDER=%s", argv[1]);
    const char *const set[] = {option, NULL};
    run_ranks(2, -1, set, lost);
    run_ranks(2, -1, set, nothing_follows);
    run_ranks(2, -1, set, no_answer);
    return 0;
}
