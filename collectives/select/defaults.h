/* SPDX-License-Identifier: BSD-3-Clause */
/* The default table of algorithms: data, to be revised with measurements. */
#ifndef TTI_COLLECTIVES_DEFAULTS_H
#define TTI_COLLECTIVES_DEFAULTS_H

#include "collectives/algorithm.h"

typedef struct {
    int ranks;    /* for communicators of up to this many ranks */
    size_t bytes; /* and up to this many bytes per rank */
    const char *algorithm;
    int radix;    /* 0: as many as there are ranks (one level), up to TTI_RADIX_MAX */
    size_t chunk; /* 0: the usual one */
    const char *why;
} tti_default_row;

/* Rows in order of preference; the last one takes everything. */
const tti_default_row *tti_defaults(enum tti_collective collective);

#endif
