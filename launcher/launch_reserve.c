/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that take the places of dead ranks: the launcher's part in starting and ending them. */
#include <signal.h>
#include <stdio.h>

#include "launcher/launch.h"
#include "launcher/reserve.h"
#include "runtime/base/clock.h"
#include "runtime/base/status.h"

/* Who was claimed by ranks that have ended since may still find their word that it is one of theirs. */
#define CLAIMED_GRACE_NS (10 * TTI_NS_PER_SECOND)

const char *tti_launch_name(const tti_launch *launch, int process, char *text)
{
    const int place = tti_reserve_place_of(process);
    if (process < launch->world)
        snprintf(text, 64, "rank %d", process);
    else if (place < 0)
        snprintf(text, 64, "spare %d", process);
    else
        snprintf(text, 64, "rank %d (in the place of %d)", process, place);
    return text;
}

/* One that cannot be started is dead to those that wait for it. */
void tti_launch_heed_births(tti_launch *launch)
{
    int process, place;
    while (launch->phase == TTI_PHASE_RUNNING && tti_reserve_next_birth(&process, &place)) {
        char who[64];
        const int status = tti_launch_start_for(launch, process, place);
        if (status == 0 && launch->command->verbose)
            tti_launch_say(launch, "started %s", tti_launch_name(launch, process, who));
        if (status == 0) continue;
        tti_launch_say(launch, "%s could not be started: %s", tti_launch_name(launch, process, who),
                       tutti_error_detail());
        tti_status_forget(); /* the job goes on */
        tti_reserve_died(process);
        tti_server_announce_death(process);
    }
}

/* Where nobody has claimed it nobody waits for it. */
bool tti_launch_judge_spare(tti_launch *launch, int process, const char *what)
{
    char who[64];
    if (process < launch->world) return false;
    const enum tti_reserve_state state = tti_reserve_state_of(process);
    if (state != TTI_RESERVE_FREE && !launch->ranks[process].dismissed) return false;
    tti_reserve_died(process);
    if (what == NULL || launch->ranks[process].dismissed || launch->phase != TTI_PHASE_RUNNING) return true;
    tti_launch_say(launch, "%s (pid %ld) %s; nobody had needed it", tti_launch_name(launch, process, who),
                   (long)launch->session.pids[process], what);
    return true;
}

static bool waits_for_a_place(const tti_launch *launch, int process, bool *claimed)
{
    const enum tti_reserve_state state = tti_reserve_state_of(process);
    *claimed = *claimed || state == TTI_RESERVE_CLAIMED;
    return process >= launch->world && (state == TTI_RESERVE_FREE || state == TTI_RESERVE_CLAIMED);
}

void tti_launch_dismiss_spares(tti_launch *launch)
{
    bool claimed = false;
    launch->spares_deadline = INT64_MAX;
    if (launch->count == launch->world || launch->running == 0) return;
    for (int i = 0; i < launch->count; i++) {
        const int64_t until = launch->ranks[i].news_until;
        const bool there = launch->ranks[i].pid != 0 || (until != 0 && until != INT64_MAX);
        if (there && !waits_for_a_place(launch, i, &claimed)) return;
    }
    const int64_t now = tti_clock_ns();
    if (claimed && launch->well > 0 && launch->claimed_since == 0) launch->claimed_since = now;
    if (claimed && launch->well > 0 && now < launch->claimed_since + CLAIMED_GRACE_NS) {
        launch->spares_deadline = launch->claimed_since + CLAIMED_GRACE_NS;
        return;
    }
    for (int i = launch->world; i < launch->count; i++) {
        if (launch->ranks[i].pid == 0) continue;
        launch->ranks[i].dismissed = true;
        kill(-launch->session.groups[i], SIGKILL);
    }
}
