/* SPDX-License-Identifier: BSD-3-Clause */
/* What heartbeats mean for the fabric: whom they watch, and what silence ends. */
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/fabric/fabric_state.h"

static void (*silent)(int rank);

void tti_fabric_on_silence(void (*died)(int rank))
{
    silent = died;
}

static bool has_internet_address(const tti_fabric *fabric)
{
    return fabric->card.address_format == FI_SOCKADDR_IN || fabric->card.address_format == FI_SOCKADDR_IN6;
}

/* The others have gone on, perhaps with memory that this rank would write to. */
static void held_for_dead(int by)
{
    tti_log(TTI_LOG_ERROR,
            "rank %d heard nothing from this rank for longer than TUTTI_HEARTBEAT, as if it had been stopped "
            "or cut "
            "off, and the others go on without it: it ends",
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
                                     .host = fabric->card.host,
                                     .token = fabric->card.token,
                                     .address = (const struct sockaddr *)(const void *)fabric->card.address,
                                     .address_bytes = fabric->card.address_bytes,
                                     .lost = silent,
                                     .told = held_for_dead};
    return tti_heart_open(&wishes, &fabric->heart);
}

/* A rank that this one only ever receives from must be watched, too. Those in reserve are watched from the
 * first message on. */
void tti_fabric_watch_next(tti_fabric *fabric)
{
    const tti_job *job = fabric->job;
    tti_fabric_contact *contact;
    if (fabric->heart_next >= tti_job_world(job)) return;
    const int rank = fabric->heart_next;
    const bool far = job->nodes == 1 || tti_pmi_node_of(rank) != job->node;
    if (!far || rank == job->rank || tti_fabric_locate(fabric, rank, &contact) != 1) fabric->heart_next++;
}
