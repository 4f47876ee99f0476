/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/parse.h"

#define SEPARATORS ", \t\r\n"

static const tti_figure_row rows[TTI_FIGURES] = {
#define FIGURE(name, unit, least, most, typical, what)                                                       \
    [TTI_FIGURE_##name] = {#name, unit, least, most, typical, what},
#include "runtime/base/figures_table.h"
#undef FIGURE
};

const tti_figure_row *tti_figure_describe(enum tti_figure figure)
{
    return &rows[figure];
}

tti_figures tti_figures_unknown(void)
{
    tti_figures figures;
    for (int i = 0; i < TTI_FIGURES; i++)
        figures.value[i] = TTI_FIGURE_UNKNOWN;
    return figures;
}

tti_figures tti_figures_typical(void)
{
    tti_figures figures;
    for (int i = 0; i < TTI_FIGURES; i++)
        figures.value[i] = rows[i].typical;
    return figures;
}

bool tti_figures_whole(const tti_figures *figures)
{
    bool whole = true;
    for (int i = 0; i < TTI_FIGURES; i++)
        whole = whole && figures->value[i] > 0;
    return whole;
}

static bool may_be_none(enum tti_figure figure)
{
    return figure == TTI_FIGURE_KERNEL_CALL || figure == TTI_FIGURE_KERNEL_MIB || figure == TTI_FIGURE_CACHE;
}

bool tti_figure_fits(enum tti_figure figure, int64_t value)
{
    if (value == TTI_FIGURE_NONE) return may_be_none(figure);
    return value >= rows[figure].least && value <= rows[figure].most;
}

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void tti_figures_sort(int64_t *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
}

/* What one processor does by itself nothing makes shorter, and ranks that begin beside it longer: of that a
 * quarter of the samples are below the one that counts. */
static int share_below(int figure)
{
    return figure == TTI_FIGURE_KERNEL_CALL || figure == TTI_FIGURE_KERNEL_MIB ||
                   figure == TTI_FIGURE_COPY_MIB
               ? 4
               : 2;
}

static int64_t middle(const tti_figures *samples, int count, int figure)
{
    int64_t known[TTI_FIGURES_SAMPLES], missing = TTI_FIGURE_UNKNOWN;
    int found = 0;
    for (int i = 0; i < count; i++) {
        const int64_t value = samples[i].value[figure];
        if (value > 0)
            known[found++] = value;
        else if (value == TTI_FIGURE_NONE)
            missing = TTI_FIGURE_NONE;
    }
    tti_figures_sort(known, found);
    return found > 0 ? known[(found - 1) / share_below(figure)] : missing;
}

tti_figures tti_figures_middle(const tti_figures *samples, int count)
{
    tti_figures all;
    for (int i = 0; i < TTI_FIGURES; i++)
        all.value[i] = middle(samples, count, i);
    return all;
}

tti_figures tti_figures_completed(const tti_figures *figures)
{
    tti_figures full = *figures;
    for (int i = 0; i < TTI_FIGURES; i++)
        if (full.value[i] == TTI_FIGURE_UNKNOWN) full.value[i] = rows[i].typical;
    if (figures->value[TTI_FIGURE_LOAD] == TTI_FIGURE_UNKNOWN)
        full.value[TTI_FIGURE_LOAD] = full.value[TTI_FIGURE_LINE];
    return full;
}

static int find(const char *name)
{
    for (int i = 0; i < TTI_FIGURES; i++)
        if (tti_same_word(rows[i].name, name)) return i;
    return -1;
}

/* One "name=value" without blanks. */
static bool parse_pair(char *pair, tti_figures *figures, char *why, size_t why_bytes)
{
    char *equals = strchr(pair, '=');
    if (equals != NULL) *equals = '\0';
    const int i = find(pair);
    int64_t value = TTI_FIGURE_UNKNOWN;
    if (i < 0) {
        snprintf(why, why_bytes, "there is no figure \"%s\"", pair);
        return false;
    }
    if (equals == NULL || !tti_parse_int(equals + 1, &value) || !tti_figure_fits((enum tti_figure)i, value)) {
        snprintf(why, why_bytes, "%s is a whole number of %s from %" PRId64 " to %" PRId64 "%s", pair,
                 rows[i].unit, rows[i].least, rows[i].most,
                 may_be_none((enum tti_figure)i) ? ", or 0 for none" : "");
        return false;
    }
    figures->value[i] = value;
    return true;
}

bool tti_figures_parse(const char *text, tti_figures *figures, char *why, size_t why_bytes)
{
    tti_figures read = *figures;
    for (text += strspn(text, SEPARATORS); *text != '\0'; text += strspn(text, SEPARATORS)) {
        char pair[64];
        const size_t length = strcspn(text, SEPARATORS);
        snprintf(pair, sizeof pair, "%.*s", (int)(length < sizeof pair ? length : sizeof pair), text);
        if (!parse_pair(pair, &read, why, why_bytes)) return false;
        text += length;
    }
    *figures = read;
    return true;
}

size_t tti_figures_print(const tti_figures *figures, char *text, size_t bytes)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < TTI_FIGURES; i++) {
        if (figures->value[i] == TTI_FIGURE_UNKNOWN) continue;
        char pair[64];
        const int length =
            snprintf(pair, sizeof pair, "%s%s=%" PRId64, at > 0 ? " " : "", rows[i].name, figures->value[i]);
        if (at + (size_t)length >= bytes) break;
        for (char *c = pair; *c != '='; c++)
            *c = tti_lower(*c);
        memcpy(text + at, pair, (size_t)length + 1);
        at += (size_t)length;
    }
    return at;
}
