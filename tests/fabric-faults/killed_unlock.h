/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that show what a process killed with a lock leaves behind: pthread_spin_unlock() of their own,
 * which libfabric calls too. */
#ifndef TESTS_KILLED_UNLOCK_H
#define TESTS_KILLED_UNLOCK_H

#include <stdbool.h>

/* From now on this process kills itself (-9) where it gives back a lock in a segment in /dev/shm: its own, or
 * another process's. */
void die_in_unlock(bool own);

#endif
