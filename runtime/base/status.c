/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/descriptor_room.h"
#include "runtime/base/log.h"

#define DETAIL_BYTES 1024

static _Thread_local char detail[DETAIL_BYTES];
static void (*error_answer)(int code);

static const char *const texts[] = {
    [-TUTTI_SUCCESS] = "success",
    [-TUTTI_ERR_ARG] = "invalid argument",
    [-TUTTI_ERR_STATE] = "not possible in this state",
    [-TUTTI_ERR_RANK] = "no such rank",
    [-TUTTI_ERR_TAG] = "invalid tag",
    [-TUTTI_ERR_TYPE] = "invalid element type",
    [-TUTTI_ERR_OP] = "invalid operation",
    [-TUTTI_ERR_TRUNCATE] = "message truncated",
    [-TUTTI_ERR_CANCELLED] = "operation cancelled",
    [-TUTTI_ERR_PEER_FAILED] = "peer failed",
    [-TUTTI_ERR_TIMEOUT] = "timed out",
    [-TUTTI_ERR_NO_MEMORY] = "out of memory",
    [-TUTTI_ERR_LIMIT] = "limit reached",
    [-TUTTI_ERR_OPTION] = "invalid option",
    [-TUTTI_ERR_LAUNCH] = "launcher unreachable",
    [-TUTTI_ERR_LOST] = "lost with the ranks that held it",
    [-TUTTI_ERR_FABRIC] = "fabric error",
    [-TUTTI_ERR_VERSION] = "incompatible versions of Tutti",
    [-TUTTI_ERR_SYSTEM] = "system call failed",
    [-TUTTI_ERR_UNSUPPORTED] = "not supported here",
    [-TUTTI_ERR_AGAIN] = "not now, try again",
    [-TUTTI_ERR_REFUSED] = "connection refused",
    [-TUTTI_ERR_DENIED] = "not let in",
    [-TUTTI_ERR_REVOKED] = "communicator revoked",
};

bool tti_status_is_known(int code)
{
    const int count = (int)(sizeof texts / sizeof texts[0]);
    return code <= 0 && code > -count && texts[-code] != NULL;
}

const char *tutti_strerror(int code)
{
    return tti_status_is_known(code) ? texts[-code] : "unknown error code";
}

const char *tutti_error_detail(void)
{
    return detail;
}

/* libtutti and libtutti_stream both hold this file. In a program that has both, tutti_error_detail() is one
 * of the two for everybody, as the dynamic linker binds it, so a detail is written where that one reads. The
 * volatile pointer keeps the compiler from taking its own. */
static char *detail_of_thread(void)
{
    const char *(*volatile reader)(void) = tutti_error_detail;
    return (char *)reader();
}

const char *tti_status_detail(void)
{
    return detail_of_thread();
}

void tti_status_recall(const char *text)
{
    snprintf(detail_of_thread(), DETAIL_BYTES, "%s", text);
}

void tti_status_forget(void)
{
    detail_of_thread()[0] = '\0';
}

void tti_answer_to(void (*on_error)(int code))
{
    error_answer = on_error;
}

int tti_answer_error(int code)
{
    if (error_answer != NULL && code != TUTTI_ERR_CANCELLED) error_answer(code);
    return code;
}

int tti_fail(int code, const char *format, ...)
{
    char *const text = detail_of_thread();
    va_list args;
    va_start(args, format);
    vsnprintf(text, DETAIL_BYTES, format, args);
    va_end(args);
    tti_log(TTI_LOG_WARN, "%s: %s", tutti_strerror(code), text);
    return code;
}

int tti_fail_errno(int code, int error, const char *format, ...)
{
    char *const text = detail_of_thread();
    va_list args;
    va_start(args, format);
    vsnprintf(text, DETAIL_BYTES, format, args);
    va_end(args);
    const size_t used = strlen(text);
    snprintf(text + used, DETAIL_BYTES - used, ": %s%s", strerror(error), tti_descriptors_remedy(error));
    if (tti_descriptors_short(error)) code = TUTTI_ERR_LIMIT;
    tti_log(TTI_LOG_WARN, "%s: %s", tutti_strerror(code), text);
    return code;
}
