/* SPDX-License-Identifier: BSD-3-Clause */
/* What the checker has to say of schedules. */
#ifndef TESTS_UNIT_COLLECTIVES_EXPECT_SCHEDULES_H
#define TESTS_UNIT_COLLECTIVES_EXPECT_SCHEDULES_H

#include <string.h>

#include "collectives/proof/checker.h"
#include "tests/unit/expect.h"

/* Proves the schedules of shape->size ranks; the reason must contain `why` (NULL: they must be right). */
static inline void expect_schedules(enum tti_collective collective, const tti_shape *shape,
                                    tti_schedule *const *schedules, const char *why)
{
    tti_checker *checker = tti_checker_open();
    EXPECT(checker != NULL);
    const bool right = tti_checker_prove(checker, collective, shape, schedules);
    if (right != (why == NULL) || (why != NULL && strstr(tti_checker_why(checker), why) == NULL)) {
        fprintf(stderr, "expected \"%s\", got \"%s\"\n", why != NULL ? why : "right",
                tti_checker_why(checker));
        exit(1);
    }
    tti_checker_close(checker);
}

#endif
