/* SPDX-License-Identifier: BSD-3-Clause */
/* Options: parsing by kind, bounds, origins, and errors that name option, value and remedy. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/base/parse.h"
#include "tests/unit/expect.h"

static void test_parse(void)
{
    int64_t v;
    EXPECT(tti_parse_size("64k", &v) && v == 65536);
    EXPECT(tti_parse_size("1G", &v) && v == INT64_C(1) << 30);
    const uint64_t printed[] = {0, 65536, 1025, UINT64_C(3) << 40};
    const char *const texts[] = {"0", "64k", "1025", "3072g"};
    for (int i = 0; i < 4; i++) {
        char text[24];
        tti_print_size(printed[i], text, sizeof text);
        EXPECT(strcmp(text, texts[i]) == 0);
    }
    EXPECT(!tti_parse_size("-1", &v) && !tti_parse_size("9999999999g", &v) && !tti_parse_size("3q", &v));
    EXPECT(tti_parse_time("200ms", &v) && v == 200000000);
    EXPECT(tti_parse_time("3", &v) && v == INT64_C(3000000000));
    EXPECT(!tti_parse_time("", &v) && !tti_parse_time("1h", &v));
    EXPECT(tti_parse_distance("PROVIDR", "PROVIDER") == 1 && tti_parse_distance("", "ABC") == 3);
}

static void test_origins(void)
{
    const char *set[] = {"TUTTI_MODEX=full", "TUTTI_CONNECT_TIMEOUT=2s", NULL};
    setenv("TUTTI_MODEX", "direct", 1);
    EXPECT(tti_options_load(set) == 0);
    EXPECT(tti_option_value(TTI_OPTION_MODEX) == 1);
    EXPECT(tti_option_where(TTI_OPTION_MODEX) == TTI_ORIGIN_ENVIRONMENT);
    EXPECT(tti_option_value(TTI_OPTION_CONNECT_TIMEOUT) == INT64_C(2000000000));
    EXPECT(tti_option_where(TTI_OPTION_CONNECT_TIMEOUT) == TTI_ORIGIN_PROGRAM);
    EXPECT(tti_option_where(TTI_OPTION_PROVIDER) == TTI_ORIGIN_DEFAULT);
    tti_options_unload();
    unsetenv("TUTTI_MODEX");
}

static void test_errors(void)
{
    const char *unknown[] = {"TUTTI_NOSUCH=1", NULL};
    EXPECT(tti_options_load(unknown) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_NOSUCH") != NULL);
    const char *far[] = {"TUTTI_NOPE=1", NULL};
    EXPECT(tti_options_load(far) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "did you mean") == NULL);
    setenv("TUTTI_PROVIDR", "net", 1);
    EXPECT(tti_options_load(NULL) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "did you mean TUTTI_PROVIDER") != NULL);
    unsetenv("TUTTI_PROVIDR");
    setenv("TUTTI_CONNECT_TIMEOUT", "soon", 1);
    EXPECT(tti_options_load(NULL) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_CONNECT_TIMEOUT=soon") != NULL);
    unsetenv("TUTTI_CONNECT_TIMEOUT");
    tti_options_unload();
}

/* CMake's hints for find_package() and what a cluster's modules set stay in the environment of who builds and
 * runs; a program cannot mean them. */
static void test_foreign(void)
{
    const char *set[] = {"TUTTI_ROOT=/opt/tutti", NULL};
    EXPECT(tti_options_load(set) == TUTTI_ERR_OPTION);
    const char *const names[] = {"TUTTI_ROOT",   "TUTTI_DIR",     "TUTTI_HOME", "TUTTI_BASE",
                                 "TUTTI_PREFIX", "TUTTI_PATH",    "TUTTI_LIB",  "TUTTI_VERSION",
                                 "TUTTI_BIN",    "TUTTI_LIBRARY", "TUTTI_INC",  "TUTTI_LIBDIR",
                                 "TUTTI_INCDIR", "TUTTI_INCLUDE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], "/opt/tutti", 1);
    EXPECT(tti_options_load(NULL) == 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    setenv("TUTTI_ROOTS", "/opt/tutti", 1);
    EXPECT(tti_options_load(NULL) == TUTTI_ERR_OPTION);
    unsetenv("TUTTI_ROOTS");
    tti_options_unload();
}

int main(void)
{
    test_parse();
    test_origins();
    test_errors();
    test_foreign();
    return 0;
}
