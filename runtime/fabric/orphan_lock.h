/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that a provider keeps in memory shared by processes: one whose holder was killed is never given back,
 * and whoever asks for it spins inside libfabric for ever. */
#ifndef TTI_FABRIC_ORPHAN_LOCK_H
#define TTI_FABRIC_ORPHAN_LOCK_H

/* From begin to end libfabric (`handle` of dlopen) takes its spin locks through a function of ours. Where one
 * stays taken although everybody had the time to give it back, and a rank has died, the job is aborted with a
 * line that says so: what the lock guards may be half written, and no call into the provider would return.
 * The function also yields, since the holder may wait for this very core. Where libfabric makes no such calls
 * nothing happens. `provider` (alive until the end) and `rank` are for the line. */
void tti_fabric_orphan_locks_begin(void *handle, const char *provider, int rank);
void tti_fabric_orphan_locks_end(void);

#endif
