/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/figures.h"
#include "runtime/base/log.h"
#include "runtime/base/parse.h"
#include "runtime/base/status.h"

#define PREFIX "TUTTI_"
#define PREFIX_LENGTH 6
/* Names at most this many edits away, and half of what was written, are offered as "did you mean". */
#define NEAR 3

extern char **environ;

typedef struct {
    char *text; /* owned; NULL: the default */
    int64_t value;
    enum tti_option_origin origin;
} setting;

static const tti_option_row rows[TTI_OPTION_COUNT] = {
#define OPTION(name, ranks, kind, initial, least, most, choices, help)                                       \
    [TTI_OPTION_##name] = {#name, TTI_RANKS_##ranks, TTI_KIND_##kind, initial, least, most, choices, help},
#include "runtime/base/options_table.h"
#undef OPTION
};

static setting settings[TTI_OPTION_COUNT];

/* Variables with our prefix that are other programs' and say nothing to a job. CMake looks for a package
 * where <PACKAGE>_ROOT says; build scripts set <PACKAGE>_DIR for the same purpose, and the modules of a
 * cluster one or several of the others. The head of docs/options.md (tools/tutti_info.c) lists them. */
static const char *const foreign[] = {"ROOT", "DIR", "HOME",    "BASE", "PREFIX", "PATH",   "VERSION",
                                      "BIN",  "LIB", "LIBRARY", "INC",  "LIBDIR", "INCDIR", "INCLUDE"};

/* Place of `text` in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *text)
{
    const size_t length = strlen(text);
    int index = 0;
    for (const char *at = choices; at != NULL; index++) {
        const char *bar = strchr(at, '|');
        const size_t n = bar != NULL ? (size_t)(bar - at) : strlen(at);
        if (n == length && tti_same_letters(at, text, n)) return index;
        at = bar != NULL ? bar + 1 : NULL;
    }
    return -1;
}

static bool parse_choice(const char *choices, const char *text, int64_t *value)
{
    const int index = choice_index(choices, text);
    *value = index;
    return index >= 0;
}

static bool parse_bool(const char *text, int64_t *value)
{
    const int index = choice_index("no|yes|0|1|off|on|false|true", text);
    *value = index & 1;
    return index >= 0;
}

static bool is_auto(const char *text, int64_t *value)
{
    *value = TTI_OPTION_AUTO;
    return tti_same_word(text, "auto");
}

static const char *accepted(const tti_option_row *row)
{
    switch (row->kind) {
    case TTI_KIND_BOOL: return "yes or no";
    case TTI_KIND_INT: return "an integer";
    case TTI_KIND_SIZE: return "a size such as 64, 16k, 2m, 1g";
    case TTI_KIND_AUTO_SIZE: return "auto, or a size such as 64, 16k, 2m, 1g";
    case TTI_KIND_TIME: return "a time such as 500us, 200ms, 30s";
    case TTI_KIND_CHOICE: return row->choices;
    case TTI_KIND_FIGURES: return "figures such as line=200,switch=500";
    case TTI_KIND_TEXT: break;
    }
    return "any text";
}

static bool parse_kind(const tti_option_row *row, const char *text, int64_t *value)
{
    switch (row->kind) {
    case TTI_KIND_BOOL: return parse_bool(text, value);
    case TTI_KIND_INT: return tti_parse_int(text, value);
    case TTI_KIND_SIZE: return tti_parse_size(text, value);
    case TTI_KIND_AUTO_SIZE: return is_auto(text, value) || tti_parse_size(text, value);
    case TTI_KIND_TIME: return tti_parse_time(text, value);
    case TTI_KIND_CHOICE: return parse_choice(row->choices, text, value);
    case TTI_KIND_FIGURES:
    case TTI_KIND_TEXT: break;
    }
    *value = 0;
    return true;
}

static bool is_bounded(const tti_option_row *row)
{
    return row->kind == TTI_KIND_INT || row->kind == TTI_KIND_SIZE || row->kind == TTI_KIND_AUTO_SIZE ||
           row->kind == TTI_KIND_TIME;
}

/* As the user would write it. */
static void print_bound(const tti_option_row *row, int64_t bound, char *text, size_t bytes)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int i = 0;
    if (row->kind == TTI_KIND_SIZE || row->kind == TTI_KIND_AUTO_SIZE) {
        tti_print_size((uint64_t)bound, text, bytes);
        return;
    }
    for (; row->kind == TTI_KIND_TIME && bound != 0 && bound % 1000 == 0 && i < 3; i++)
        bound /= 1000;
    snprintf(text, bytes, "%lld%s", (long long)bound,
             row->kind == TTI_KIND_TIME && bound != 0 ? units[i] : "");
}

/* "0 to 16k", or "from 1ms" where there is no upper one. */
static void print_range(const tti_option_row *row, char *text, size_t bytes)
{
    char least[32], most[32];
    print_bound(row, row->least, least, sizeof least);
    print_bound(row, row->most, most, sizeof most);
    if (row->most == INT64_MAX)
        snprintf(text, bytes, "from %s", least);
    else
        snprintf(text, bytes, "%s to %s", least, most);
}

void tti_option_takes(const tti_option_row *row, char *text, size_t bytes)
{
    static const char *const forms[] = {
        [TTI_KIND_BOOL] = "yes or no",
        [TTI_KIND_INT] = "integer",
        [TTI_KIND_SIZE] = "bytes (k, m, g)",
        [TTI_KIND_AUTO_SIZE] = "auto, or bytes (k, m, g)",
        [TTI_KIND_TIME] = "time (ns, us, ms, s; s where there is none)",
        [TTI_KIND_TEXT] = "text",
        [TTI_KIND_FIGURES] = "name=value,...",
        [TTI_KIND_CHOICE] = "",
    };
    char range[80];
    print_range(row, range, sizeof range);
    snprintf(text, bytes, "%s%s%s", row->choices != NULL ? row->choices : forms[row->kind],
             is_bounded(row) ? ", " : "", is_bounded(row) ? range : "");
}

static int check_figures(const tti_option_row *row, const char *text)
{
    char why[160];
    tti_figures figures = tti_figures_unknown();
    if (tti_figures_parse(text, &figures, why, sizeof why)) return 0;
    return tti_fail(TUTTI_ERR_OPTION, "TUTTI_%s=%.64s is not understood: %s; see `tutti-info --machine`",
                    row->name, text, why);
}

int tti_option_parse(const tti_option_row *row, const char *text, int64_t *value)
{
    int64_t parsed;
    char range[80];
    if (!parse_kind(row, text, &parsed))
        return tti_fail(TUTTI_ERR_OPTION, "TUTTI_%s=%.64s is not understood; it takes %s", row->name, text,
                        accepted(row));
    const bool chosen = row->kind == TTI_KIND_AUTO_SIZE && parsed == TTI_OPTION_AUTO;
    if (is_bounded(row) && !chosen && (parsed < row->least || parsed > row->most)) {
        print_range(row, range, sizeof range);
        return tti_fail(TUTTI_ERR_OPTION, "TUTTI_%s=%.64s is out of range: it takes %s", row->name, text,
                        range);
    }
    *value = parsed;
    return row->kind == TTI_KIND_FIGURES ? check_figures(row, text) : 0;
}

static int find_row(const char *name, size_t length)
{
    for (int i = 0; i < TTI_OPTION_COUNT; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0) return i;
    }
    return -1;
}

static const char *nearest_name(const char *name)
{
    const char *best = NULL;
    int best_distance = NEAR + 1;
    for (int i = 0; i < TTI_OPTION_COUNT; i++) {
        const int distance = tti_parse_distance(name, rows[i].name);
        if (distance < best_distance && 2 * (size_t)distance <= strlen(name)) {
            best_distance = distance;
            best = rows[i].name;
        }
    }
    return best;
}

static bool is_foreign(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (strlen(foreign[i]) == length && strncmp(foreign[i], name, length) == 0) return true;
    }
    return false;
}

/* A mistyped option must not pass for a set one: the job would run, and measure, something else. */
static int refuse_unknown(const char *entry)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "="), entry);
    const char *near = nearest_name(name);
    if (near != NULL)
        return tti_fail(TUTTI_ERR_OPTION, "unknown option TUTTI_%s; did you mean TUTTI_%s?", name, near);
    return tti_fail(TUTTI_ERR_OPTION, "unknown option TUTTI_%s; unset it, or see `tutti-info --options`",
                    name);
}

static int assign(int index, const char *text, enum tti_option_origin origin)
{
    int64_t value;
    const int code = tti_option_parse(&rows[index], text, &value);
    if (code < 0) return code;
    char *copy = strdup(text);
    if (copy == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for option TUTTI_%s", rows[index].name);
    free(settings[index].text);
    settings[index] = (setting){copy, value, origin};
    return 0;
}

static int load_defaults(void)
{
    tti_options_unload();
    for (int i = 0; i < TTI_OPTION_COUNT; i++) {
        const int code = assign(i, rows[i].initial, TTI_ORIGIN_DEFAULT);
        if (code < 0) return code;
    }
    return 0;
}

static int load_program(const char *const *set)
{
    for (; set != NULL && *set != NULL; set++) {
        const char *equals = strchr(*set, '=');
        const bool ours = strncmp(*set, PREFIX, PREFIX_LENGTH) == 0 && equals != NULL;
        const int index = ours ? find_row(*set + PREFIX_LENGTH, (size_t)(equals - *set) - PREFIX_LENGTH) : -1;
        if (index < 0)
            return tti_fail(TUTTI_ERR_OPTION,
                            "tutti_options.set has \"%.80s\", which is no TUTTI_<OPTION>=value", *set);
        const int code = assign(index, equals + 1, TTI_ORIGIN_PROGRAM);
        if (code < 0) return code;
    }
    return 0;
}

static int load_environment(void)
{
    for (char **entry = environ; *entry != NULL; entry++) {
        if (strncmp(*entry, PREFIX, PREFIX_LENGTH) != 0) continue;
        const char *name = *entry + PREFIX_LENGTH;
        const char *equals = strchr(name, '=');
        if (equals == NULL || is_foreign(name, (size_t)(equals - name))) continue;
        const int index = find_row(name, (size_t)(equals - name));
        const int code = index < 0 ? refuse_unknown(name) : assign(index, equals + 1, TTI_ORIGIN_ENVIRONMENT);
        if (code < 0) return code;
    }
    return 0;
}

int tti_options_load(const char *const *set)
{
    int code = load_defaults();
    if (code == 0) code = load_program(set);
    if (code == 0) code = load_environment();
    return code;
}

void tti_options_unload(void)
{
    for (int i = 0; i < TTI_OPTION_COUNT; i++) {
        free(settings[i].text);
        settings[i] = (setting){0};
    }
}

const tti_option_row *tti_option_describe(enum tti_option option)
{
    return &rows[option];
}

enum tti_option_origin tti_option_where(enum tti_option option)
{
    return settings[option].origin;
}

const char *tti_option_text(enum tti_option option)
{
    return settings[option].text != NULL ? settings[option].text : rows[option].initial;
}

int64_t tti_option_value(enum tti_option option)
{
    return settings[option].value;
}

const char *tti_environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}
