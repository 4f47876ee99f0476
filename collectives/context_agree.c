/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/context_agree.h"

#include "collectives/call.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "tutti/collectives.h"

/* Threads of a rank may agree on several communicators at once, with each other's ranks in any combination.
 * The free contexts are therefore offered by one agreement at a time; another one offers none, which makes
 * all its ranks try again. On each rank the one on the lowest parent context goes first, so that they cannot
 * keep each other from succeeding for ever. */
typedef struct candidate {
    struct candidate *next;
    uint32_t parent;
} candidate;

static candidate *candidates;
static const candidate *offering;

static void enlist(candidate *me, uint32_t parent)
{
    me->parent = parent;
    me->next = candidates;
    candidates = me;
}

static void delist(candidate *me)
{
    candidate **at = &candidates;
    while (*at != me)
        at = &(*at)->next;
    *at = me->next;
    if (offering == me) offering = NULL;
}

static bool may_offer(const candidate *me)
{
    if (offering != NULL) return offering == me;
    for (const candidate *c = candidates; c != NULL; c = c->next)
        if (c->parent < me->parent) return false;
    return true;
}

/* Bits of the last word: what is so at every rank. */
#define OFFERED 1
#define ABLE 2

static int judge(const char *name, const uint64_t common[TTI_COMM_MASK_WORDS + 1], tutti_comm *made)
{
    const uint64_t all = common[TTI_COMM_MASK_WORDS];
    if ((all & ABLE) == 0)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: a rank has no memory for the communicator", name);
    if ((all & OFFERED) == 0) return 1;
    return made != NULL ? tti_comm_take_context(common, &made->context) : 0;
}

/* One attempt: 0, 1 to try again, or an error. */
static int attempt(tutti_comm *comm, const char *name, candidate *me, bool able, tutti_comm *made)
{
    uint64_t mine[TTI_COMM_MASK_WORDS + 1] = {0}, common[TTI_COMM_MASK_WORDS + 1];
    tti_call call;
    if (may_offer(me)) {
        offering = me;
        tti_p2p_expect_context(true);
        tti_comm_free_contexts(mine);
        mine[TTI_COMM_MASK_WORDS] = OFFERED;
    }
    if (able) mine[TTI_COMM_MASK_WORDS] |= ABLE;
    int code = tti_call_allreduce(&call, name, comm, mine, common, TTI_COMM_MASK_WORDS + 1, TUTTI_UINT64,
                                  TUTTI_BAND);
    code = tti_call_block_locked(code, &call);
    if (code == 0) code = judge(name, common, made);
    if (offering == me) {
        offering = NULL;
        tti_p2p_expect_context(false);
    }
    return code;
}

int tti_context_agree(tutti_comm *comm, const char *call, bool able, tutti_comm *made)
{
    candidate me;
    int code;
    enlist(&me, comm->context);
    do
        code = attempt(comm, call, &me, able, made);
    while (code > 0);
    delist(&me);
    return code;
}
