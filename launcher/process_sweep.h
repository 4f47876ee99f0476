/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding what a job left behind. Needs /proc; does nothing without it. */
#ifndef TTI_LAUNCHER_PROCESS_SWEEP_H
#define TTI_LAUNCHER_PROCESS_SWEEP_H

#include <sys/types.h>
#include <time.h>

/* What a guardian (session.h) calls itself. */
#define TTI_GUARDIAN_NAME "tuttirun-guard"

/* Kills the children of this process, except guardians of jobs inside this one, which end
 * by themselves once they have cleaned up; returns how many. The launcher is a subreaper, so that what its
 * ranks left running has become its child. */
int tti_sweep_children(void);

/* Kills the processes that have `mark` ("NAME=value") in their environment at exec; returns how many. */
int tti_sweep_marked(const char *mark);

/* Removes the files in /dev/shm that are ours, were made at or after `since` and carry one of the `count`
 * process ids as a number in their names, as libraries name theirs (libfabric's shm provider, Open MPI, UCX):
 * a rank that was killed could not remove them. */
void tti_sweep_shm(const pid_t *pids, int count, time_t since);

#endif
