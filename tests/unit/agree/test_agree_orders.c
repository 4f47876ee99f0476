/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine of agreement (collectives/agree/agree_state.c) in every order in which things can happen: ranks
 * begin when they like; each pair's messages come in order, however late, and not at all behind the moment in
 * which the receiver hears of the sender's death, or behind it; ranks die between any two things that they
 * do, also in the midst of telling several others, for what had not come when the death is heard of may count
 * as lost; others hear of it at any later time. A rank that has all decisions may leave: what it sent comes,
 * then the word that it has left.
 *
 * Nobody may wait when nothing more can come, and all that live or have left must have decided the same: what
 * everyone of them has said, and that of nobody who is not among the failed left out. The connection of two
 * that live may also break, with what is on its way: each of the two hears some time that the other is dead,
 * and whoever is cast out is told some time. All that are left in the end have decided the same, too, unless
 * others die or leave meanwhile.
 *
 *     test_agree_orders [ranks arity deaths leaving agreements partings asking]: one setting, with numbers
 *
 * Asking: 1 if ranks ask those below them in the first agreement, as where one may have freed the
 * communicator. As arity stand also the parents of ranks 1 and on in a tree, as digits, behind a minus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/agree/agree_state.h"
#include "collectives/agree/agree_tree.h"
#include "tests/unit/agree/seen.h"

#define RANKS 5
#define QUEUE 8 /* messages under way from one rank to one other */
#define SETS (1 + 4 * TTI_AGREE_ROUNDS)

typedef struct {
    uint8_t message, number, flags, failed, noted, offer;
} mail;

typedef struct {
    uint8_t count;
    mail queue[QUEUE];
} way;

/* Everything: what is to come depends on this alone. */
typedef struct {
    uint8_t alive, left;               /* bit by rank */
    uint8_t deaths, leaving, partings; /* that may still be */
    uint8_t broken[RANKS];             /* each rank's bits: to whom its connection has broken */
    uint8_t tellers[RANKS];            /* who has cast it out: the word is on its way */
    tti_agree_state ranks[RANKS];
    uint64_t memory[RANKS][SETS];
    way ways[RANKS][RANKS]; /* from, to */
} world_state;

static struct {
    int ranks, arity, deaths, leaving, agreements, partings, asking;
} setting;
static tti_agree_branch tree[RANKS];
static seen_set seen;
static world_state now; /* that events change */

static void fail(const char *what)
{
    fprintf(stderr, "%d ranks, arity %d, %d deaths, %d leaving, %d agreements: %s\n", setting.ranks,
            setting.arity, setting.deaths, setting.leaving, setting.agreements, what);
    for (int r = 0; r < setting.ranks; r++) {
        const tti_agree_state *s = &now.ranks[r];
        fprintf(stderr, " rank %d: %s, in agreement %d, has heard of deaths %02x\n", r,
                now.alive >> r & 1  ? "lives"
                : now.left >> r & 1 ? "has left"
                                    : "is dead",
                (int)s->number, (unsigned)s->dead[0]);
        for (uint64_t n = 1; n <= s->number; n++) {
            const tti_agree_value *v = tti_agree_decision(s, n);
            if (v != NULL)
                fprintf(stderr, "   %d: flags %02x failed %02x noted %d offer %d\n", (int)n,
                        (unsigned)v->flags, (unsigned)v->failed[0], v->noted, (int)v->offer);
        }
    }
    exit(1);
}

static bool lives(int rank)
{
    return (now.alive >> rank & 1) != 0;
}

static void deliver_later(void *context, int to, enum tti_agree_message message, uint64_t number,
                          const tti_agree_value *value)
{
    const int from = ((const tti_agree_state *)context)->rank;
    way *w = &now.ways[from][to];
    if (from == to || tti_agree_has(now.ranks[from].dead, to))
        fail("a message to oneself, or to one known dead");
    if (!lives(to) || (now.broken[from] >> to & 1) != 0) return;
    if (w->count == QUEUE) fail("more messages under way than a pair ever has");
    w->queue[w->count++] = (mail){(uint8_t)message,          (uint8_t)number, (uint8_t)value->flags,
                                  (uint8_t)value->failed[0], value->noted,    (uint8_t)value->offer};
}

static void cast_out(void *context, int rank)
{
    const int by = ((const tti_agree_state *)context)->rank;
    if (lives(rank)) now.tellers[rank] |= (uint8_t)(1U << by);
}

/* A copy's sets are its own. */
static void settle(world_state *w)
{
    for (int r = 0; r < setting.ranks; r++) {
        tti_agree_state *s = &w->ranks[r];
        uint64_t *at = w->memory[r];
        s->dead = at++;
        s->context = s;
        for (int i = 0; i < TTI_AGREE_ROUNDS; i++) {
            s->rounds[i].heard = at++;
            s->rounds[i].asked = at++;
            s->rounds[i].askers = at++;
            s->rounds[i].value.failed = at++;
        }
    }
}

/* What the state is, without addresses. */
static size_t pack(const world_state *w, uint8_t *out)
{
    uint8_t *at = out;
    *at++ = w->alive, *at++ = w->left, *at++ = w->deaths, *at++ = w->leaving, *at++ = w->partings;
    for (int r = 0; r < setting.ranks; r++) {
        *at++ = w->broken[r], *at++ = w->tellers[r];
        const tti_agree_state *s = &w->ranks[r];
        if ((w->alive >> r & 1) == 0 && (w->left >> r & 1) == 0) continue; /* it will do nothing any more */
        *at++ = (uint8_t)s->number, *at++ = (uint8_t)s->dead[0];
        for (int i = 0; i < TTI_AGREE_ROUNDS; i++) {
            const tti_agree_round *o = &s->rounds[i];
            *at++ =
                (uint8_t)(o->begun | o->any << 1 | o->decided << 2 | o->value.noted << 3 | o->number << 4);
            *at++ = (uint8_t)(o->told + 1), *at++ = (uint8_t)o->heard[0], *at++ = (uint8_t)o->asked[0],
            *at++ = (uint8_t)o->askers[0];
            *at++ = (uint8_t)o->value.flags;
            *at++ = (uint8_t)o->value.failed[0], *at++ = (uint8_t)o->value.offer;
        }
    }
    for (int i = 0; i < setting.ranks; i++)
        for (int j = 0; j < setting.ranks; j++) {
            const way *v = &w->ways[i][j];
            *at++ = v->count;
            memcpy(at, v->queue, v->count * sizeof(mail));
            at += v->count * sizeof(mail);
        }
    return (size_t)(at - out);
}

static const tti_agree_value *decision(int rank, int number)
{
    return tti_agree_decision(&now.ranks[rank], (uint32_t)number);
}

/* Those that live or have left well have decided the same. */
static void check_same(void)
{
    for (int n = 1; n <= setting.agreements; n++) {
        const tti_agree_value *first = NULL;
        for (int r = 0; r < setting.ranks; r++) {
            const tti_agree_value *v = decision(r, n);
            if (v == NULL || (!lives(r) && (now.left >> r & 1) == 0)) continue;
            if (first == NULL) first = v;
            if (v->flags != first->flags || v->failed[0] != first->failed[0] || v->noted != first->noted ||
                v->offer != first->offer)
                fail("two have decided differently");
            const unsigned all = (1U << setting.ranks) - 1, silent = (unsigned)v->flags & all;
            if ((silent & ~v->failed[0]) != 0) fail("a rank that has not failed was not heard");
            if ((v->failed[0] & now.alive) != 0) fail("a living rank is among the failed");
        }
    }
}

static void check_end(void)
{
    const bool alone = setting.partings == 1 && setting.deaths == 0 && setting.leaving == 0;
    if (setting.partings == 0 || alone) check_same();
    for (int r = 0; r < setting.ranks; r++)
        if (lives(r) && decision(r, setting.agreements) == NULL) fail("a rank waits for ever");
}

static bool may_begin(int rank)
{
    const tti_agree_state *s = &now.ranks[rank];
    return lives(rank) && (int)s->number < setting.agreements &&
           (s->number == 0 || decision(rank, (int)s->number) != NULL);
}

static void begin(int rank)
{
    tti_agree_state *s = &now.ranks[rank];
    uint64_t failed = s->dead[0];
    const tti_agree_value said = {.flags = ~(UINT64_C(1) << rank),
                                  .offer = (uint64_t)rank + 1,
                                  .kind = s->number,
                                  .noted = true,
                                  .failed = &failed};
    tti_agree_begin(s, &said);
    if (setting.asking && s->number == 1) tti_agree_ask_below(s);
}

static void deliver(int from, int to)
{
    way *w = &now.ways[from][to];
    mail m = w->queue[0];
    memmove(w->queue, w->queue + 1, --w->count * sizeof(mail));
    memset(&w->queue[w->count], 0, sizeof(mail));
    uint64_t failed = m.failed;
    tti_agree_value value = {.flags = m.flags | ~UINT64_C(0xff),
                             .offer = m.offer,
                             .kind = m.number - 1U,
                             .noted = m.noted,
                             .failed = &failed};
    if (!tti_agree_heard(&now.ranks[to], from, (enum tti_agree_message)m.message, m.number, &value))
        fail("a message of an agreement that cannot be yet");
    if (now.ranks[to].rounds[m.number % TTI_AGREE_ROUNDS].value.kind == TTI_AGREE_MIXED) fail("mixed kinds");
}

/* What it sent may still come; what is sent to it does not matter. */
static void end(int rank)
{
    now.alive &= (uint8_t) ~(1U << rank);
    for (int from = 0; from < setting.ranks; from++)
        now.ways[from][rank].count = 0;
}

static void leave(int rank)
{
    tti_agree_leave(&now.ranks[rank]);
    now.leaving--;
    now.left |= (uint8_t)(1U << rank);
    end(rank);
}

static bool is_broken(int a, int b)
{
    return (now.broken[a] >> b & 1) != 0;
}

/* What is on its way between the two is lost. */
static void part(int a, int b)
{
    now.partings--;
    now.broken[a] |= (uint8_t)(1U << b);
    now.broken[b] |= (uint8_t)(1U << a);
    memset(&now.ways[a][b], 0, sizeof(way));
    memset(&now.ways[b][a], 0, sizeof(way));
}

/* Who holds the teller for dead does not listen to it. */
static void hear_verdict(int teller, int rank)
{
    now.tellers[rank] &= (uint8_t) ~(1U << teller);
    if (!tti_agree_has(now.ranks[rank].dead, teller)) end(rank);
}

enum event { BEGIN, DELIVER, NOTICE, VERDICT, DIE, LEAVE, PART, EVENTS };

/* Does the event if it is possible. */
static bool happens(enum event event, int a, int b)
{
    switch (event) {
    case BEGIN:
        if (b != 0 || !may_begin(a)) return false;
        begin(a);
        return true;
    case DELIVER:
        if (a == b || !lives(b) || now.ways[a][b].count == 0) return false;
        deliver(a, b);
        return true;
    case NOTICE: /* of a's end at b */
        if ((lives(a) && !is_broken(a, b)) || !lives(b) || tti_agree_has(now.ranks[b].dead, a)) return false;
        if ((now.left >> a & 1) != 0 && now.ways[a][b].count > 0) return false;
        tti_agree_died(&now.ranks[b], a);
        return true;
    case VERDICT:
        if (!lives(b) || (now.tellers[b] >> a & 1) == 0) return false;
        hear_verdict(a, b);
        return true;
    case PART:
        if (a >= b || now.partings == 0 || !lives(a) || !lives(b) || is_broken(a, b)) return false;
        part(a, b);
        return true;
    case DIE:
        if (b != 0 || now.deaths == 0 || !lives(a)) return false;
        now.deaths--;
        end(a);
        return true;
    default: /* LEAVE */
        if (b != 0 || now.leaving == 0 || !lives(a) || decision(a, setting.agreements) == NULL) return false;
        leave(a);
        return true;
    }
}

static void set(const world_state *at)
{
    now = *at;
    settle(&now);
}

static void explore(const world_state *at)
{
    uint8_t packed[4096];
    bool more = false;
    for (int event = 0; event < EVENTS; event++)
        for (int a = 0; a < setting.ranks; a++)
            for (int b = 0; b < setting.ranks; b++) {
                set(at);
                if (!happens((enum event)event, a, b)) continue;
                more = more || event < DIE;
                if (setting.partings == 0) check_same();
                const world_state next = now;
                if (seen_add(&seen, packed, pack(&next, packed))) explore(&next);
            }
    set(at);
    if (!more) check_end();
}

static void plant(void)
{
    int digits = -setting.arity;
    for (int r = setting.ranks - 1; r > 0; r--, digits /= 10)
        tree[r].parent = setting.arity > 0 ? (r - 1) / setting.arity : digits % 10;
    tree[0].parent = -1;
    tti_agree_grow(tree, setting.ranks);
}

static void run(const int *numbers)
{
    static world_state start;
    setting.ranks = numbers[0], setting.arity = numbers[1], setting.deaths = numbers[2];
    setting.leaving = numbers[3], setting.agreements = numbers[4], setting.partings = numbers[5];
    setting.asking = numbers[6];
    plant();
    memset(&start, 0, sizeof start);
    start.alive = (uint8_t)((1U << setting.ranks) - 1);
    start.deaths = (uint8_t)setting.deaths;
    start.leaving = (uint8_t)setting.leaving;
    start.partings = (uint8_t)setting.partings;
    for (int r = 0; r < setting.ranks; r++) {
        tti_agree_open(&start.ranks[r], r, setting.ranks, tree, start.memory[r]);
        start.ranks[r].send = deliver_later;
        start.ranks[r].cast_out = cast_out;
    }
    explore(&start);
    printf("%d ranks, arity %d, up to %d deaths, %d leaving, %d partings, %d agreements%s: %zu states\n",
           setting.ranks, setting.arity, setting.deaths, setting.leaving, setting.partings,
           setting.agreements, setting.asking ? ", asking" : "", seen.count);
    seen_free(&seen);
}

int main(int argc, char **argv)
{
    static const int settings[][7] = {
        {1, 2, 0, 0, 2},
        {2, 1, 1, 1, 3},
        {3, 1, 2, 1, 2},
        {3, 2, 2, 1, 2},
        {4, 1, 3, 0, 1},
        {4, 2, 3, 0, 1},
        {4, 3, 3, 0, 1},
        {4, 1, 2, 0, 2},
        {4, 2, 2, 0, 2},
        {4, 1, 1, 1, 2},
        {4, 2, 1, 1, 2},
        {4, 3, 1, 1, 2},
        {5, 1, 1, 0, 1},
        {5, 2, 2, 0, 1},
        {5, 4, 1, 0, 1},
        /* nodes of two ranks in a row, and another of one rank; the same, ranks dealt out in turn */
        {4, -2, 2, 0, 2},
        {4, -2, 1, 1, 2},
        {5, -20, 1, 0, 1},
        {5, -10, 1, 0, 1},
        /* the connection of two breaks */
        {3, 1, 0, 0, 2, 1},
        {3, 2, 0, 0, 2, 1},
        {4, 1, 0, 0, 2, 1},
        {4, 2, 0, 0, 2, 1},
        {4, 3, 0, 0, 2, 1},
        {4, -2, 0, 0, 2, 1},
        {5, 2, 0, 0, 1, 1},
        {5, -20, 0, 0, 1, 1},
        {5, -10, 0, 0, 1, 1},
        /* and more than that: nobody waits for ever */
        {3, 2, 1, 0, 2, 1},
        {4, 2, 0, 1, 1, 1},
        {4, 1, 1, 0, 1, 1},
        {4, 2, 0, 0, 1, 2},
        /* ranks ask those below them in the first */
        {3, 1, 2, 1, 2, 0, 1},
        {3, 2, 2, 1, 2, 0, 1},
        {4, 1, 1, 0, 1, 0, 1},
        {4, 2, 1, 0, 1, 0, 1},
        {4, 3, 1, 0, 1, 0, 1},
        {3, 2, 0, 0, 2, 1, 1},
        {4, 2, 0, 0, 1, 1, 1},
    };
    int one[7];
    if (argc != 1 && argc != 8) {
        fprintf(stderr, "%s: seven numbers, or none\n", argv[0]);
        return 2;
    }
    for (int i = 0; i + 1 < argc; i++)
        one[i] = atoi(argv[i + 1]);
    if (argc == 8)
        run(one);
    else
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            run(settings[i]);
    return 0;
}
