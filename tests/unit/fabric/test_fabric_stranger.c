/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that is not of the job, but has found the ports of its ranks: over one provider, the first
 * argument. Rank 0 is the target and rank 1 its true peer; the third process opens an endpoint of its own,
 * says that it is rank 1, and sends what it likes. It knows everything but the random words of the cards. */
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/fabric/fabric_state.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_operation.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define FORGED 20
#define TAG 1 /* of the first bulk receive of a rank */
#define BYTES 1000
#define TRIES_NS (TTI_NS_PER_SECOND / 2)
#define KEYS 3

enum { TARGET, PEER, STRANGER };

static tti_fabric *fabric;
static int packets;
static char heard[64];
static char memory[BYTES]; /* exposed; at the same place in all processes, which are forks of one */

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context;
    EXPECT(rank == PEER && bytes <= sizeof heard);
    memcpy(heard, packet, bytes);
    packets++;
}

/* Of the stranger alone: a provider may cut off who names a wrong key. */
static void on_failure(void *context, int rank, int code)
{
    EXPECT(context == &packets);
    fprintf(stderr, "failure of rank %d: %d %s\n", rank, code, tutti_error_detail());
}

static void together(void)
{
    int ticket = -1;
    while (!met(&ticket))
        tti_fabric_poll(fabric);
}

/* The target's contact as the stranger has it, from an old card: address right, random words of another
 * endpoint. */
static tti_fabric_contact *find_target(void)
{
    tti_fabric_contact *contact;
    int code;
    while ((code = tti_fabric_locate(fabric, TARGET, &contact)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    contact->token = fabric->card.token;
    contact->tag_mask = 0;
    contact->met = true;
    return contact;
}

/* For a while, until the fabric has let go of it; the target may answer in any way but by taking it. */
static void await(const operation *one)
{
    const int64_t end = tti_clock_ns() + TRIES_NS;
    while (one->calls == 0 && tti_clock_ns() < end)
        tti_fabric_poll(fabric);
}

static void forge_packets(tti_fabric_contact *target)
{
    for (uint32_t i = 0; i < FORGED; i++) {
        int code;
        target->sent = i; /* the numbers that the true peer is going to use, too */
        while ((code = tti_fabric_send(fabric, TARGET, "forged", 7, NULL, 0)) == 1)
            tti_fabric_poll(fabric);
        EXPECT(code == 0);
    }
    while (!tti_fabric_idle(fabric, UINT64_MAX))
        tti_fabric_poll(fabric);
}

static void forge_bulk(tti_fabric_contact *target)
{
    static char data[BYTES] = "forged";
    static operation one = {.op = {.done = operation_done}};
    int code;
    EXPECT(target->tag_mask == 0);
    while ((code = tti_fabric_bulk_send(fabric, TARGET, TAG, data, sizeof data, &one.op)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    await(&one);
}

/* Keys that a counter would give, and the address where memory begins: its start, or the virtual one. Whether
 * the stranger hears of the refusal is the provider's affair (shm of 2.7 tells it of success); the target
 * looks at its memory. */
static void forge_writes(tti_fabric_contact *target)
{
    static char data[8] = "forged";
    static operation ones[KEYS];
    const bool virtual_address = (fabric->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
    if (!tti_fabric_limits_of(fabric)->has_rma) return;
    for (uint64_t key = 0; key < KEYS; key++) {
        ones[key] = (operation){.op = {.done = operation_done}};
        const tti_fabric_remote remote = {virtual_address ? (uintptr_t)memory : 0, key};
        int code;
        const int64_t end = tti_clock_ns() + TRIES_NS;
        do { /* the one before may have cost the connection, or the room that there was */
            target->dead = false;
            tti_fabric_poll(fabric);
            code = tti_fabric_write(fabric, TARGET, &remote, 0, data, sizeof data, &ones[key].op);
        } while (code != 0 && tti_clock_ns() < end);
        if (code == 0) await(&ones[key]);
    }
}

static void (*attack)(tti_fabric_contact *target);

static void be_stranger(const tti_job *job)
{
    tti_job claimed = *job;
    claimed.rank = PEER;
    EXPECT(tti_fabric_open(&claimed, on_packet, on_failure, &packets, &fabric) == 0);
    meet();
    together();
    attack(find_target());
    together(); /* the true peer begins */
    together();
    tti_fabric_close(fabric);
}

static void expect_packet(const char *text)
{
    const int before = packets;
    while (packets == before)
        tti_fabric_poll(fabric);
    EXPECT(packets == before + 1 && strcmp(heard, text) == 0);
}

static void be_target(const tti_job *job)
{
    static char data[BYTES];
    operation receive = {.op = {.done = operation_done}};
    tti_fabric_region *region = NULL;
    tti_fabric_remote remote;
    EXPECT(tti_fabric_open(job, on_packet, on_failure, &packets, &fabric) == 0);
    if (tti_fabric_limits_of(fabric)->has_rma)
        EXPECT(tti_fabric_expose(fabric, memory, BYTES, &region, &remote) == 0);
    meet();
    EXPECT(tti_fabric_bulk_recv(fabric, PEER, TAG, data, sizeof data, &receive.op) == 0);
    const uint32_t numbers = tti_fabric_know(fabric, PEER)->arriving.due;
    together();
    while (attack == forge_packets && fabric->strangers < FORGED && packets == 0)
        tti_fabric_poll(fabric);
    together();
    EXPECT(packets == 0 && receive.calls == 0 && memory[0] == 0);
    EXPECT(tti_fabric_know(fabric, PEER)->arriving.due == numbers);
    expect_packet("first");
    while (receive.calls == 0)
        tti_fabric_poll(fabric);
    EXPECT(receive.code == 0 && strcmp(data, "true") == 0);
    tti_fabric_conceal(region);
    together();
    tti_fabric_close(fabric);
}

static void be_peer(const tti_job *job)
{
    static char data[BYTES] = "true";
    operation send = {.op = {.done = operation_done}};
    int code;
    EXPECT(tti_fabric_open(job, on_packet, on_failure, &packets, &fabric) == 0);
    meet();
    together();
    together();
    while ((code = tti_fabric_send(fabric, TARGET, "first", 6, NULL, 0)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    while ((code = tti_fabric_bulk_send(fabric, TARGET, TAG, data, sizeof data, &send.op)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    while (send.calls == 0)
        tti_fabric_poll(fabric);
    EXPECT(send.code == 0);
    together();
    tti_fabric_close(fabric);
}

static void body(const tti_job *job)
{
    if (job->rank == STRANGER)
        be_stranger(job);
    else if (job->rank == TARGET)
        be_target(job);
    else
        be_peer(job);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    char option[64];
    snprintf(option, sizeof option, "TUTTI_PROVIDER=%s", argv[1]);
    const char *const set[] = {option, "TUTTI_LOG=warn", NULL};
    static void (*const attacks[])(tti_fabric_contact *) = {forge_packets, forge_bulk, forge_writes};
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        attack = attacks[i];
        run_ranks(3, -1, set, body);
    }
    return 0;
}
