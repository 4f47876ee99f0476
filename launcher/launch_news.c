/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks whose end cannot be judged yet. The main thread looks at them again and again and waits for nobody:
 * signals, time limits, output and the wishes of other ranks are heeded meanwhile. */
#include <sys/wait.h>

#include "launcher/launch.h"
#include "runtime/base/clock.h"

/* PMIx's thread needs this long at most to read what a rank said last: a rank that leaves waits for the
 * answer as a rule, so this is for those that gave up waiting while we were halted. The end of a connection
 * is not to be waited for: PMIx 4.2 tells of the first one of a job alone. */
#define NEWS_NS (2 * TTI_NS_PER_SECOND)

/* Plain programs never join; but once one has, the others are waited for. */
static bool may_be_missed(const tti_launch *launch, int rank)
{
    return rank < launch->world && launch->running > 0 && tti_server_first_joined() < 0;
}

/* A status that the rank chose needs no news, nor does one that we have asked to end. */
static bool is_open(const tti_launch *launch, int rank, int how)
{
    const enum tti_server_member member = tti_server_member_of(rank);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0 || launch->phase != TTI_PHASE_RUNNING) return false;
    return member == TTI_MEMBER_JOINED || (member == TTI_MEMBER_NEVER && may_be_missed(launch, rank));
}

bool tti_launch_awaits_news(tti_launch *launch, int rank, int how)
{
    if (!is_open(launch, rank, how)) return false;
    const bool joined = tti_server_member_of(rank) == TTI_MEMBER_JOINED;
    launch->ranks[rank].news_until = joined ? tti_clock_ns() + NEWS_NS : INT64_MAX;
    launch->unjudged++;
    return true;
}

void tti_launch_heed_news(tti_launch *launch, int64_t now)
{
    for (int i = 0; i < launch->count && launch->unjudged > 0; i++) {
        tti_rank *rank = &launch->ranks[i];
        if (rank->news_until == 0 || (now < rank->news_until && is_open(launch, i, 0))) continue;
        rank->news_until = 0;
        launch->unjudged--;
        tti_launch_judge(launch, i, 0);
        tti_launch_dismiss_spares(launch);
    }
}

int64_t tti_launch_news_deadline(const tti_launch *launch)
{
    int64_t deadline = INT64_MAX;
    for (int i = 0; i < launch->count && launch->unjudged > 0; i++) {
        const int64_t until = launch->ranks[i].news_until;
        if (until != 0 && until < deadline) deadline = until;
    }
    return deadline;
}
