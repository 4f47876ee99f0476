/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/p2p/lone_rank.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/run_failure.h"
#include "runtime/base/options.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/packet_check.h"
#include "runtime/p2p/progress.h"
#include "runtime/rma/rma.h"
#include "runtime/rma/window.h"
#include "tests/unit/expect.h"

#define FABRIC_PACKET 9000 /* bytes that the fabric takes at once */
#define TRANSFERS 64       /* that the fabric takes at once */

lone_rank lone;

struct tti_node {
    int unused;
};

struct tti_fabric {
    tti_fabric_limits limits;
};

static struct tti_node node;
static struct tti_fabric fabric = {{.packet_max = FABRIC_PACKET, .tag_bits = 64, .provider = "stand-in"}};
static const tti_crossings crossings;
static const int local_ranks[] = {0, LONE_NEIGHBOUR};
static const tti_job job = {
    .size = LONE_RANKS, .nodes = 3, .local_size = 2, .local_ranks = local_ranks, .launcher = "test"};

static int keep(int rank, size_t most, const void *head, size_t head_bytes, const void *body,
                size_t body_bytes)
{
    EXPECT(rank > 0 && rank < LONE_RANKS && head_bytes + body_bytes <= most);
    if (lone.full) return 1;
    memcpy(lone.last[rank].at, head, head_bytes);
    if (body_bytes > 0) memcpy(lone.last[rank].at + head_bytes, body, body_bytes);
    lone.last[rank].bytes = head_bytes + body_bytes;
    lone.sent[rank]++;
    return 0;
}

/* -- the node: copies touch all that they would -- */

int tti_node_open(const tti_job *of, tti_node **made)
{
    EXPECT(of == &job);
    *made = &node;
    return 0;
}

void tti_node_close(tti_node *of)
{
    EXPECT(of == &node);
}

bool tti_node_has_left(const tti_node *of, int peer)
{
    return of != &node || peer > 1;
}

int tti_node_decline(const tti_job *of)
{
    EXPECT(of == &job);
    return 0;
}

uint32_t tti_node_departures(const tti_node *of)
{
    return of != &node;
}

const tti_crossings *tti_node_crossings(const tti_node *of)
{
    EXPECT(of == &node);
    return &crossings;
}

int tti_node_send(tti_node *of, int peer, const void *head, size_t head_bytes, const void *body,
                  size_t body_bytes)
{
    EXPECT(of == &node && peer == 1);
    return keep(LONE_NEIGHBOUR, TTI_NODE_PACKET_MAX, head, head_bytes, body, body_bytes);
}

bool tti_node_is_behind(tti_node *of, int peer)
{
    return of != &node || peer != 1;
}

int tti_node_poll(tti_node *of, int limit, tti_node_packet_fn *handle, void *context)
{
    EXPECT(of == &node && limit > 0 && handle != NULL && context == NULL);
    return 0;
}

bool tti_node_can_read(tti_node *of, int peer)
{
    return of == &node && peer == 1;
}

int tti_node_read(tti_node *of, int peer, uint64_t remote, void *local, size_t bytes)
{
    EXPECT(of == &node && peer == 1);
    if (remote == 0) return TUTTI_ERR_UNSUPPORTED; /* then it is asked for */
    memset(local, 1, bytes);
    return 0;
}

int tti_node_write(tti_node *of, int peer, uint64_t remote, const void *local, size_t bytes)
{
    EXPECT(of == &node && peer == 1 && remote <= UINT64_MAX - bytes);
    static volatile char sum;
    for (size_t i = 0; i < bytes; i++)
        sum = (char)(sum + ((const char *)local)[i]);
    return 0;
}

uint32_t tti_node_share_begin(tti_node *of)
{
    return of == &node;
}

int tti_node_share_read(tti_node *of, int peer, uint64_t remote, void *local, size_t bytes)
{
    return tti_node_read(of, peer, remote, local, bytes);
}

void tti_node_share_help(tti_node *of, int peer, uint32_t serial, uint64_t remote, const void *mine,
                         size_t bytes)
{
    (void)serial;
    EXPECT(bytes > 0 && tti_node_write(of, peer, remote, mine, bytes) == 0);
}

bool tti_node_is_awake(const tti_node *of, int peer)
{
    return of == &node && peer == 1;
}

int tti_node_mem_alloc(tti_node *of, size_t bytes, void **base, uint64_t *id)
{
    EXPECT(of == &node);
    *base = malloc(bytes);
    *id = 1;
    return *base != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
}

int tti_node_mem_reserve(tti_node *of, size_t bytes, void **base, uint64_t *id)
{
    return tti_node_mem_alloc(of, bytes, base, id);
}

int tti_node_mem_free(tti_node *of, void *base)
{
    EXPECT(of == &node);
    free(base);
    return 0;
}

int tti_node_mem_map(tti_node *of, int peer, uint64_t id, void **base)
{
    EXPECT(of == &node && peer == 1 && id != 0);
    *base = NULL;
    return TUTTI_ERR_UNSUPPORTED;
}

void tti_node_mem_unmap(tti_node *of, void *base)
{
    EXPECT(of == &node && base != NULL);
}

bool tti_node_all_here(const tti_node *of)
{
    return of == &node;
}

cpu_set_t *tti_node_cpus(const tti_node *of, int *ranks)
{
    EXPECT(of == &node);
    *ranks = 0;
    return NULL;
}

void tti_node_arm(tti_node *of)
{
    EXPECT(of == &node);
}

void tti_node_sleep(tti_node *of, int64_t timeout_ns)
{
    EXPECT(of == &node && timeout_ns != 0);
}

void tti_node_disarm(tti_node *of)
{
    EXPECT(of == &node);
}

int tti_node_wake_fd(tti_node *of)
{
    EXPECT(of == &node);
    return -1;
}

void tti_node_poke(tti_node *of, int peer)
{
    EXPECT(of == &node && peer == 1);
}

void tti_node_wake(tti_node *of)
{
    EXPECT(of == &node);
}

/* -- the fabric: transfers that stay until the test, or a withdrawal, ends them -- */

typedef struct {
    tti_fabric_op *op; /* NULL: free */
    char *to;          /* of a receive */
    size_t bytes;
    int end; /* 0: not yet; 1: done; or the error with which the next poll ends it */
} transfer;

static transfer transfers[TRANSFERS];

int tti_fabric_open(const tti_job *of, tti_fabric_packet_fn *packet, tti_fabric_failure_fn *failure,
                    void *context, tti_fabric **made)
{
    EXPECT(of == &job && packet != NULL && failure != NULL && context == NULL);
    *made = &fabric;
    return 0;
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
    return keep(rank, of->limits.packet_max, head, head_bytes, body, body_bytes);
}

static int take(tti_fabric_op *op, char *to, size_t bytes)
{
    for (int i = 0; i < TRANSFERS; i++) {
        if (transfers[i].op != NULL) continue;
        transfers[i] = (transfer){op, to, bytes, 0};
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

bool tti_fabric_idle(const tti_fabric *of)
{
    return of == &fabric;
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

static void end(const tti_fabric_op *op, int how)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (transfers[i].op == op) transfers[i].end = how;
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

void tti_fabric_conceal(tti_fabric *of, tti_fabric_region *region)
{
    EXPECT(of == &fabric && region == NULL);
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

/* -- the launcher -- */

int tti_pmi_node_of(int rank)
{
    return rank <= LONE_NEIGHBOUR ? 0 : rank - 1;
}

int tti_pmi_fence(bool collect)
{
    (void)collect;
    return 0;
}

int tti_pmi_farewell_begin(void (*notify)(void))
{
    (void)notify;
    return TTI_PMI_FAREWELL_OVER;
}

bool tti_pmi_farewell_test(void)
{
    return true;
}

void tti_pmi_farewell_end(void)
{
}

int tti_pmi_dead_rank(void)
{
    return -1;
}

bool tti_pmi_has_died(int rank)
{
    (void)rank;
    return false;
}

void tti_pmi_abort(int code, const char *why)
{
    fprintf(stderr, "abort with status %d: %s\n", code, why);
    abort();
}

/* -- the exchange of a window's parts -- */

int tti_rma_exchange(tutti_comm *comm, tti_rma_part *own, tti_rma_part *parts)
{
    EXPECT(own->failed == 0 && parts != NULL);
    for (int i = 0; i < comm->size; i++) {
        parts[i] = *own;
        parts[i].exposed = 0;
        parts[i].memory = 0;
    }
    return 0;
}

int tti_rma_barrier(tutti_comm *comm)
{
    return comm->size == LONE_RANKS ? 0 : TUTTI_ERR_ARG;
}

/* -- the rank -- */

void lone_open(void)
{
    memset(&lone, 0, sizeof lone);
    memset(transfers, 0, sizeof transfers);
    EXPECT(tti_comm_open_world(0, LONE_RANKS, &lone.world) == 0);
    EXPECT(tti_p2p_open(&job) == 0 && tti_rma_open(&job) == 0);
    tti_run_watch();
    tti_set_open(true);
    EXPECT(tutti_window_create(lone.world, lone.memory, LONE_WINDOW, &lone.window) == 0);
}

void lone_receive(int rank, const void *packet, size_t bytes)
{
    void *exact = malloc(bytes > 0 ? bytes : 1);
    EXPECT(exact != NULL);
    if (bytes > 0) memcpy(exact, packet, bytes);
    tti_packet_arrived(rank, rank == LONE_NEIGHBOUR ? TTI_WAY_NODE : TTI_WAY_FABRIC, exact, bytes);
    free(exact);
}

void lone_finish_bulk(void)
{
    for (int i = 0; i < TRANSFERS; i++)
        if (transfers[i].op != NULL && transfers[i].end == 0) transfers[i].end = 1;
    tti_progress_all();
}

void lone_end_all(void)
{
    lone.full = false;
    for (int rank = 1; rank < LONE_RANKS; rank++)
        tti_p2p_peer_died(rank, NULL);
    for (int i = 0; i < 10; i++)
        lone_finish_bulk();
}

void lone_close(void)
{
    lone_end_all();
    tti_set_open(false);
    tti_rma_close();
    tti_p2p_close();
    tti_comm_release(lone.world);
}
