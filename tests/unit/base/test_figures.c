/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures as text, their bounds, and what several measurements say together. */
#include <ctype.h>
#include <string.h>

#include "runtime/base/figures.h"
#include "runtime/base/options.h"
#include "runtime/base/parse.h"
#include "tests/unit/expect.h"

static char why[160];

/* As a Turkish program has them, for which I and i are two letters: the library must not go by these. */
int strncasecmp(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const int x = a[i] == 'I' ? 'I' : tolower((unsigned char)a[i]);
        const int y = b[i] == 'I' ? 'I' : tolower((unsigned char)b[i]);
        if (x != y || x == '\0') return x - y;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b)
{
    return strncasecmp(a, b, SIZE_MAX);
}

static void test_text(void)
{
    const tti_figures typical = tti_figures_typical();
    tti_figures read = tti_figures_unknown();
    char text[TTI_FIGURES_TEXT];
    EXPECT(tti_figures_print(&typical, text, sizeof text) == strlen(text) &&
           strstr(text, "line=200 ") != NULL);
    EXPECT(tti_figures_parse(text, &read, why, sizeof why) && memcmp(&read, &typical, sizeof read) == 0);
    read = tti_figures_unknown();
    EXPECT(tti_figures_parse(" LINE=74,kernel_call=0\n", &read, why, sizeof why));
    EXPECT(read.value[TTI_FIGURE_LINE] == 74 && read.value[TTI_FIGURE_KERNEL_CALL] == TTI_FIGURE_NONE);
    EXPECT(read.value[TTI_FIGURE_SWITCH] == TTI_FIGURE_UNKNOWN && !tti_figures_whole(&read));
    EXPECT(tti_figures_print(&read, text, 12) < 12);
}

static void test_units(void)
{
    int64_t value;
    EXPECT(tti_parse_size("64KIB", &value) && value == 65536);
    EXPECT(tti_parse_time("2MIN", &value) && value == INT64_C(120000000000));
    EXPECT(!tti_parse_size("64KI", &value) && !tti_parse_time("2MINI", &value));
}

static void test_refusals(void)
{
    static const char *const wrong[] = {"line",
                                        "line=",
                                        "line=x",
                                        "line=4",
                                        "line=0",
                                        "line=-1",
                                        "line=99999999999999999999",
                                        "lines=200",
                                        "=200",
                                        "kernel_call=1",
                                        "line=200,switch=1000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tti_figures read = tti_figures_typical();
        const tti_figures before = read;
        EXPECT(!tti_figures_parse(wrong[i], &read, why, sizeof why) && why[0] != '\0');
        EXPECT(memcmp(&read, &before, sizeof read) == 0);
    }
}

/* Lines of a machine at peace, at work, and with both virtual processors on one core; two of them know a
 * kernel's call, one was taken where it is forbidden. */
static void test_middle(void)
{
    static const int64_t line[] = {61, 900, 28, 64},
                         call[] = {TTI_FIGURE_NONE, 2100, TTI_FIGURE_UNKNOWN, 1300};
    tti_figures samples[4];
    for (int i = 0; i < 4; i++) {
        samples[i] = tti_figures_unknown();
        samples[i].value[TTI_FIGURE_LINE] = line[i];
        samples[i].value[TTI_FIGURE_KERNEL_CALL] = call[i];
    }
    const tti_figures one = tti_figures_middle(samples, 1), three = tti_figures_middle(samples, 3),
                      all = tti_figures_middle(samples, 4), full = tti_figures_completed(&all);
    EXPECT(one.value[TTI_FIGURE_LINE] == 61 && one.value[TTI_FIGURE_KERNEL_CALL] == TTI_FIGURE_NONE);
    EXPECT(three.value[TTI_FIGURE_LINE] == 61 && three.value[TTI_FIGURE_KERNEL_CALL] == 2100);
    EXPECT(all.value[TTI_FIGURE_LINE] == 61 && all.value[TTI_FIGURE_KERNEL_CALL] == 1300);
    EXPECT(all.value[TTI_FIGURE_COPY_MIB] == TTI_FIGURE_UNKNOWN);
    EXPECT(tti_figures_whole(&full) && full.value[TTI_FIGURE_LINE] == 61);
}

/* Four of eight samples were taken while other ranks began: of what a processor does alone, the shorter half
 * counts, and there not the shortest. */
static void test_quarter(void)
{
    tti_figures samples[8];
    for (int i = 0; i < 8; i++) {
        samples[i] = tti_figures_unknown();
        samples[i].value[TTI_FIGURE_KERNEL_CALL] = samples[i].value[TTI_FIGURE_LINE] = 100 * (8 - i);
    }
    const tti_figures all = tti_figures_middle(samples, 8);
    EXPECT(all.value[TTI_FIGURE_LINE] == 400 && all.value[TTI_FIGURE_KERNEL_CALL] == 200);
}

static void test_option(void)
{
    const char *good[] = {"TUTTI_MACHINE=line=74,switch=1900", "TUTTI_EAGER_NODE=auto", NULL};
    const char *bad[] = {"TUTTI_MACHINE=line=74,swotch=1900", NULL},
               *large[] = {"TUTTI_EAGER_NODE=32k", NULL};
    EXPECT(tti_options_load(good) == 0 && tti_option_value(TTI_OPTION_EAGER_NODE) == TTI_OPTION_AUTO);
    EXPECT(tti_options_load(bad) == TUTTI_ERR_OPTION && strstr(tutti_error_detail(), "swotch") != NULL);
    EXPECT(tti_options_load(large) == TUTTI_ERR_OPTION && strstr(tutti_error_detail(), "0 to 16k") != NULL);
    char takes[160];
    tti_option_takes(tti_option_describe(TTI_OPTION_EAGER_NODE), takes, sizeof takes);
    EXPECT(strcmp(takes, "auto, or bytes (k, m, g), 0 to 16k") == 0);
    tti_options_unload();
}

int main(void)
{
    test_text();
    test_units();
    test_refusals();
    test_middle();
    test_quarter();
    test_option();
    return 0;
}
