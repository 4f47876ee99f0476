/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes inside the library and the detail text that goes with a failure. Inside, as outside, a
 * function returns 0 or a negative TUTTI_ERR_*; a few return small positive values they document. */
#ifndef TTI_BASE_STATUS_H
#define TTI_BASE_STATUS_H

#include <stdbool.h>

#include "tutti/error.h"

/* Whether it is 0 or one of the TUTTI_ERR_*: a code that came from afar may be anything. */
bool tti_status_is_known(int code);

/* Records who, what, how much and what to do as this thread's tutti_error_detail(), logs it at level
 * "warn" and returns `code`. To be called once per failure, by the first function that knows the cause:
 *     return tti_fail(TUTTI_ERR_RANK, "dest %d is not in 0 … %d", dest, size - 1);            */
int tti_fail(int code, const char *format, ...) TUTTI_PRINTF(2, 3);

/* As tti_fail() for a failed system call: appends the text of `error` (an errno value). Where that says that
 * there are no descriptors left the code is TUTTI_ERR_LIMIT instead, and what to do is appended. */
int tti_fail_errno(int code, int error, const char *format, ...) TUTTI_PRINTF(3, 4);

/* This thread's last detail, wherever it is kept; and makes a copy that was taken of one the last again,
 * which is not logged once more. */
const char *tti_status_detail(void);
void tti_status_recall(const char *text);

/* What this thread's last failure had to say counts no more: it has been told, and nothing else follows from
 * it. */
void tti_status_forget(void);

/* What a public call returns, without the lock: `code`; but an error goes to `on_error` first, if there is
 * one, which may not return. Being withdrawn is no error there: the program asked for it. */
void tti_answer_to(void (*on_error)(int code));
int tti_answer_error(int code);
static inline int tti_answer(int code)
{
    return __builtin_expect(code >= 0, 1) ? code : tti_answer_error(code);
}

#endif
