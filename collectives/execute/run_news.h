/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks tell each other of runs that cannot go on: that a rank is lost (run_failure.c), or takes no part
 * in the collectives of a communicator any more (run_drop_out.c). Under the lock. */
#ifndef TTI_EXECUTE_RUN_NEWS_H
#define TTI_EXECUTE_RUN_NEWS_H

#include "collectives/execute/run_state.h"

/* Active message: the job rank that failed, 4 bytes. */
#define TTI_RUN_FAILURE_BYTES 4
/* Active message: a context, 8 bytes, the job rank that took no part in a collective there, 4 bytes, and
 * the code for which it took none, 4 bytes. */
#define TTI_RUN_DROP_OUT_BYTES 16

typedef struct {
    int kind, about; /* job rank */
    size_t length;
    uint8_t bytes[TTI_RUN_DROP_OUT_BYTES];
} tti_run_news;

tti_run_news tti_run_news_of_failure(int job_rank);
tti_run_news tti_run_news_of_drop_out(const tutti_comm *comm, int job_rank, int code);
/* Not to whom they are about: one that dropped out knows. */
void tti_run_tell_rank(const tti_run_news *news, const tutti_comm *comm, int rank);
/* To those that steps of the run's with messages are about; and to those that it shares windows with, in a
 * communicator over several nodes, as they may exchange messages with nobody, and where they may write into
 * its buffers, so that none begins to before it has heard by itself. */
void tti_run_tell_peers(const tti_run_news *news, const tti_run *run, const tti_schedule *schedule);

#endif
