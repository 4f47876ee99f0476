/* SPDX-License-Identifier: BSD-3-Clause */
/* The fabric of a lone rank: transfers that stay until the test, or a withdrawal, ends them. */
#include <string.h>

#include "runtime/fabric/orphan_watch.h"
#include "runtime/progress/progress.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define FABRIC_PACKET 9000 /* bytes that the fabric takes at once */
#define TRANSFERS 64       /* that the fabric takes at once */

struct tti_fabric {
    tti_fabric_limits limits;
};

static struct tti_fabric fabric = {
    {.packet_max = FABRIC_PACKET, .message_max = SIZE_MAX, .tag_bits = 64, .provider = "stand-in"}};

typedef struct {
    tti_fabric_op *op; /* NULL: free */
    char *to;          /* of a receive */
    size_t bytes;
    int end; /* 0: not yet; 1: done; or the error with which the next poll ends it */
} transfer;

static transfer transfers[TRANSFERS];
static uint64_t packets; /* sent so far */

int tti_fabric_open(const tti_job *of, tti_fabric_packet_fn *packet, tti_fabric_failure_fn *failure,
                    void *context, tti_fabric **made)
{
    EXPECT(of->size == LONE_RANKS && packet != NULL && failure != NULL && context == NULL);
    *made = &fabric;
    return 0;
}

void tti_fabric_on_silence(void (*died)(int rank))
{
    EXPECT(died != NULL);
}

void tti_fabric_close(tti_fabric *of)
{
    EXPECT(of == &fabric);
}

const tti_fabric_limits *tti_fabric_limits_of(const tti_fabric *of)
{
    return &of->limits;
}

int tti_fabric_send(tti_fabric *of, int rank, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes)
{
    EXPECT(of == &fabric && rank > LONE_NEIGHBOUR);
    const int code = lone_keep(rank, of->limits.packet_max, head, head_bytes, body, body_bytes);
    packets += code == 0;
    return code;
}

static int take(tti_fabric_op *op, char *to, size_t bytes)
{
    for (int i = 0; i < TRANSFERS; i++) {
        if (transfers[i].op != NULL) continue;
        transfers[i] = (transfer){op, to, bytes, 0};
        lone.bulk_bytes = bytes;
        return 0;
    }
    return 1;
}

int tti_fabric_send_in_place(tti_fabric *of, int rank, const void *head, size_t head_bytes, const void *body,
                             size_t body_bytes, tti_fabric_op *op)
{
    const int code = tti_fabric_send(of, rank, head, head_bytes, body, body_bytes);
    return code == 0 ? take(op, NULL, body_bytes) : code;
}

bool tti_fabric_is_clear(const tti_fabric *of, int rank)
{
    (void)rank;
    return of == &fabric;
}

bool tti_fabric_has_come(const tti_fabric *of, int rank)
{
    (void)rank;
    return of == &fabric;
}

uint64_t tti_fabric_packets(const tti_fabric *of)
{
    EXPECT(of == &fabric);
    return packets;
}

bool tti_fabric_idle(const tti_fabric *of, uint64_t before)
{
    EXPECT(of == &fabric && before <= packets);
    return !lone.slow || before < packets;
}

int tti_fabric_bulk_send(tti_fabric *of, int rank, uint64_t tag, const void *buf, size_t bytes,
                         tti_fabric_op *op)
{
    EXPECT(of == &fabric && rank > LONE_NEIGHBOUR && tag != 0 && (buf != NULL || bytes == 0));
    return take(op, NULL, bytes);
}

int tti_fabric_bulk_recv(tti_fabric *of, int rank, uint64_t tag, void *buf, size_t bytes, tti_fabric_op *op)
{
    EXPECT(of == &fabric && rank > LONE_NEIGHBOUR && tag != 0);
    return take(op, buf, bytes);
}

/* What is complete stays so: a withdrawal comes too late, as it does with libfabric. */
static void end(const tti_fabric_op *op, int how)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (transfers[i].op == op && transfers[i].end == 0) transfers[i].end = how;
}

void tti_fabric_bulk_cancel(tti_fabric *of, tti_fabric_op *op)
{
    EXPECT(of == &fabric);
    end(op, TUTTI_ERR_CANCELLED);
}

void tti_fabric_bulk_give_up(tti_fabric *of, tti_fabric_op *op)
{
    EXPECT(of == &fabric);
    end(op, TUTTI_ERR_PEER_FAILED);
}

int tti_fabric_expose(tti_fabric *of, void *base, size_t bytes, tti_fabric_region **region,
                      tti_fabric_remote *remote)
{
    EXPECT(of == &fabric && base != NULL && bytes > 0);
    *region = NULL;
    *remote = (tti_fabric_remote){0, 0};
    return TUTTI_ERR_UNSUPPORTED;
}

void tti_fabric_conceal(tti_fabric_region *region)
{
    EXPECT(region == NULL);
}

int tti_fabric_read(tti_fabric *of, int rank, const tti_fabric_remote *remote, size_t offset, void *buf,
                    size_t bytes, tti_fabric_op *op)
{
    EXPECT(of == &fabric && rank > LONE_NEIGHBOUR && remote != NULL && offset <= LONE_WINDOW);
    return take(op, buf, bytes);
}

int tti_fabric_write(tti_fabric *of, int rank, const tti_fabric_remote *remote, size_t offset,
                     const void *buf, size_t bytes, tti_fabric_op *op)
{
    EXPECT(buf != NULL);
    return tti_fabric_read(of, rank, remote, offset, NULL, bytes, op);
}

void tti_fabric_peer_died(tti_fabric *of, int rank)
{
    EXPECT(of == &fabric);
    for (int i = 0; i < TRANSFERS; i++) {
        const transfer *one = &transfers[i];
        if (one->op != NULL && TTI_OWNER(one->op, tti_p2p_op, u.transfer.bulk)->peer == rank)
            end(one->op, TUTTI_ERR_PEER_FAILED);
    }
}

void tti_fabric_part(tti_fabric *of, int rank)
{
    tti_fabric_peer_died(of, rank);
}

int tti_fabric_send_last(tti_fabric *of, int rank, const void *packet, size_t bytes)
{
    return tti_fabric_send(of, rank, packet, bytes, NULL, 0);
}

void tti_fabric_death_told(void)
{
}

int tti_fabric_poll(tti_fabric *of)
{
    int events = 0;
    EXPECT(of == &fabric);
    for (int i = 0; i < TRANSFERS; i++) {
        const transfer one = transfers[i];
        if (one.op == NULL || one.end == 0) continue;
        transfers[i].op = NULL;
        if (one.end > 0 && one.to != NULL) memset(one.to, 2, one.bytes);
        one.op->bytes = one.bytes;
        one.op->done(one.op, one.end > 0 ? 0 : one.end);
        events++;
    }
    return events;
}

bool tti_fabric_arm(tti_fabric *of, int *fd)
{
    *fd = -1;
    return of == &fabric;
}

void lone_forget_bulk(void)
{
    memset(transfers, 0, sizeof transfers);
}

void lone_shorten_bulk(size_t bytes)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (transfers[i].op != NULL && transfers[i].to != NULL) transfers[i].bytes = bytes;
}

void lone_complete_bulk(void)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (transfers[i].op != NULL && transfers[i].end == 0) transfers[i].end = 1;
}

void lone_finish_bulk(void)
{
    lone_complete_bulk();
    tti_progress_all();
}
