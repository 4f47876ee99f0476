/* SPDX-License-Identifier: BSD-3-Clause */
/* The cgroups that bound what this process may use. */
#ifndef TTI_BASE_CGROUP_H
#define TTI_BASE_CGROUP_H

typedef void tti_cgroup_look_fn(void *context, const char *folder);

/* Calls `look` with the folder of this process's cgroup and with those of all above it, the limits of which
 * count as well. `controller` is that of version 1 ("memory"), which has a tree of its own; "": version 2,
 * one tree for all. Folders that are not there are among those named: a container may see its own cgroup
 * alone, as the root, and read the path that it has outside. */
void tti_cgroup_walk(const char *controller, tti_cgroup_look_fn *look, void *context);

#endif
