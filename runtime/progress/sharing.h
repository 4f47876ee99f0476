/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the node's ranks have to share processors, by where they may run. What waits find out of it, and of
 * strangers, progress.h tells. Under the lock. */
#ifndef TTI_PROGRESS_SHARING_H
#define TTI_PROGRESS_SHARING_H

#include <stdbool.h>

/* As it was found when all ranks had come. */
typedef struct {
    bool all_known;      /* it was; until then what follows is a guess */
    bool bound_together; /* they cannot all run at once */
    unsigned round;      /* yields until each other rank has had the processor that it shares with this one */
} tti_sharing_found;
extern tti_sharing_found tti_sharing;

/* Guesses, for so many ranks on this machine. */
void tti_sharing_open(int local_ranks);
/* Finds it, and returns true, if all ranks of a node have come by now. */
bool tti_sharing_find(void);

/* Whether the node's ranks cannot all run at once, from where those that have come by now may run. */
bool tti_sharing_by_binding(void);

#endif
