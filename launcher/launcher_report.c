/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/launcher_report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/fit.h"
#include "runtime/base/status.h"

int tti_launcher_refuse(int status, const char *format, ...)
{
    char text[TTI_LAUNCHER_LINE];
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

size_t tti_launcher_compose(char line[TTI_LAUNCHER_LINE], const char *format, va_list args)
{
    const size_t prefix = (size_t)snprintf(line, TTI_LAUNCHER_LINE, "tuttirun: ");
    const size_t room = TTI_LAUNCHER_LINE - prefix - 1;
    if ((size_t)vsnprintf(line + prefix, room, format, args) >= room) tti_fit_mark(line + prefix, room);
    const size_t used = strlen(line);
    line[used] = '\n';
    return used + 1;
}

void tti_launcher_say(const char *format, ...)
{
    char line[TTI_LAUNCHER_LINE];
    va_list args;
    va_start(args, format);
    const size_t bytes = tti_launcher_compose(line, format, args);
    va_end(args);
    /* A message that cannot be written has nowhere to complain. */
    if (write(STDERR_FILENO, line, bytes) < 0) return;
}
