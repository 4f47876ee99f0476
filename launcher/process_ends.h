/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order processes end. waitpid() tells of those that have ended in the order of their start: where
 * many follow the first one quickly, it would be somebody else who is blamed. An epoll set of pidfds tells of
 * them as they ended. Main thread only. */
#ifndef TTI_LAUNCHER_PROCESS_ENDS_H
#define TTI_LAUNCHER_PROCESS_ENDS_H

#include <sys/types.h>

/* A set for tti_ends_watch(); -1 and errno where there can be none. The caller closes it. */
int tti_ends_open(void);
/* This child's end comes in order. One that cannot be watched (a kernel before 5.3) comes after others. */
void tti_ends_watch(int ends, pid_t child);
/* The next child, watched or not, that has ended and is to be reaped by its number; 0: there is none. */
pid_t tti_ends_next(int ends);

#endif
