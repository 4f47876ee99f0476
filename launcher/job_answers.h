/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks ask of the job's PMIx server, and what is heard of them: functions that PMIx calls, on its own
 * thread, and what they keep for the launcher's main thread, which job_server.h hands out (members, the wish
 * to end the job). */
#ifndef TTI_LAUNCHER_JOB_ANSWERS_H
#define TTI_LAUNCHER_JOB_ANSWERS_H

#include <pmix_server.h>
#include <stdbool.h>

#include "launcher/served_job.h"

/* The job and the descriptor, by which the main thread is woken, stay the caller's. False without memory. */
bool tti_answers_open(const tti_server_job *job, int wake);
void tti_answers_close(void);

/* For PMIx_server_init(). */
pmix_server_module_t *tti_answers_module(void);
/* After it: connections that end are heard of. */
void tti_answers_hear_losses(void);

#endif
