/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tables that choose where no rule of the user's fits: data, to be revised with measurements.
 * Each collective's contract has its own. */
#ifndef TTI_CONTRACT_DEFAULTS_H
#define TTI_CONTRACT_DEFAULTS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Rows stand in order of preference; the last one takes everything. */
typedef struct {
    int64_t ranks; /* for communicators of up to this many ranks; or TTI_TWICE(), TTI_ONCE() of it */
    size_t bytes;  /* for up to this many bytes per rank */
    const char *algorithm;
    int radix;    /* 0: as many as there are ranks (one level), up to TTI_RADIX_MAX */
    size_t chunk; /* 0: the usual one */
    const char *why;
} tti_default_row;

#define TTI_ANY_RANKS INT_MAX
#define TTI_ANY_BYTES SIZE_MAX
/* Of up to so many that share processors, where a copy in and one out take less than the kernel's one. */
#define TTI_TWICE(ranks) ((ranks) | TTI_ROW_TWICE)
/* Of up to so many where the kernel's copy takes less than these two, but for a few KiB. */
#define TTI_ONCE(ranks) ((ranks) | TTI_ROW_ONCE)
#define TTI_ROW_TWICE (INT64_C(1) << 32)
#define TTI_ROW_ONCE (INT64_C(1) << 33)
#define TTI_KIB(n) ((size_t)(n) << 10)
#define TTI_MIB(n) ((size_t)(n) << 20)

#endif
