/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/random.h"

#include <errno.h>
#include <sys/random.h>

#include "runtime/base/status.h"

int tti_random_fill(void *to, size_t bytes, const char *what)
{
    ssize_t result;
    do
        result = getrandom(to, bytes, 0); /* so few bytes come whole or not at all */
    while (result < 0 && errno == EINTR);
    if (result == (ssize_t)bytes) return 0;
    return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "getrandom gives no %zu bytes for %s", bytes, what);
}
