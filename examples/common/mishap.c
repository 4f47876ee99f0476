/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/mishap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

bool complain(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", program, line);
    return false;
}

void stop(const char *call, int code)
{
    char why[512];
    snprintf(why, sizeof why, "%.100s: %s: %s", call, tutti_strerror(code), tutti_error_detail());
    tutti_abort(1, why);
}

void *allocate(unsigned long count, unsigned long bytes)
{
    void *memory = calloc(count > 0 ? count : 1, bytes);
    if (memory != NULL) return memory;
    char why[128];
    snprintf(why, sizeof why, "%s: out of memory: use more nodes or a smaller problem", program);
    tutti_abort(1, why);
}
