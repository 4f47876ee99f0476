/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the threads that measure run. */
#ifndef TTI_MACHINE_CPUS_H
#define TTI_MACHINE_CPUS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* What the kernel tells of a processor in /sys: the file `what` in its folder, up to room - 1 characters; ""
 * if there is none. */
void tti_machine_read(int cpu, const char *what, char *text, size_t room);

/* Binds the calling thread. */
bool tti_machine_move_to(int cpu);
/* The processor to set beside `cpu`, or -1. Leaves the calling thread unbound. */
int tti_machine_cpu_beside(int cpu, const cpu_set_t *own);

/* The choice itself. Reads the kernel's lists of processors, "0-3,8", into a set: false if it is none. Pure.
 */
bool tti_machine_parse_cpus(const char *text, cpu_set_t *cpus);
/* One that the process is bound to (`own`) if it can, else any that it may use; rather of the same
 * package, and of the same core only if there is no other. -1: there is none. Pure. */
int tti_machine_choose_cpu(int cpu, const cpu_set_t *own, const cpu_set_t *all, const cpu_set_t *core,
                           const cpu_set_t *package);

#endif
