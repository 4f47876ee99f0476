/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/alike.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/digest.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"

#define TEXT_MOST 160 /* of a value in an error's text */
#define REST "...\n"  /* the last line where others found no room */

static bool is_alike(int option)
{
    return tti_option_describe((enum tti_option)option)->ranks == TTI_RANKS_ALIKE;
}

/* "1s" and "1000ms" are the same; texts are so letter by letter. */
static bool is_same(const tti_option_row *row, const char *one, const char *other)
{
    int64_t first, second;
    if (row->kind == TTI_KIND_TEXT || tti_option_parse(row, one, &first) < 0 ||
        tti_option_parse(row, other, &second) < 0)
        return strcmp(one, other) == 0;
    return first == second;
}

static uint64_t mix_value(uint64_t digest, enum tti_option option)
{
    const char *text = tti_option_text(option);
    const int64_t value = tti_option_value(option);
    if (tti_option_describe(option)->kind == TTI_KIND_TEXT) return tti_digest(digest, text, strlen(text) + 1);
    return tti_digest(digest, &value, sizeof value);
}

static uint64_t digest_of_own(void)
{
    uint64_t digest = TTI_DIGEST_OF_NOTHING;
    for (int i = 0; i < TTI_OPTION_COUNT; i++)
        if (is_alike(i)) digest = mix_value(digest, (enum tti_option)i);
    return digest;
}

static bool is_default(enum tti_option option)
{
    const tti_option_row *row = tti_option_describe(option);
    return is_same(row, tti_option_text(option), row->initial);
}

/* Whether there was room for it, and for the line that says what comes after. */
static bool append(tti_alike *own, enum tti_option option)
{
    const size_t used = strlen(own->set);
    const size_t room = sizeof own->set - used - strlen(REST);
    const int length = snprintf(own->set + used, room, "%s=%s\n", tti_option_describe(option)->name,
                                tti_option_text(option));
    if ((size_t)length < room) return true;
    memcpy(own->set + used, REST, sizeof REST);
    return false;
}

void tti_alike_own(tti_alike *own)
{
    bool room = true;
    *own = (tti_alike){.digest = digest_of_own()};
    for (int i = 0; i < TTI_OPTION_COUNT && room; i++)
        if (is_alike(i) && !is_default((enum tti_option)i)) room = append(own, (enum tti_option)i);
}

void tti_alike_put(tti_wire_out *out, const tti_alike *alike)
{
    const size_t length = strlen(alike->set);
    tti_wire_put_uint(out, alike->digest, 8);
    tti_wire_put_uint(out, length, 2);
    tti_wire_put(out, alike->set, length);
}

/* Control characters would reach a terminal through error texts. */
void tti_alike_take(tti_wire_in *in, tti_alike *alike)
{
    *alike = (tti_alike){.digest = tti_wire_take_uint(in, 8)};
    const size_t length = tti_wire_take_uint(in, 2);
    const char *set = tti_wire_take(in, length);
    if (set == NULL || length >= sizeof alike->set) {
        in->failed = true;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if ((set[i] < ' ' || set[i] > '~') && set[i] != '\n') in->failed = true;
        alike->set[i] = set[i];
    }
    if (length > 0 && set[length - 1] != '\n') in->failed = true;
}

/* The option's value by what was told, into `value`: its default where it is not there. False where it may
 * be among those that were not told. */
static bool find(const tti_alike *told, const tti_option_row *row, char value[TTI_ALIKE_ROOM])
{
    const size_t length = strlen(row->name);
    const char *line = told->set;
    snprintf(value, TTI_ALIKE_ROOM, "%s", row->initial);
    for (size_t whole; (whole = strcspn(line, "\n")) > 0; line += whole + 1) {
        if (strcmp(line, REST) == 0) return false;
        if (whole <= length || line[length] != '=' || strncmp(line, row->name, length) != 0) continue;
        snprintf(value, TTI_ALIKE_ROOM, "%.*s", (int)(whole - length - 1), line + length + 1);
        return true;
    }
    return true;
}

static const char *or_unset(const char *text)
{
    return text[0] != '\0' ? text : "not set";
}

static int differ(const tti_alike *told, int rank, int self)
{
    for (int i = 0; i < TTI_OPTION_COUNT; i++) {
        const tti_option_row *row = tti_option_describe((enum tti_option)i);
        char theirs[TTI_ALIKE_ROOM];
        const char *own = tti_option_text((enum tti_option)i);
        if (!is_alike(i) || !find(told, row, theirs) || is_same(row, own, theirs)) continue;
        return tti_fail(TUTTI_ERR_OPTION,
                        "TUTTI_%s is %.*s at rank %d and %.*s at rank %d: set it to the same for all ranks",
                        row->name, TEXT_MOST, or_unset(theirs), rank, TEXT_MOST, or_unset(own), self);
    }
    return tti_fail(TUTTI_ERR_OPTION,
                    "ranks %d and %d differ in options that must be the same at all ranks, which "
                    "`tutti-info --options` tells: set them to the same",
                    rank, self);
}

int tti_alike_check(const tti_alike *told, int rank, int self)
{
    return digest_of_own() == told->digest ? 0 : differ(told, rank, self);
}
