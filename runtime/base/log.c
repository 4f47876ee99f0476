/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 1400

static _Atomic int current_level = TTI_LOG_ERROR;
static _Atomic int current_rank = -1;

static const char *const names[] = {"error", "warn", "info", "debug"};

void tti_log_set_level(enum tti_log_level level)
{
    atomic_store_explicit(&current_level, (int)level, memory_order_relaxed);
}

void tti_log_set_rank(int rank)
{
    atomic_store_explicit(&current_rank, rank, memory_order_relaxed);
}

static bool is_enabled(enum tti_log_level level)
{
    return (int)level <= atomic_load_explicit(&current_level, memory_order_relaxed);
}

static size_t write_prefix(char *line, size_t room, enum tti_log_level level)
{
    char host[65] = "?";
    gethostname(host, sizeof host - 1);
    const int rank = atomic_load_explicit(&current_rank, memory_order_relaxed);
    const int n = rank >= 0
                      ? snprintf(line, room, "tutti[%d@%s] %s: ", rank, host, names[level])
                      : snprintf(line, room, "tutti[pid %ld@%s] %s: ", (long)getpid(), host, names[level]);
    return (size_t)n;
}

bool tti_log_takes_more(void)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0;
}

void tti_log(enum tti_log_level level, const char *format, ...)
{
    if (!is_enabled(level)) return;
    char line[LINE_BYTES];
    size_t used = write_prefix(line, sizeof line - 1, level);
    va_list args;
    va_start(args, format);
    vsnprintf(line + used, sizeof line - 1 - used, format, args);
    va_end(args);
    used = strlen(line);
    line[used] = '\n';
    /* A log that cannot be written has nowhere to complain. */
    if (write(STDERR_FILENO, line, used + 1) < 0) return;
}
