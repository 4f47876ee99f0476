/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that are made piece by piece in whatever call of the library makes progress. Under the lock. */
#ifndef TTI_KEEP_WORK_H
#define TTI_KEEP_WORK_H

#include "runtime/base/list.h"

typedef struct tti_keep_work tti_keep_work;
struct tti_keep_work {
    unsigned char *to;
    const unsigned char *from;
    size_t left;                       /* bytes */
    void (*done)(tti_keep_work *work); /* in progress, or, of little work, inside tti_keep_begin_work() */
    tti_link link;
};

void tti_keep_begin_work(tti_keep_work *work);
/* At closing: what is left is not done any more. */
void tti_keep_drop_work(void);

#endif
