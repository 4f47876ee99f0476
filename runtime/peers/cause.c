/* SPDX-License-Identifier: BSD-3-Clause */
/* Why ranks were lost, in the words of whoever found out: those who wait for them are to hear it, and what
 * else fails meanwhile takes the place of a thread's last detail. It takes no memory, which may be what was
 * missing: of more than some ranks only that they are lost is told. */
#include <stdio.h>

#include "runtime/base/status.h"
#include "runtime/peers/peers.h"

#define CAUSES 16
#define TEXT_BYTES 512

static struct {
    int rank;
    char text[TEXT_BYTES];
} causes[CAUSES];
static int count;

static const char *find(int rank)
{
    for (int i = 0; i < count; i++)
        if (causes[i].rank == rank) return causes[i].text;
    return NULL;
}

void tti_cause_keep(int rank)
{
    const char *text = tti_status_detail();
    if (count == CAUSES || text[0] == '\0' || tti_peer_failed(rank) != 0 || find(rank) != NULL) return;
    causes[count].rank = rank;
    snprintf(causes[count].text, TEXT_BYTES, "%s", text);
    count++;
}

void tti_causes_forget(void)
{
    count = 0;
}

const char *tti_lost_cause(int job_rank, int error)
{
    if (job_rank < 0 || error == 0 || tti_peer_failed(job_rank) != error) return NULL;
    return find(job_rank);
}
