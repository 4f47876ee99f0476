/* SPDX-License-Identifier: BSD-3-Clause */
/* On which processors the node's ranks have their turns, and who had better move to another. As long as no
 * stranger computes here each has a share, and goes to it at once where that makes them more equal; then one
 * at a time goes to where the fewest are. Times are rough ns (base/clock.h); processors that have numbers
 * beyond the set's are as good as unknown. */
#include "runtime/node/places.h"

#include "runtime/node/processors.h"
#include "runtime/node/segment.h"

/* As a place; else it is the processor's number and 1. Who has shown none yet is likely to compute. */
#define UNKNOWN 0
#define ASLEEP (-1)
/* A rank that moves makes its processor's ranks one fewer and another's one more: with less than that between
 * them nothing is gained. */
#define GAIN_LEAST 2
/* After a stranger was seen one rank moves at a time: where it comes to may show that no other should follow.
 */
#define MOVES_APART_NS 4000000
/* How long nobody moves after a stranger was seen: at first, and at most. Twice as long as the last time,
 * where that ended less than so many times its length ago. */
#define STILL_LEAST_NS 20000000
#define STILL_MOST_NS INT64_C(16000000000)
#define STILL_AFTER 4
/* All move at once again when no stranger was seen for so long. */
#define QUIET_NS 1000000000

static int64_t load(_Atomic int64_t *time)
{
    return atomic_load_explicit(time, memory_order_relaxed);
}

static int load_place(const tti_node *node, int peer)
{
    return atomic_load_explicit(&tti_node_card_of(node, peer)->place, memory_order_relaxed);
}

/* Not so of processes in reserve that nobody has needed yet, and of who has left or died. */
static bool takes_part(const tti_node *node, int peer)
{
    tti_node_card *card = tti_node_card_of(node, peer);
    if (node->contacts[peer].gone || atomic_load(&card->left)) return false;
    return peer < node->expected || atomic_load(&card->pid) != 0;
}

/* TTI_NODE_NOWHERE if it is not known, or none. */
static int place_of(const tti_node *node, int peer)
{
    const int place = takes_part(node, peer) ? load_place(node, peer) : UNKNOWN;
    return place > UNKNOWN && place <= CPU_SETSIZE ? place - 1 : TTI_NODE_NOWHERE;
}

static bool may_use(const tti_node *node, int peer, int cpu)
{
    const tti_node_card *card = tti_node_card_of(node, peer);
    return atomic_load(&card->pid) != 0 && CPU_ISSET(cpu, &card->cpus);
}

void tti_node_note_place(const tti_node *node, int cpu)
{
    const int place = cpu == TTI_NODE_NOWHERE ? ASLEEP : cpu < CPU_SETSIZE ? cpu + 1 : UNKNOWN;
    atomic_store_explicit(&tti_node_card_of(node, node->index)->place, place, memory_order_relaxed);
}

/* A rank that has had no turn since then may have computed meanwhile, and on any processor. */
static bool all_had_turns(const tti_node *node, int64_t since)
{
    for (int peer = 0; peer < node->ranks; peer++)
        if (peer != node->index && takes_part(node, peer) && load_place(node, peer) != ASLEEP &&
            load(&tti_node_card_of(node, peer)->turn_ended) < since)
            return false;
    return true;
}

/* Of the times in which nobody is to move the one that ends last: the card of the rank that has shown it. */
static tti_node_card *last_still(const tti_node *node)
{
    tti_node_card *last = tti_node_card_of(node, 0);
    for (int peer = 1; peer < node->ranks; peer++) {
        tti_node_card *card = tti_node_card_of(node, peer);
        if (load(&card->still_until) > load(&last->still_until)) last = card;
    }
    return last;
}

void tti_node_note_loss(const tti_node *node, int64_t since, int64_t now)
{
    if (!all_had_turns(node, since)) return;
    tti_node_card *last = last_still(node), *own = tti_node_card_of(node, node->index);
    const int64_t until = load(&last->still_until);
    int64_t length = load(&last->still_for);
    if (until + STILL_AFTER * length <= now)
        length = STILL_LEAST_NS;
    else if (until <= now && length < STILL_MOST_NS)
        length *= 2;
    atomic_store_explicit(&own->still_for, length, memory_order_relaxed);
    atomic_store_explicit(&own->still_until, now + length, memory_order_relaxed);
}

/* Who may move now. */
enum movers { NOBODY, ONE, ALL };

/* Counts the ranks of each processor. */
static enum movers survey(const tti_node *node, int64_t now, int ranks[CPU_SETSIZE])
{
    bool moved = false, still = false, was_still = false;
    for (int peer = 0; peer < node->ranks; peer++) {
        tti_node_card *card = tti_node_card_of(node, peer);
        const int place = place_of(node, peer);
        const int64_t until = load(&card->still_until);
        if (place >= 0) ranks[place]++;
        moved = moved || load(&card->moved) + MOVES_APART_NS > now;
        still = still || until > now;
        was_still = was_still || until + QUIET_NS > now;
    }
    if (!was_still) return ALL;
    return still || moved ? NOBODY : ONE;
}

/* Whether all may use the same processors, and are more than these. */
static bool share_alike(const tti_node *node)
{
    const cpu_set_t *own = &tti_node_card_of(node, node->index)->cpus;
    const int cpus = CPU_COUNT(own);
    if (!tti_node_all_here(node) || cpus == 0 || cpus >= node->expected) return false;
    for (int peer = 0; peer < node->expected; peer++)
        if (!CPU_EQUAL(own, &tti_node_card_of(node, peer)->cpus)) return false;
    return node->index < node->expected;
}

/* The processor that is this rank's where neighbours share one, as evenly as it goes. */
static int own_share(const tti_node *node)
{
    const cpu_set_t *own = &tti_node_card_of(node, node->index)->cpus;
    int before = node->index * CPU_COUNT(own) / node->expected, cpu = 0;
    while (!CPU_ISSET(cpu, own) || before-- > 0)
        cpu++;
    return cpu;
}

/* Of the processors that this rank may use one with the fewest ranks. */
static int emptiest(const tti_node *node, const int *ranks)
{
    const cpu_set_t *own = &tti_node_card_of(node, node->index)->cpus;
    int best = TTI_NODE_NOWHERE;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, own) && (best < 0 || ranks[cpu] < ranks[best])) best = cpu;
    return best;
}

/* Whether no lower rank of the processor could go there in this one's stead. */
static bool is_next(const tti_node *node, int here, int there)
{
    for (int peer = 0; peer < node->index; peer++)
        if (place_of(node, peer) == here && may_use(node, peer, there)) return false;
    return true;
}

/* Whatever the others do meanwhile: no rank leaves its share again, and where more are than elsewhere there
 * is one that is not at its share and finds fewer there. */
static int better_share(const tti_node *node, const int *ranks, int here)
{
    const int there = own_share(node);
    return ranks[here] > ranks[there] ? there : TTI_NODE_NOWHERE;
}

static int better_place(const tti_node *node, const int *ranks, int here)
{
    const int there = emptiest(node, ranks);
    const bool better = there >= 0 && ranks[here] - ranks[there] >= GAIN_LEAST && is_next(node, here, there);
    return better ? there : TTI_NODE_NOWHERE;
}

int tti_node_take_place(const tti_node *node, int64_t now)
{
    int ranks[CPU_SETSIZE] = {0};
    const int here = place_of(node, node->index);
    const enum movers may = survey(node, now, ranks);
    if (here < 0 || may == NOBODY) return TTI_NODE_NOWHERE;
    const bool at_once = may == ALL && share_alike(node);
    const int there = at_once ? better_share(node, ranks, here) : better_place(node, ranks, here);
    if (there == TTI_NODE_NOWHERE) return there;
    tti_node_note_place(node, there);
    atomic_store_explicit(&tti_node_card_of(node, node->index)->moved, now, memory_order_relaxed);
    return there;
}
