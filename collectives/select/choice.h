/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_SELECT_CHOICE_H
#define TTI_SELECT_CHOICE_H

#include "collectives/contract/algorithm.h"

/* By which algorithm a call is executed, and with what parameters. */
typedef struct {
    const tti_algorithm *algorithm;
    int radix;
    size_t chunk;
    int leaders; /* of a node at most; 0: as many as there may be */
    bool once;   /* it is of a row for machines whose kernel copies quickly */
} tti_choice;

#endif
