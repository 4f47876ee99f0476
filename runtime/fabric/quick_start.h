/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric's first fi_getinfo, without the 50 to 100 ms of processor time that Debian's build spends in it.
 */
#ifndef TTI_FABRIC_QUICK_START_H
#define TTI_FABRIC_QUICK_START_H

/* The verbs provider, there or not, asked for or not, reads all of /proc/kallsyms twice at its start, to
 * learn whether the kernel can register GPU memory, which Tutti never asks for. From begin to end libfabric
 * (`handle` of dlopen) is told that there is no such file: its reference to fopen, and no other library's, is
 * pointed at a function of ours. Where that cannot be done nothing happens and the start is as slow as it
 * was. Not thread-safe. */
void tti_fabric_quick_start_begin(void *handle);
void tti_fabric_quick_start_end(void);

#endif
