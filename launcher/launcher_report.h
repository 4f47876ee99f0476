/* SPDX-License-Identifier: BSD-3-Clause */
/* What all parts of tuttirun share: how it speaks and which exit statuses are its own. Functions of the
 * launcher that can fail return 0 or such a status, with the reason recorded as tutti_error_detail(). */
#ifndef TTI_LAUNCHER_REPORT_H
#define TTI_LAUNCHER_REPORT_H

#include <stdarg.h>
#include <stddef.h>

#include "tutti/types.h"

#define TTI_LAUNCHER_LINE 1400 /* bytes of a line that tuttirun says; longer ones are cut, with a mark */

enum tti_launcher_status {
    TTI_STATUS_USAGE = 2,            /* bad input, or this machine refuses something the launcher needs */
    TTI_STATUS_OUTPUT_LOST = 74,     /* what ranks wrote could not be written, as EX_IOERR of sysexits.h */
    TTI_STATUS_TIMEOUT = 124,        /* --timeout ran out, as timeout(1) */
    TTI_STATUS_NOT_EXECUTABLE = 126, /* as shells do */
    TTI_STATUS_NOT_FOUND = 127,
    TTI_STATUS_SIGNAL = 128 /* plus the signal's number */
};

/* Records the reason and returns `status`. One line, no newline, naming the remedy. */
int tti_launcher_refuse(int status, const char *format, ...) TUTTI_PRINTF(2, 3);

/* As above for a failed system call: appends the text of `error` (errno), then `remedy`. */
int tti_launcher_refuse_errno(int status, int error, const char *what, const char *remedy);

/* One line "tuttirun: …" with its newline, not terminated; returns its bytes. */
size_t tti_launcher_compose(char line[TTI_LAUNCHER_LINE], const char *format, va_list args);

/* Writes such a line on stderr, in one write. */
void tti_launcher_say(const char *format, ...) TUTTI_PRINTF(1, 2);

#endif
