/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/sizes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses one size that ends at *end. */
static bool size_at(const char *text, const char **end, size_t *bytes)
{
    char *stop;
    unsigned shift = 0;
    if (!isdigit((unsigned char)*text)) return false;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 10);
    if (errno) return false;
    switch (tolower((unsigned char)*stop)) {
    case 'k': shift = 10; break;
    case 'm': shift = 20; break;
    case 'g': shift = 30; break;
    default: break;
    }
    if (value > (BENCH_SIZE_MOST >> shift)) return false;
    *end = stop + (shift > 0);
    *bytes = (size_t)value << shift;
    return true;
}

bool bench_parse_size(const char *text, size_t *bytes)
{
    const char *end;
    size_t value;
    if (!size_at(text, &end, &value) || *end) return false;
    *bytes = value;
    return true;
}

static bool append(bench_sizes *sizes, size_t bytes)
{
    if (sizes->count == BENCH_SIZES_MAX) return false;
    sizes->bytes[sizes->count++] = bytes;
    return true;
}

static bool append_range(bench_sizes *sizes, size_t from, size_t to)
{
    if (to < from) return false;
    for (size_t bytes = from; bytes <= to; bytes = bytes ? bytes * 2 : 1)
        if (!append(sizes, bytes)) return false;
    return true;
}

bool bench_parse_sizes(const char *text, bench_sizes *sizes, const char **wrong)
{
    bench_sizes list = {0};
    for (const char *at = text;;) {
        size_t from, to;
        *wrong = at;
        if (!size_at(at, &at, &from)) return false;
        to = from;
        if (*at == '-' && !size_at(at + 1, &at, &to)) return false;
        if (*at && *at != ',') return false;
        if (!append_range(&list, from, to)) return false;
        if (!*at++) break;
    }
    *sizes = list;
    return true;
}

bool bench_parse_seconds(const char *text, double *seconds)
{
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    double value = strtod(text, &end);
    if (strcmp(end, "ms") == 0)
        value *= 1e-3;
    else if (strcmp(end, "us") == 0)
        value *= 1e-6;
    else if (*end && strcmp(end, "s") != 0)
        return false;
    if (!(value > 0 && value < 1e6)) return false;
    *seconds = value;
    return true;
}

bool bench_parse_int(const char *text, int least, int most, int *value)
{
    char *end;
    errno = 0;
    long parsed = strtol(text, &end, 10);
    if (errno || end == text || *end || parsed < least || parsed > most) return false;
    *value = (int)parsed;
    return true;
}

const char *bench_size_text(size_t bytes, char text[24])
{
    static const char units[] = " kmg";
    int unit = 0;
    while (unit < 3 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, 24, unit ? "%zu%c" : "%zu", bytes, units[unit]);
    return text;
}
