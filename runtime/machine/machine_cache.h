/* SPDX-License-Identifier: BSD-3-Clause */
/* The last cache of a processor. */
#ifndef TTI_MACHINE_CACHE_H
#define TTI_MACHINE_CACHE_H

#include <stdint.h>

/* KiB of it that fall to each of the processors that share it; 0: the kernel does not tell. */
int64_t tti_machine_cache_share(int cpu);

/* One cache of a processor, as texts of the kernel's: its level, size ("32768K") and whom it serves
 * ("0-3,8"). Returns its level and, in *share, the same; 0 if they are not such texts. Pure. */
int tti_machine_parse_cache(const char *level, const char *size, const char *cpus, int64_t *share);

#endif
