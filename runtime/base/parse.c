/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char tti_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

bool tti_same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tti_lower(a[i]) != tti_lower(b[i])) return false;
    return true;
}

bool tti_same_word(const char *a, const char *b)
{
    const size_t length = strlen(a);
    return strlen(b) == length && tti_same_letters(a, b, length);
}

typedef struct {
    const char *suffix;
    int64_t factor;
} unit;

static const unit size_units[] = {{"", 1},        {"b", 1},         {"k", 1 << 10},   {"m", 1 << 20},
                                  {"g", 1 << 30}, {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}};
static const unit time_units[] = {{"", 1000000000},
                                  {"s", 1000000000},
                                  {"ms", 1000000},
                                  {"us", 1000},
                                  {"ns", 1},
                                  {"m", INT64_C(60000000000)},
                                  {"min", INT64_C(60000000000)}};

static bool parse_scaled(const char *text, const unit *units, size_t count, int64_t *value)
{
    if (!isdigit((unsigned char)text[0])) return false;
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno != 0) return false;
    for (size_t i = 0; i < count; i++) {
        if (tti_same_word(end, units[i].suffix))
            return !__builtin_mul_overflow(number, units[i].factor, value);
    }
    return false;
}

bool tti_parse_size(const char *text, int64_t *bytes)
{
    return parse_scaled(text, size_units, sizeof size_units / sizeof size_units[0], bytes);
}

void tti_print_size(uint64_t bytes, char *text, size_t room)
{
    static const char *const letters[] = {"", "k", "m", "g"};
    int power = 0;
    for (; power < 3 && bytes != 0 && bytes % 1024 == 0; power++)
        bytes /= 1024;
    snprintf(text, room, "%" PRIu64 "%s", bytes, letters[power]);
}

bool tti_parse_time(const char *text, int64_t *ns)
{
    return parse_scaled(text, time_units, sizeof time_units / sizeof time_units[0], ns);
}

bool tti_parse_int(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || isspace((unsigned char)text[0])) return false;
    *value = number;
    return true;
}

static int least_of(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

int tti_parse_distance(const char *a, const char *b)
{
    int row[64];
    const size_t na = strlen(a), nb = strlen(b);
    if (na >= 64 || nb >= 64) return 64;
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            const int above = row[j];
            row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[nb];
}
