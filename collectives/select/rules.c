/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/select/rules.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collectives/contract/contract.h"
#include "runtime/base/parse.h"
#include "runtime/base/status.h"

#define WORD_MOST 31

typedef struct {
    enum tti_collective collective;
    const char *option, *text, *at;
} reader;

static int fail_at(const reader *r, const char *expected)
{
    return tti_fail(TUTTI_ERR_OPTION,
                    "%s=%.80s: at character %ld (\"%.12s\") there should be %s; a rule looks like "
                    "0-2k:recmul:k=4",
                    r->option, r->text, (long)(r->at - r->text) + 1, r->at, expected);
}

static int fail_algorithm(const reader *r)
{
    const tti_contract *contract = tti_collective_describe(r->collective);
    char names[320] = "one of";
    for (int i = 0; i < contract->count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s %s", i > 0 ? "," : "", contract->algorithms[i].name);
    }
    return fail_at(r, names);
}

static size_t word_length(const char *at)
{
    return strcspn(at, ":;-=");
}

/* A size such as 2k; none gives `otherwise`. False if malformed. */
static bool read_size(reader *r, size_t otherwise, size_t *value)
{
    const size_t length = word_length(r->at);
    char word[WORD_MOST + 1];
    int64_t parsed;
    *value = otherwise;
    if (length == 0) return true;
    if (length > WORD_MOST) return false;
    memcpy(word, r->at, length);
    word[length] = '\0';
    if (!tti_parse_size(word, &parsed)) return false;
    *value = (size_t)parsed;
    r->at += length;
    return true;
}

static int read_number(reader *r, int least, int most, const char *what, int *number)
{
    const reader before = *r;
    char expected[64];
    size_t value;
    snprintf(expected, sizeof expected, "%s from %d to %d", what, least, most);
    if (!read_size(r, 0, &value) || value < (size_t)least || value > (size_t)most)
        return fail_at(&before, expected);
    *number = (int)value;
    return 0;
}

static int read_chunk(reader *r, tti_choice *choice)
{
    const reader before = *r;
    if (!read_size(r, 0, &choice->chunk) || choice->chunk == 0)
        return fail_at(&before, "a chunk size above 0 such as 64k");
    return 0;
}

static bool take(reader *r, const char *word)
{
    if (strncmp(r->at, word, strlen(word)) != 0) return false;
    r->at += strlen(word);
    return true;
}

static int fail_parameter(const reader *r, unsigned wants)
{
    static const struct {
        unsigned flag;
        const char *text;
    } known[] = {
        {TTI_TAKES_RADIX, "k=RADIX"}, {TTI_TAKES_CHUNK, "chunk=SIZE"}, {TTI_TAKES_LEADERS, "leaders=NUMBER"}};
    char names[64] = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t used = strlen(names);
        if ((wants & known[i].flag) != 0)
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? " or " : "", known[i].text);
    }
    return fail_at(r, names[0] != '\0' ? names : "the end of the rule, as this algorithm has no parameter");
}

static int read_parameter(reader *r, tti_choice *choice)
{
    const unsigned wants = choice->algorithm->wants;
    if ((wants & TTI_TAKES_RADIX) != 0 && take(r, "k="))
        return read_number(r, 2, TTI_RADIX_MAX, "a radix", &choice->radix);
    if ((wants & TTI_TAKES_CHUNK) != 0 && take(r, "chunk=")) return read_chunk(r, choice);
    if ((wants & TTI_TAKES_LEADERS) != 0 && take(r, "leaders="))
        return read_number(r, 1, TTI_LEADERS_MAX, "a number of leaders", &choice->leaders);
    return fail_parameter(r, wants);
}

static int read_choice(reader *r, tti_choice *choice)
{
    const size_t length = word_length(r->at);
    choice->algorithm = tti_algorithm_find(r->collective, r->at, length);
    choice->radix = TTI_RULE_RADIX;
    choice->chunk = TTI_RULE_CHUNK;
    choice->leaders = 0;
    if (choice->algorithm == NULL) return fail_algorithm(r);
    r->at += length;
    while (take(r, ":")) {
        const int code = read_parameter(r, choice);
        if (code < 0) return code;
    }
    return 0;
}

static int read_range(reader *r, tti_rule *rule)
{
    const reader before = *r;
    if (!read_size(r, 0, &rule->from)) return fail_at(r, "a size such as 64, 2k, 1m");
    if (!take(r, "-")) return fail_at(r, "\"-\", as in 0-2k or 2k-,");
    if (!read_size(r, SIZE_MAX, &rule->to)) return fail_at(r, "a size such as 64, 2k, 1m");
    if (rule->from >= rule->to) return fail_at(&before, "a range that ends after it begins");
    return take(r, ":") ? 0 : fail_at(r, "\":\" and an algorithm");
}

static int fail_rules(const reader *r)
{
    char expected[64];
    snprintf(expected, sizeof expected, "the end: %d rules are the most", TTI_RULES_MOST);
    return fail_at(r, expected);
}

int tti_rules_parse(enum tti_collective collective, const char *option, const char *text, tti_rules *rules)
{
    reader r = {collective, option, text, text};
    rules->count = 0;
    while (*r.at != '\0') {
        if (rules->count == TTI_RULES_MOST) return fail_rules(&r);
        tti_rule *rule = &rules->rule[rules->count];
        int code = read_range(&r, rule);
        if (code == 0) code = read_choice(&r, &rule->choice);
        if (code == 0 && !take(&r, ";") && *r.at != '\0') code = fail_at(&r, "\";\" or the end");
        if (code < 0) return code;
        rules->count++;
    }
    return 0;
}
