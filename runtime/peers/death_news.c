/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* News of deaths for other nodes. The kernel tells those of the dead rank's own node; a launcher may tell everybody, or
 * nobody; and a connection that breaks tells only who sends. So who hears of a certain death for the first time
 * passes it on to the ranks that are 1, 2, 4, ... before and behind it in the job:
 *
 *     0  1  2  3  4  5  6  7       of 8 ranks, those that rank 0 tells: all others hear it from these.
 *     *  <  <     <     <  <
 *
 * That is log2 of the ranks each, and reaches all that live even if as many die meanwhile (binomial graph: Angskun,
 * Bosilca, Dongarra, "Binomial graph: a scalable and fault-tolerant logical network topology", ISPA'07). A peer that only cannot be
 * reached is no news: it may live. */
/* clang-format on */
#include "runtime/base/log.h"
#include "runtime/base/wire.h"
#include "runtime/node/death_watch.h"
#include "runtime/peers/peers.h"

/* Active message: the rank, 4 bytes. */
#define BYTES 4

static tti_death_news_fn *send_news;
static tti_node_deaths *death_watch;

/* Ranks of a node have equally many descriptors, as a rule; where these are too few to watch all, news go
 * round inside, too. */
static bool is_told_by_the_kernel(int rank, int dead)
{
    return tti_node_deaths_are_all_heard(death_watch) && tti_ways_node_index(rank) >= 0 &&
           tti_ways_node_index(dead) >= 0;
}

static void tell(int rank, int dead)
{
    uint8_t bytes[BYTES];
    tti_wire_out out = {.at = bytes, .end = bytes + BYTES};
    tti_wire_put_uint(&out, (uint64_t)dead, BYTES);
    if (rank == tti_peers.job->rank || tti_lost_is_dead(rank) || is_told_by_the_kernel(rank, dead)) return;
    send_news(rank, bytes, BYTES);
}

/* Processes in reserve are of one node: the kernel tells them. */
static void tell_of(int dead)
{
    const tti_job *job = tti_peers.job;
    const int64_t size = tti_job_world(job), self = job->rank;
    if (self >= size) return;
    for (int64_t distance = 1; distance < size; distance *= 2) {
        tell((int)((self + distance) % size), dead);
        tell((int)((self + size - distance) % size), dead);
    }
}

void tti_death_news_pass_on(void)
{
    for (int rank = 0; rank < tti_peers.job->size; rank++) {
        if (atomic_load(&tti_peers.certain[rank]) != TTI_NEWS_TO_PASS_ON) continue;
        atomic_store(&tti_peers.certain[rank], TTI_NEWS_OLD);
        atomic_fetch_sub(&tti_peers.news, 1);
        tell_of(rank);
    }
}

/* Any thread. */
static void note_certain(int job_rank)
{
    signed char none = TTI_NEWS_NONE;
    if (atomic_compare_exchange_strong(&tti_peers.certain[job_rank], &none, TTI_NEWS_TO_PASS_ON))
        atomic_fetch_add(&tti_peers.news, 1);
    tti_lost_peer_died(job_rank, NULL);
}

bool tti_death_news_heard(int job_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t dead = tti_wire_take_uint(&in, BYTES);
    (void)job_rank;
    if (in.failed || in.at != in.end || !tti_ways_is_peer(dead)) return false;
    note_certain((int)dead);
    return true;
}

static void died_on_node(int rank)
{
    tti_log(TTI_LOG_INFO, "the process of rank %d has ended without tutti_finalize()", rank);
    note_certain(rank);
}

void tti_death_news_introduce(int job_rank)
{
    tti_node_deaths_expect(death_watch);
    tti_pmi_introduce(job_rank);
}

void tti_death_news_open(tti_death_news_fn *send)
{
    send_news = send;
    if (tti_peers.node != NULL) death_watch = tti_node_deaths_open(tti_peers.node, died_on_node);
}

void tti_death_news_close(void)
{
    tti_node_deaths_close(death_watch);
    death_watch = NULL;
}
