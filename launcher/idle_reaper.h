/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes in orphans may leave them as zombies for ever: the program that a container runs as its first
 * process, as a rule, unless it has an init. */
#ifndef TTI_IDLE_REAPER_H
#define TTI_IDLE_REAPER_H

#include <stdbool.h>

/* Whether process 1 heeds no SIGCHLD, and guardians of so many earlier jobs have stayed its zombies that it
 * is not just late. */
bool tti_reaper_is_idle(void);

#endif
