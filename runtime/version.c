/* SPDX-License-Identifier: BSD-3-Clause */
#include "tutti/init.h"

#define TEXT_OF(n) #n
#define TEXT(n) TEXT_OF(n)

const char *tutti_version(void)
{
    return TEXT(TUTTI_VERSION_MAJOR) "." TEXT(TUTTI_VERSION_MINOR) "." TEXT(TUTTI_VERSION_PATCH);
}
