/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <string.h>

#include "bench/sizes.h"
#include "tests/unit/expect.h"

static void sizes_have_units(void)
{
    size_t bytes = 99;
    EXPECT(bench_parse_size("0", &bytes) && bytes == 0);
    EXPECT(bench_parse_size("4k", &bytes) && bytes == 4096);
    EXPECT(bench_parse_size("1M", &bytes) && bytes == 1048576);
    EXPECT(bench_parse_size("2g", &bytes) && bytes == (size_t)2 << 30);
    EXPECT(bench_parse_size("1024g", &bytes) && bytes == BENCH_SIZE_MOST);
    EXPECT(bench_parse_size("2g", &bytes));
    const char *const wrong[] = {"",
                                 "k",
                                 "-1",
                                 "4kk",
                                 "4kb",
                                 " 4",
                                 "1e3",
                                 "99999999999999999999",
                                 "9999999999g",
                                 "4294967296g",
                                 "1025g",
                                 "1099511627777"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        EXPECT(!bench_parse_size(wrong[i], &bytes) && bytes == (size_t)2 << 30);
}

static void lists_and_ranges(void)
{
    bench_sizes sizes = {0};
    const char *wrong;
    EXPECT(bench_parse_sizes("8-64", &sizes, &wrong) && sizes.count == 4 && sizes.bytes[3] == 64);
    EXPECT(bench_parse_sizes("0-4,100,1k-2k", &sizes, &wrong) && sizes.count == 7);
    EXPECT(sizes.bytes[0] == 0 && sizes.bytes[1] == 1 && sizes.bytes[4] == 100 && sizes.bytes[6] == 2048);
    EXPECT(bench_parse_sizes("3-20", &sizes, &wrong) && sizes.count == 3 && sizes.bytes[2] == 12);
    const char *const bad[] = {"", ",", "8,", "8-", "64-8", "8-16-32", "8;16", "8,x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(!bench_parse_sizes(bad[i], &sizes, &wrong) && wrong >= bad[i] &&
               wrong <= bad[i] + strlen(bad[i]));
}

static void text_is_parsed_back(void)
{
    const size_t cases[] = {0, 1, 1000, 1024, 1536, 65536, 1048576, (size_t)3 << 30};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[24];
        size_t bytes;
        EXPECT(bench_parse_size(bench_size_text(cases[i], text), &bytes) && bytes == cases[i]);
    }
}

static void times_and_numbers(void)
{
    double seconds;
    int value;
    EXPECT(bench_parse_seconds("200ms", &seconds) && seconds == 0.2);
    EXPECT(bench_parse_seconds("2", &seconds) && seconds == 2);
    EXPECT(bench_parse_seconds("1.5s", &seconds) && seconds == 1.5);
    EXPECT(!bench_parse_seconds("0", &seconds) && !bench_parse_seconds("-1", &seconds));
    EXPECT(!bench_parse_seconds("nan", &seconds) && !bench_parse_seconds("2h", &seconds));
    EXPECT(bench_parse_int("12", 1, 12, &value) && value == 12);
    EXPECT(!bench_parse_int("13", 1, 12, &value) && !bench_parse_int("1x", 1, 12, &value));
}

int main(void)
{
    sizes_have_units();
    lists_and_ranges();
    text_is_parsed_back();
    times_and_numbers();
    return 0;
}
