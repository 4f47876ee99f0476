/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding the processes that a job left behind. Needs /proc; does nothing without it, or with that of another
 * pid namespace. */
#ifndef TTI_LAUNCHER_PROCESS_SWEEP_H
#define TTI_LAUNCHER_PROCESS_SWEEP_H

#include <stdbool.h>
#include <sys/types.h>

/* What a guardian (session.h) calls itself. */
#define TTI_GUARDIAN_NAME "tuttirun-guard"

#define TTI_SWEEP_NAME 64

/* Children that run: how many, and one of them. */
typedef struct {
    int count;
    pid_t pid;
    char name[TTI_SWEEP_NAME];
} tti_children;

/* From here on children that there are now count as nobody's: a shell that became this process left them, as
 * by `exec tuttirun ... > >(tee log)`. */
void tti_sweep_spare_present(void);
bool tti_sweep_spares_any(void);

/* Those of this process but `spared` and guardians of jobs inside this one. */
void tti_sweep_count(pid_t spared, tti_children *found);

/* Kills the children of this process but `spared`, and guardians of jobs inside this one, which end by
 * themselves once they have cleaned up. Returns how many children there were, guardians included and `spared`
 * not: with 0 there is nobody to wait for. The launcher is a subreaper, so that what its ranks left running
 * has become its child. */
int tti_sweep_children(pid_t spared);

/* Kills the processes that have `mark` ("NAME=value") in their environment at exec; returns how many. */
int tti_sweep_marked(const char *mark);

#endif
