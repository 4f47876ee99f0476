/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_JOB_INFO_H
#define TTI_LAUNCHER_JOB_INFO_H

#include <pmix.h>
#include <pmix_server.h>

#include "launcher/job_server.h"

/* What the namespace tells its ranks: sizes, maps, places. *info is the caller's (PMIX_INFO_FREE). Returns a
 * PMIx status. */
pmix_status_t tti_job_info_make(const tti_server_job *job, pmix_info_t **info, size_t *count);

#endif
