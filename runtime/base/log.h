/* SPDX-License-Identifier: BSD-3-Clause */
/* Log lines on stderr, one write() each so that lines of different ranks do not mix:
 *     tutti[rank@host] warn: text
 * The level is option TUTTI_LOG (error, warn, info, debug); default error, because a failure that is returned
 * to the program is the program's to report. Thread-safe. */
#ifndef TTI_BASE_LOG_H
#define TTI_BASE_LOG_H

#include <stdbool.h>

#include "tutti/types.h"

enum tti_log_level { TTI_LOG_ERROR, TTI_LOG_WARN, TTI_LOG_INFO, TTI_LOG_DEBUG };

void tti_log_set_level(enum tti_log_level level);
/* Who speaks; before it is known lines carry the process id alone. */
void tti_log_set_rank(int rank);
/* stderr takes a line at once, as a full pipe or a halted terminal does not. For threads that others count
 * on: what they say can wait. */
bool tti_log_takes_more(void);
void tti_log(enum tti_log_level level, const char *format, ...) TUTTI_PRINTF(2, 3);

#endif
