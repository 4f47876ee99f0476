/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole test framework: a failed expectation says where and what, and ends the program with status 1. */
#ifndef TESTS_UNIT_EXPECT_H
#define TESTS_UNIT_EXPECT_H

#include <stdio.h>
#include <stdlib.h>

#include "tutti/error.h"

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: expected %s (last detail: %s)\n", __FILE__, __LINE__, #condition,        \
                    tutti_error_detail());                                                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define SKIP(reason)                                                                                         \
    do {                                                                                                     \
        fprintf(stderr, "skipped: %s\n", reason);                                                            \
        exit(77);                                                                                            \
    } while (0)

#endif
