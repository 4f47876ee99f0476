/* SPDX-License-Identifier: BSD-3-Clause */
/* Removing the shared memory that ranks which were killed left behind. */
#ifndef TTI_LAUNCHER_SHM_SWEEP_H
#define TTI_LAUNCHER_SHM_SWEEP_H

#include <sys/types.h>
#include <time.h>

/* Removes the segments in /dev/shm that one of the `count` processes made through libfabric's shm provider
 * and, killed, could not remove: files of that provider's very names, ours, made at or after `since`, and in
 * nobody's use. */
void tti_shm_sweep(const pid_t *pids, int count, time_t since);

#endif
