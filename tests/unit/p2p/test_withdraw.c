/* SPDX-License-Identifier: BSD-3-Clause */
/* A send that is given up ends only when the node peer that was offered its data cannot read it any more:
 * when that peer has answered, has left or is dead. Rank 0 sends, each of the others is a receiver of one
 * kind. Before that: ranks of a node leave without a word to the launcher, but for one that wants them to
 * leave together. */
#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "runtime/node/single_copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

#define RANKS 5
#include "tests/patience.h"
#include "tests/unit/node/node_processes.h"

enum { SENDER, SLOW, QUICK, LEAVING, VICTIM };

#define BYTES 300000
#define TAG 3

static unsigned char data[BYTES];
static tutti_comm *world;

/* The rest of pmi, which a job without a fabric does not use. */
static int farewells;

int tti_pmi_farewell_begin(void (*notify)(void))
{
    (void)notify;
    farewells++;
    return TTI_PMI_FAREWELL_OVER;
}

bool tti_pmi_farewell_test(void)
{
    return true;
}

void tti_pmi_farewell_end(void)
{
}

int tti_pmi_ask(int rank, const char *key, int64_t timeout_ns, tti_pmi_question **question)
{
    EXPECT(rank < 0 && key == NULL && timeout_ns == 0 && question == NULL);
    return -1;
}

int tti_pmi_answer(tti_pmi_question *question, void *value, size_t *bytes)
{
    EXPECT(question == NULL && value == NULL && bytes == NULL);
    return -1;
}

void tti_pmi_forget(tti_pmi_question *question)
{
    EXPECT(question == NULL);
}

int tti_pmi_fence(bool collect)
{
    return collect ? 0 : -1;
}

int tti_pmi_node_of(int rank)
{
    return rank;
}

int tti_pmi_dead_rank(void)
{
    return -1;
}

bool tti_pmi_has_died(int rank)
{
    return rank < 0;
}

void tti_pmi_introduce(int rank)
{
    EXPECT(rank < 0);
}

void tti_pmi_abort(int code, const char *why)
{
    EXPECT(code == 0 && why == NULL);
}

static bool is_over(const void *argument)
{
    return ((const tti_blocking *)argument)->over;
}

static bool never(const void *argument)
{
    (void)argument;
    return false;
}

static bool has_message(const void *argument)
{
    (void)argument;
    return tti_p2p_engine.match.messages_waiting > 0;
}

static void offer(tti_blocking *b, int receiver)
{
    tti_blocking_open(b);
    EXPECT(tti_p2p_send(&b->op, world, TTI_SPACE_USER, TTI_SEND_STANDARD, data, BYTES, receiver, TAG) == 0);
}

static void expect_end(const tti_blocking *b, int error)
{
    tti_wait_for(is_over, b, "the test", PATIENCE_NS);
    EXPECT(b->over && b->op.error == error);
}

static void send_and_give_up(void)
{
    static tti_blocking sends[RANKS];
    for (int i = SLOW; i < RANKS; i++)
        offer(&sends[i], i);
    meet(0, 0); /* QUICK has read and the others have seen it before */
    for (int i = SLOW; i < RANKS; i++)
        tti_p2p_abandon(&sends[i].op);
    expect_end(&sends[QUICK], 0);
    tti_wait_for(never, NULL, "the test", 200000000);
    EXPECT(!sends[SLOW].over && !sends[LEAVING].over && !sends[VICTIM].over);
    meet(1, 0);
    expect_end(&sends[SLOW], TUTTI_ERR_CANCELLED);
    expect_end(&sends[LEAVING], TUTTI_ERR_CANCELLED);
    EXPECT(!sends[VICTIM].over);
    meet(3, RANKS - 2);
    tti_lost_peer_died(VICTIM, NULL); /* as the launcher tells; the kernel may be first */
    expect_end(&sends[VICTIM], TUTTI_ERR_PEER_FAILED);
    EXPECT(tti_progress_due.withdrawals == 0);
}

static int receive(void)
{
    tti_blocking b;
    static unsigned char room[BYTES];
    tti_blocking_open(&b);
    const int started = tti_p2p_recv(&b.op, world, TTI_SPACE_USER, room, BYTES, SENDER, TAG);
    const int code = tti_blocking_wait(&b, started, "test", TTI_NO_PEER);
    EXPECT(b.op.bytes == BYTES && room[BYTES - 1] == (code == 0 ? 7 : 0));
    return code;
}

static void take_offer(int index)
{
    tti_wait_until(has_message, NULL, "test", TTI_NO_PEER);
    if (index == QUICK) EXPECT(receive() == 0);
    meet(0, 0);
    meet(1, 0);
    if (index == VICTIM) {
        meet(3, RANKS - 2); /* with the sender, which still waits */
        raise(SIGKILL);
    }
    if (index != SLOW) return;
    while (tti_progress() == 0)
        continue;
    EXPECT(receive() == TUTTI_ERR_PEER_FAILED);
}

static void check_farewells(tti_job *job)
{
    tti_p2p_take_leave(0);
    EXPECT(farewells == 0);
    job->leaves_together = true;
    tti_p2p_take_leave(0);
    EXPECT(farewells == 1);
}

static void rank_main(int index)
{
    tti_job job = job_of(index);
    memset(data, 7, sizeof data);
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_comm_open_world(job.rank, job.size, 0, &world) == 0 && tti_p2p_open(&job) == 0);
    meet(2, 0); /* all can be asked for their memory */
    if (!tti_node_can_read(tti_peers.node, (index + 1) % RANKS)) SKIP("the kernel refuses process_vm_readv");
    if (index == SENDER)
        send_and_give_up();
    else
        take_offer(index);
    if (index == SENDER || index == SLOW) EXPECT(tti_p2p_drain(TTI_NS_PER_SECOND, false) == 0);
    check_farewells(&job);
    tti_p2p_close();
    tti_comm_release(world);
}

int main(void)
{
    setenv("TUTTI_TRANSPORT", "node", 1);
    setenv("TUTTI_SINGLE_LEAST", "1k", 1); /* QUICK reads by itself, whatever the machine measures */
    return run_processes(rank_main, VICTIM);
}
