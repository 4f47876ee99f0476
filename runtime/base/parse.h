/* SPDX-License-Identifier: BSD-3-Clause */
/* Words and numbers with units, as users write them. Pure: the program's locale does not count, of which some
 * (Turkish) take I and i for two letters. */
#ifndef TTI_BASE_PARSE_H
#define TTI_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of A to Z. */
char tti_lower(char letter);
/* Whether the first `length` bytes are the same, but for the case of A to Z. */
bool tti_same_letters(const char *a, const char *b, size_t length);
/* And both end there. */
bool tti_same_word(const char *a, const char *b);
/* "64", "64k", "2m", "1g" → bytes (powers of 1024; case does not matter). False if malformed or too large. */
bool tti_parse_size(const char *text, int64_t *bytes);
/* And back, in the largest unit of which it is a multiple; `room` for the text. */
void tti_print_size(uint64_t bytes, char *text, size_t room);
/* "30s", "200ms", "5us", "10ns", "2m", "3" (seconds) → nanoseconds. */
bool tti_parse_time(const char *text, int64_t *ns);
/* A decimal integer, sign allowed. */
bool tti_parse_int(const char *text, int64_t *value);
/* How many single-character edits turn a into b (Levenshtein), for "did you mean"; names over 63 bytes: 64.
 */
int tti_parse_distance(const char *a, const char *b);

#endif
