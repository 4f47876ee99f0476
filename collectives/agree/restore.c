/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes in the places of dead ranks. The launcher decides which, once for each context that ranks agree
 * on, so that all who ask get the same (launcher/reserve.h); one that was asleep begins then, or is started.
 *
 *     survivors                                  launcher            new process
 *     agree on who has failed, and a context
 *     claim, each of them           ---->        decides   ---->     opens its ways to the others
 *     agree once more
 *     welcome: the context          ---------------------------->    asks the launcher for that claim
 *
 * Each survivor sends the welcome, for others may die before they do. Only then is it sure that the claim
 * holds: if somebody died before, another agreement and claim took its place. If they agree that one of them
 * cannot make the communicator, to whom the launcher gave no answer for instance, nobody makes it: then each
 * of them tells the launcher that what was claimed is free again, since nobody else will welcome it. */
#include "collectives/agree/restore.h"

#include <stdlib.h>
#include <string.h>

#include "pmi/pmi.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"

/* Claims are made one at a time; the first in the list is under way if `asked`. */
static tti_link waiting = {&waiting, &waiting};
static bool asked;

static bool is_lost(const void *restore, int rank)
{
    return tti_agree_has(((const tti_restore *)restore)->of->failed, rank);
}

bool tti_restore_is_new(const void *restore, int rank)
{
    const tti_restore *r = restore;
    return r->members[rank] != tti_comm_job_rank(r->of->comm, rank);
}

static int list_former(const tti_restore *r, int **former)
{
    *former = malloc((size_t)r->of->comm->size * sizeof **former);
    if (*former == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", r->of->name,
                        r->of->comm->size);
    for (int i = 0; i < r->of->comm->size; i++)
        (*former)[i] = tti_comm_job_rank(r->of->comm, i);
    return 0;
}

static int claim(const tti_restore *r)
{
    int *former;
    int code = list_former(r, &former);
    if (code < 0) return code;
    const tti_pmi_claim wish = {.context = r->of->context,
                                .instead = r->claimed,
                                .members = former,
                                .count = r->of->comm->size,
                                .is_lost = is_lost,
                                .of = r};
    code = tti_pmi_claim_begin(&wish, tti_sleep_interrupt);
    free(former);
    return code;
}

/* A claim for which this rank cannot ask others make all the same: the next one is in its stead. */
static int ask(tti_restore *r)
{
    if (r->returns) return tti_pmi_return_begin(r->claimed, tti_sleep_interrupt);
    const int code = claim(r);
    r->claimed = r->of->context;
    return code;
}

static void introduce(const tti_restore *r)
{
    for (int i = 0; i < r->of->comm->size; i++)
        if (tti_restore_is_new(r, i)) tti_death_news_introduce(r->members[i]);
}

/* The answer to the first that waits; TTI_PMI_NOT_YET. */
static int take_answer(tti_restore *r)
{
    int count = 0, dead = 0;
    int *members = NULL;
    const int code = tti_pmi_claim_test(&members, &count, &dead);
    if (code != 0) return code;
    if (count != r->of->comm->size) {
        free(members);
        return tti_fail(TUTTI_ERR_LAUNCH, "%s: the launcher gives %d processes for %d ranks", r->of->name,
                        count, r->of->comm->size);
    }
    r->members = members;
    introduce(r);
    return 0;
}

static int look(void);

static void end_turn(tti_restore *r, int code)
{
    tti_list_remove(&r->link);
    if (r->returns)
        r->given_back(r);
    else
        r->go_on(r, code);
}

/* Asks for the first that waits and has not been asked for. What cannot be asked goes on without. */
static void ask_next(void)
{
    while (!asked && !tti_list_empty(&waiting)) {
        tti_restore *r = TTI_OWNER(waiting.next, tti_restore, link);
        const int code = ask(r);
        asked = code == 0;
        if (!asked) end_turn(r, code);
    }
    tti_progress_look(TTI_LOOK_LAUNCHER, asked ? look : NULL);
}

static int look(void)
{
    tti_restore *r = TTI_OWNER(waiting.next, tti_restore, link);
    const int code = r->returns ? tti_pmi_return_test() : take_answer(r);
    if (code == TTI_PMI_NOT_YET) return 0;
    asked = false;
    end_turn(r, code);
    ask_next();
    return 1;
}

static void take_turn(tti_restore *r)
{
    tti_list_append(&waiting, &r->link);
    ask_next();
}

void tti_restore_claim(tti_restore *r)
{
    tti_restore_close(r);
    take_turn(r);
}

void tti_restore_give_back(tti_restore *r)
{
    r->returns = true;
    if (r->claimed == 0)
        r->given_back(r);
    else
        take_turn(r);
}

void tti_restore_close(tti_restore *r)
{
    free(r->members);
    r->members = NULL;
}

bool tti_restore_has_lost(const tti_restore *r)
{
    for (int i = 0; r->members != NULL && i < r->of->comm->size; i++)
        if (tti_restore_is_new(r, i) && (tti_lost_is_dead(r->members[i]) || tti_pmi_has_died(r->members[i])))
            return true;
    return false;
}

/* What cannot be sent others send. */
void tti_restore_welcome(const tti_restore *r)
{
    for (int i = 0; i < r->of->comm->size; i++) {
        if (!tti_restore_is_new(r, i) || tti_lost_is_dead(r->members[i])) continue;
        tti_am_send(r->members[i], TTI_AM_WELCOME, &r->of->context, sizeof r->of->context, NULL, 0);
    }
}
