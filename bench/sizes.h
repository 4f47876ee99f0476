/* SPDX-License-Identifier: BSD-3-Clause */
/* Message sizes and times as the command line writes them. Pure. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#define BENCH_SIZES_MAX 128
/* 1024g: more than there is memory for, and so little that the bytes of a part for each of 2^23 ranks can be
 * counted. */
#define BENCH_SIZE_MOST ((size_t)1 << 40)

typedef struct {
    int count;
    size_t bytes[BENCH_SIZES_MAX];
} bench_sizes;

/* "0", "64", "4k", "1m", "1g": bytes in powers of 1024. False if malformed or more than
 * BENCH_SIZE_MOST. */
bool bench_parse_size(const char *text, size_t *bytes);
/* A comma-separated list of sizes and ranges: "A-B" doubles from A to B (0 is followed by 1). On failure
 * *wrong points to what was not understood. */
bool bench_parse_sizes(const char *text, bench_sizes *sizes, const char **wrong);
/* "2", "0.5", "2s", "200ms", "50us" → seconds, above 0. */
bool bench_parse_seconds(const char *text, double *seconds);
/* A decimal integer from `least` to `most`. */
bool bench_parse_int(const char *text, int least, int most, int *value);
/* The shortest way to write a size: 8, 1k, 1536, 2m. Returns `text`. */
const char *bench_size_text(size_t bytes, char text[24]);

#endif
