/* SPDX-License-Identifier: BSD-3-Clause */
/* What the last error says of ranks. */
#ifndef TESTS_JOB_TOLD_H
#define TESTS_JOB_TOLD_H

#include <ctype.h>
#include <stdbool.h>

#include "tests/job/job.h"

static inline bool is_told_of(int r)
{
    char name[24];
    snprintf(name, sizeof name, "rank %d", r);
    const char *at = strstr(tutti_error_detail(), name);
    while (at != NULL && isdigit((unsigned char)at[strlen(name)])) /* it is another's */
        at = strstr(at + 1, name);
    return at != NULL;
}

/* After a call that rank `odd` makes otherwise than the others, and each ended with this code: some of these
 * were told of themselves and of it. By the world, which is not the communicator of the call. */
static inline void expect_told(int code, int odd)
{
    const int32_t told = code == TUTTI_ERR_ARG && rank != odd && is_told_of(rank) && is_told_of(odd);
    int32_t all;
    OK(tutti_allreduce(world, &told, &all, 1, TUTTI_INT32, TUTTI_SUM));
    EXPECT(all > 0);
}

#endif
