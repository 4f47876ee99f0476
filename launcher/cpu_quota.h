/* SPDX-License-Identifier: BSD-3-Clause */
/* The share of the processors' time that a container is given: `docker run --cpus`, limits of Kubernetes.
 * Such a process may run on all processors, until their time together is the quota of a period; then the
 * kernel halts all of its cgroup up to the end of that. */
#ifndef TTI_LAUNCHER_CPU_QUOTA_H
#define TTI_LAUNCHER_CPU_QUOTA_H

/* How many processors' time this process and what it starts may use, rounded up; INT_MAX: no cgroup bounds
 * it. */
int tti_cpu_quota(void);
/* The same of one "QUOTA PERIOD", both in µs; INT_MAX for a quota of "max" or -1, and where it is malformed.
 * Pure. */
int tti_cpu_quota_of(const char *text);

#endif
