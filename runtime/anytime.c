/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program may ask at any time: the version and the clock. */
#include "runtime/base/clock.h"
#include "tutti/init.h"

#define TEXT_OF(n) #n
#define TEXT(n) TEXT_OF(n)

const char *tutti_version(void)
{
    return TEXT(TUTTI_VERSION_MAJOR) "." TEXT(TUTTI_VERSION_MINOR) "." TEXT(TUTTI_VERSION_PATCH);
}

double tutti_wtime(void)
{
    return (double)tti_clock_ns() * 1e-9;
}
