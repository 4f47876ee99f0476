/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/launcher_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/status.h"

#define LINE_BYTES 1400

int tti_launcher_refuse(int status, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tti_fail(TUTTI_ERR_ARG, "%s", text);
    return status;
}

int tti_launcher_refuse_errno(int status, int error, const char *what, const char *remedy)
{
    return tti_launcher_refuse(status, "%s: %s; %s", what, strerror(error), remedy);
}

void tti_launcher_say(const char *format, ...)
{
    char line[LINE_BYTES] = "tuttirun: ";
    const size_t prefix = strlen(line);
    va_list args;
    va_start(args, format);
    vsnprintf(line + prefix, sizeof line - prefix - 1, format, args);
    va_end(args);
    const size_t used = strlen(line);
    line[used] = '\n';
    /* A message that cannot be written has nowhere to complain. */
    if (write(STDERR_FILENO, line, used + 1) < 0) return;
}
