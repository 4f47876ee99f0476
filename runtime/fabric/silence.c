/* SPDX-License-Identifier: BSD-3-Clause */
/* What heartbeats mean for the fabric: whom they watch, and what silence ends. */
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

/* Ranks that are passed over at a time, at most, since they are known or need not be. */
#define GLANCES 64

static void (*silent)(int rank);

void tti_fabric_on_silence(void (*died)(int rank))
{
    silent = died;
}

static bool has_internet_address(const tti_fabric *fabric)
{
    return fabric->card.address_format == FI_SOCKADDR_IN || fabric->card.address_format == FI_SOCKADDR_IN6;
}

/* The others have gone on, perhaps with memory that this rank would write to: it ends though nobody may read
 * why. */
static void held_for_dead(int by)
{
    if (tti_log_takes_more())
        tti_log(TTI_LOG_ERROR,
                "rank %d heard nothing from this rank for longer than TUTTI_HEARTBEAT, as if it had been "
                "stopped or cut off, and the others go on without it: it ends",
                by);
    _exit(1);
}

int tti_fabric_open_heart(tti_fabric *fabric)
{
    const int64_t ns = tti_option_value(TTI_OPTION_HEARTBEAT);
    if (ns == 0 || (!has_internet_address(fabric) && fabric->job->nodes == 1)) return 0;
    if (!has_internet_address(fabric))
        return tti_fail(
            TUTTI_ERR_UNSUPPORTED,
            "TUTTI_HEARTBEAT needs a provider with internet addresses, such as tcp or net; %s has none",
            fabric->card.provider);
    const tti_heart_wishes wishes = {.silence_ns = ns,
                                     .rank = fabric->job->rank,
                                     .ranks = fabric->job->size,
                                     .host = fabric->card.host,
                                     .token = fabric->card.token,
                                     .address = (const struct sockaddr *)(const void *)fabric->card.address,
                                     .address_bytes = fabric->card.address_bytes,
                                     .lost = silent,
                                     .told = held_for_dead};
    return tti_heart_open(&wishes, &fabric->heart);
}

static bool is_to_be_watched(const tti_fabric *fabric, int rank)
{
    const tti_job *job = fabric->job;
    const tti_fabric_contact *contact = tti_fabric_find(fabric, rank);
    const bool done =
        contact != NULL && (contact->address != FI_ADDR_NOTAVAIL || contact->dead || contact->unfit);
    return !done && rank != job->rank && (job->nodes == 1 || tti_pmi_node_of(rank) != job->node);
}

/* A rank that this one only ever receives from must be watched, too. Those in reserve are watched from the
 * first message on. Nobody waits here for one that is late: the next follow, and when all have been looked
 * for those whose cards were missing are once more, until none is. */
void tti_fabric_watch_next(tti_fabric *fabric)
{
    const int world = tti_job_world(fabric->job);
    if (fabric->heart_next >= world) {
        if (fabric->heart_late == 0) return;
        fabric->heart_next = fabric->heart_late = 0;
    }
    for (int left = GLANCES; left > 0 && fabric->heart_next < world; left--) {
        const int rank = fabric->heart_next++;
        if (!is_to_be_watched(fabric, rank)) continue;
        fabric->heart_late += tti_fabric_look_for(fabric, rank);
        return;
    }
}
