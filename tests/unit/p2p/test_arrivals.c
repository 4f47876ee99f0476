/* SPDX-License-Identifier: BSD-3-Clause */
/* The first part of a long message finds it among all that nobody receives, without a look at the others:
 * their memory cannot even be read meanwhile. And messages that there is no memory for. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/packet_check.h"
#include "runtime/progress/progress.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define FAR 2 /* a rank over the fabric */
#define LONG 100000
#define FIRST 500
#define MESSAGES 100
#define LARGE 8192 /* more than records kept for reuse have room for */

static char buffer[LONG];
static bool apart; /* what is allocated has a page of its own */
static bool none;  /* there is no memory */

void *__wrap_malloc(size_t bytes);
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (none) return NULL;
    /* What the heap notes of the next one stands at the end. */
    return apart ? aligned_alloc(page, (bytes / page + 2) * page) : __real_malloc(bytes);
}

/* Each message has its number as its tag, and the next one as that of its send. */
static void offer(int message)
{
    const tti_packet_head head = tti_packet_head_for(TTI_PACKET_RTS, FAR, 0, message);
    const tti_packet_rts rts = {head, (uint32_t)message + 1, FIRST, LONG, 0};
    lone_receive(FAR, &rts, sizeof rts);
}

static void receive_first(int message)
{
    struct {
        tti_packet_sync sync;
        char data[FIRST];
    } first = {{tti_packet_head_for(TTI_PACKET_FIRST, FAR, 0, message), (uint32_t)message + 1, 0}, {0}};
    memset(first.data, 9, FIRST);
    lone_receive(FAR, &first, offsetof(__typeof__(first), data) + FIRST);
}

/* So does the receive for it not ask for that part. */
static void expect_kept(int message)
{
    tutti_request *request;
    EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, message, &request) == 0);
    const tti_packet_cts *cts = (const void *)lone.last[FAR].at;
    EXPECT(cts->head.kind == TTI_PACKET_CTS && cts->from == FIRST);
    lone_finish_bulk();
    EXPECT(tutti_wait(&request, NULL) == 0 && buffer[FIRST - 1] == 9);
}

static void find_without_looking_at_others(int wanted)
{
    tti_arrival *kept[MESSAGES];
    lone_open();
    apart = true;
    for (int i = 0; i < MESSAGES; i++)
        offer(i);
    apart = false;
    for (int i = 0; i < MESSAGES; i++)
        EXPECT((kept[i] = tti_arrival_awaited(FAR, (uint32_t)i + 1)) != NULL);
    for (int i = 0; i < MESSAGES; i++)
        EXPECT(mprotect(kept[i], sizeof *kept[i], i == wanted ? PROT_READ | PROT_WRITE : PROT_NONE) == 0);
    receive_first(wanted);
    for (int i = 0; i < MESSAGES; i++)
        EXPECT(mprotect(kept[i], sizeof *kept[i], PROT_READ | PROT_WRITE) == 0);
    expect_kept(wanted);
    lone_close();
}

static void send_large(bool is_kept)
{
    static struct {
        tti_packet_head head;
        char data[LARGE];
    } eager;
    eager.head = tti_packet_head_for(TTI_PACKET_EAGER, LONE_NEIGHBOUR, 0, 3);
    none = !is_kept;
    tti_packet_arrived(LONE_NEIGHBOUR, TTI_WAY_NODE, &eager, sizeof eager);
    none = false;
}

/* Its sender has left by the time it is asked for. */
static void what_was_dropped_was_not_left_out(void)
{
    lone_open();
    send_large(false);
    tti_departure_note(LONE_NEIGHBOUR);
    tti_progress_all();
    EXPECT(tutti_recv(lone.world, buffer, LONG, LONE_NEIGHBOUR, 3, NULL) == TUTTI_ERR_NO_MEMORY);
    EXPECT(strstr(tutti_error_detail(), "no memory to keep a message of") != NULL);
    lone_close();
}

/* What follows from the same sender, which dies before if it is `dead`, is received neither by a receive that
 * comes later nor by one that waits. What came before is. */
static void nothing_takes_its_place(bool dead)
{
    tutti_request *early;
    lone_open();
    send_large(true);
    if (dead) tti_lost_peer_died(LONE_NEIGHBOUR, NULL);
    send_large(false);
    send_large(true);
    EXPECT(tutti_recv(lone.world, buffer, LONG, LONE_NEIGHBOUR, 3, NULL) == 0);
    EXPECT(tutti_irecv(lone.world, buffer, LONG, LONE_NEIGHBOUR, 3, &early) == 0);
    send_large(true);
    const int lost = dead ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_NO_MEMORY;
    EXPECT(tutti_wait(&early, NULL) == lost);
    send_large(true);
    EXPECT(tutti_recv(lone.world, buffer, LONG, LONE_NEIGHBOUR, 3, NULL) == lost);
    lone_close();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    find_without_looking_at_others(MESSAGES - 1);
    find_without_looking_at_others(MESSAGES / 2);
    find_without_looking_at_others(0);
    what_was_dropped_was_not_left_out();
    nothing_takes_its_place(false);
    nothing_takes_its_place(true);
    return 0;
}
