/* SPDX-License-Identifier: BSD-3-Clause */
/* What is computed piece by piece in whatever call of the library makes progress. Under the lock. */
#ifndef TTI_KEEP_WORK_H
#define TTI_KEEP_WORK_H

#include <stdbool.h>

#include "runtime/base/list.h"

/* So many bytes at a time: some 50 microseconds in which a call that waits for something else does not look.
 */
#define TTI_KEEP_PIECE ((size_t)512 * 1024)

typedef struct tti_keep_work tti_keep_work;
struct tti_keep_work {
    /* Does a piece; false: that was the last, and the work may be gone. In progress, the first one inside
     * tti_keep_begin_work(). */
    bool (*step)(tti_keep_work *work);
    tti_link link;
};

void tti_keep_begin_work(tti_keep_work *work);
/* At closing: what is left is not done any more. */
void tti_keep_drop_work(void);

#endif
