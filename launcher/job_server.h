/* SPDX-License-Identifier: BSD-3-Clause */
/* The PMIx server of the job: one namespace, all of whose ranks run here. PMIx calls back on a thread of its
 * own; what concerns the launcher is kept for its main thread, which is woken through a descriptor.
 *
 * Who may join: PMIx listens on a TCP port of the loopback device, which every user of the machine reaches,
 * and believes the user id that a client sends. The key to the job is the namespace's name, 128 random bits:
 * PMIx turns away whoever does not know it. It stands in the environment of the ranks, in the memory of the
 * launcher and its guardian, and in files of the private directory, where the same user and root alone can
 * read it; who prints it gives the job away. Tools, which need no namespace, are never let in. What this does
 * not prevent: PMIx's thread waits for what a new connection says, so another user who connects and says
 * nothing holds up joins and fences, though not the launcher's own work (signals, deaths, time limits). */
#ifndef TTI_LAUNCHER_JOB_SERVER_H
#define TTI_LAUNCHER_JOB_SERVER_H

#include "launcher/served_job.h"

/* Starts the server and registers the job. Returns 0 or an exit status. */
int tti_server_open(const tti_server_job *job);
void tti_server_close(void);

/* Adds what `rank` needs to the malloc'ed, NULL-ended `*environment`. Returns 0 or an exit status. */
int tti_server_environment(int rank, char ***environment);

/* Readable when a rank asked for the end of the job or for a new process (reserve.h), when one left, and when
 * the first one joined. */
int tti_server_wake_fd(void);
/* Tells the other ranks that `rank` has died: PMIX_ERR_PROC_ABORTED with PMIX_EVENT_AFFECTED_PROC. */
void tti_server_announce_death(int rank);

#endif
