/* SPDX-License-Identifier: BSD-3-Clause */
/* What all parts of the check use. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker_state.h"

bool tti_check_wrong(tti_checker *checker, const char *format, ...)
{
    if (checker->failed) return false;
    checker->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(checker->why, sizeof checker->why, format, args);
    va_end(args);
    return false;
}

uint64_t *tti_check_bits(tti_checker *checker, size_t words)
{
    if (words >= checker->bits_room) {
        uint64_t *bits = realloc(checker->bits, (words + 1) * sizeof *bits);
        if (bits == NULL) {
            tti_check_wrong(checker, "no memory for %zu words", words);
            return NULL;
        }
        checker->bits = bits;
        checker->bits_room = words + 1;
    }
    memset(checker->bits, 0, words * sizeof *checker->bits);
    return checker->bits;
}
