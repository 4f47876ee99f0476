/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/p2p/lone_rank.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/execute/run_state.h"
#include "runtime/base/options.h"
#include "runtime/node/arena.h"
#include "runtime/node/bell.h"
#include "runtime/node/death_watch.h"
#include "runtime/node/decline.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/order.h"
#include "runtime/node/places.h"
#include "runtime/node/processors.h"
#include "runtime/node/shared_copy.h"
#include "runtime/node/single_copy.h"
#include "runtime/node/view.h"
#include "runtime/p2p/packet_check.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma.h"
#include "runtime/rma/window_exchange.h"
#include "tests/unit/expect.h"

lone_rank lone;

struct tti_node {
    int unused;
};

static struct tti_node node;
static const tti_crossings crossings;
static const int local_ranks[] = {0, LONE_NEIGHBOUR};
static const tti_job job = {
    .size = LONE_RANKS, .nodes = 3, .local_size = 2, .local_ranks = local_ranks, .launcher = "test"};

int lone_keep(int rank, size_t most, const void *head, size_t head_bytes, const void *body, size_t body_bytes)
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

bool tti_node_has_come(const tti_node *of, int peer)
{
    (void)of;
    (void)peer;
    return true;
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

bool tti_node_is_stopped(const tti_node *of, int peer)
{
    return of != &node || peer > 1;
}

bool tti_node_has_ended(tti_node *of, int peer); /* of runtime/node/segment.h, where the node is another */
bool tti_node_has_ended(tti_node *of, int peer)
{
    return of != &node || peer > 1;
}

tti_node_deaths *tti_node_deaths_open(const tti_node *of, tti_node_death_fn *died)
{
    EXPECT(of == &node && died != NULL);
    return NULL;
}

bool tti_node_deaths_are_all_heard(const tti_node_deaths *deaths)
{
    (void)deaths;
    return false;
}

void tti_node_deaths_close(tti_node_deaths *deaths)
{
    EXPECT(deaths == NULL);
}

void tti_node_deaths_expect(tti_node_deaths *deaths)
{
    EXPECT(deaths == NULL);
}

int tti_node_expected(const tti_node *of)
{
    return of == &node ? 2 : 0;
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

size_t tti_node_fetch_least(tti_node *of, int peer)
{
    EXPECT(of == &node && peer == 1);
    return crossings.fetch;
}

int tti_node_send(tti_node *of, int peer, const void *head, size_t head_bytes, const void *body,
                  size_t body_bytes)
{
    EXPECT(of == &node && peer == 1);
    return lone_keep(LONE_NEIGHBOUR, TTI_NODE_PACKET_MAX, head, head_bytes, body, body_bytes);
}

bool tti_node_is_behind(tti_node *of, int peer)
{
    return of != &node || peer != 1;
}

static struct {
    const void *packet; /* NULL: none */
    size_t bytes;
} on_the_way;

void lone_receive_later(const void *packet, size_t bytes)
{
    on_the_way.packet = packet;
    on_the_way.bytes = bytes;
}

int tti_node_poll(tti_node *of, int limit, tti_node_packet_fn *handle, void *context)
{
    EXPECT(of == &node && limit > 0 && handle != NULL && context == NULL);
    const void *packet = on_the_way.packet;
    if (packet == NULL) return 0;
    on_the_way.packet = NULL;
    handle(context, 1, packet, on_the_way.bytes);
    return 1;
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

void tti_node_mem_forget(tti_node *of, int peer)
{
    (void)of;
    (void)peer;
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

void tti_node_note_turn(const tti_node *of, int64_t ended, int64_t took)
{
    EXPECT(of == &node && ended > 0 && took >= 0);
}

void tti_node_note_place(const tti_node *of, int cpu)
{
    EXPECT(of == &node && cpu >= TTI_NODE_NOWHERE);
}

void tti_node_note_loss(const tti_node *of, int64_t since, int64_t now)
{
    EXPECT(of == &node && since < now);
}

int tti_node_take_place(const tti_node *of, int64_t now)
{
    EXPECT(of == &node && now > 0);
    return TTI_NODE_NOWHERE;
}

int64_t tti_node_turns(const tti_node *of, int64_t since, int64_t most)
{
    EXPECT(of == &node && since > 0 && most > 0);
    return 0;
}

void tti_node_order_begin(tti_node *of)
{
    EXPECT(of == &node);
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

void tti_pmi_introduce(int rank)
{
    EXPECT(rank < 0);
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
    lone_forget_bulk();
    EXPECT(tti_comm_open_world(0, LONE_RANKS, 0, &lone.world) == 0);
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

uint32_t lone_announced(int rank)
{
    EXPECT(lone.last[rank].bytes == sizeof(tti_packet_rts));
    return ((const tti_packet_rts *)(const void *)lone.last[rank].at)->send_id;
}

void lone_end_all(void)
{
    lone.full = false;
    for (int rank = 1; rank < LONE_RANKS; rank++)
        tti_lost_peer_died(rank, NULL);
    for (int i = 0; i < 10; i++)
        lone_finish_bulk();
}

void lone_leave(void)
{
    tti_set_open(false);
    tti_rma_close();
    tti_p2p_close();
    tti_comm_release(lone.world);
}

void lone_close(void)
{
    lone_end_all();
    lone_leave();
}
