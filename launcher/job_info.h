/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks are told about their job when they join it.
 *
 * The server's PMIx is told of one process more than the ranks: the observer, which stands for the launcher
 * and never connects. It makes every fence of the job the launcher's business (job_server.c), because what
 * PMIx does by itself for a job all of whose processes are its clients is broken up to its version 6: where
 * ranks die while others wait in a fence, each death completes the fence again, until a thread of PMIx's
 * gets to the first of these completions. The fence's record is then taken from its list and freed twice,
 * which ends the launcher with a segmentation fault, at the latest in PMIx_server_finalize(). */
#ifndef TTI_LAUNCHER_JOB_INFO_H
#define TTI_LAUNCHER_JOB_INFO_H

#include <pmix.h>
#include <pmix_server.h>

#include "launcher/served_job.h"

/* What the namespace tells its ranks: sizes, maps, places. *info is the caller's (PMIX_INFO_FREE). Returns a
 * PMIx status. */
pmix_status_t tti_job_info_make(const tti_server_job *job, pmix_info_t **info, size_t *count);

/* After the registration and before any rank joins: the ranks hear their true number, which counts neither
 * the observer nor the processes in reserve. */
pmix_status_t tti_job_info_hide_observer(const tti_server_job *job);

#endif
