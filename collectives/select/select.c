/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/select/select.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collectives/contract/contract.h"
#include "collectives/select/rules.h"
#include "runtime/base/hot.h"
#include "runtime/base/options.h"

static const struct {
    enum tti_option option;
    const char *variable; /* as the user writes it */
} sources[TTI_COLLECTIVES] = {
#define COLLECTIVE(NAME, ...) [TTI_##NAME] = {TTI_OPTION_##NAME, "TUTTI_" #NAME},
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
};

static tti_rules rules_of[TTI_COLLECTIVES];

int tti_select_open(void)
{
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const int code = tti_rules_parse((enum tti_collective)c, sources[c].variable,
                                         tti_option_text(sources[c].option), &rules_of[c]);
        if (code == 0) continue;
        tti_select_close();
        return code;
    }
    return 0;
}

void tti_select_close(void)
{
    memset(rules_of, 0, sizeof rules_of);
}

static bool may(const tti_algorithm *algorithm, const tti_question *q)
{
    return (q->commutes || (algorithm->wants & TTI_NEEDS_COMMUTING) == 0) &&
           (q->by_node || (algorithm->wants & TTI_NEEDS_NODES) == 0) &&
           (q->window || (algorithm->wants & TTI_NEEDS_WINDOW) == 0) &&
           (q->offsets || (algorithm->wants & TTI_NEEDS_OFFSETS) == 0) &&
           (q->stencil || (algorithm->wants & TTI_NEEDS_STENCIL) == 0) &&
           (q->groups || (algorithm->wants & TTI_NEEDS_GROUPS) == 0) &&
           (q->size % 2 == 0 || (algorithm->wants & TTI_NEEDS_EVEN) == 0);
}

TTI_HOT static const tti_rule *find_rule(enum tti_collective collective, const tti_question *q)
{
    const tti_rules *rules = &rules_of[collective];
    for (int i = 0; i < rules->count; i++) {
        const tti_rule *rule = &rules->rule[i];
        if (q->bytes >= rule->from && q->bytes < rule->to && may(rule->choice.algorithm, q)) return rule;
    }
    return NULL;
}

static const tti_algorithm *algorithm_of(enum tti_collective collective, const tti_default_row *row)
{
    return tti_algorithm_find(collective, row->algorithm, strlen(row->algorithm));
}

/* By default: counting is for ranks that share processors, copying by both for much, and messages are few
 * where they are dear. */
static bool suits(const tti_algorithm *algorithm, const tti_question *q)
{
    return may(algorithm, q) && (q->crowded || (algorithm->wants & TTI_COUNTS) == 0) &&
           (q->both || (algorithm->wants & TTI_BOTH_COPY) == 0) &&
           (!q->window || (algorithm->wants & TTI_NEEDS_STENCIL) == 0);
}

static bool is_for(const tti_default_row *row, const tti_question *q)
{
    if ((row->ranks & TTI_ROW_TWICE) != 0 && !q->twice) return false;
    if ((row->ranks & TTI_ROW_ONCE) != 0 && !q->once) return false;
    return q->size <= (row->ranks & TTI_ANY_RANKS) && q->bytes <= row->bytes;
}

/* The last row of each collective takes everything. */
static const tti_default_row *find_default(enum tti_collective collective, const tti_question *q)
{
    const tti_default_row *row = tti_collective_describe(collective)->defaults;
    for (;; row++) {
        const tti_algorithm *algorithm = algorithm_of(collective, row);
        const bool reach = q->reach || (algorithm->wants & TTI_NEEDS_REACH) == 0;
        if (is_for(row, q) && reach && suits(algorithm, q)) return row;
    }
}

/* Of what shares WINDOWs each share is one rank's to read, and all that one of two ranks shows. */
static size_t chunk_of(const tti_algorithm *algorithm, const tti_default_row *row, const tti_question *q)
{
    const size_t chunk = row->chunk > 0 ? row->chunk : TTI_RULE_CHUNK;
    const bool each = q->size == 2 || (algorithm->wants & TTI_SHARES_WINDOW) != 0;
    return each && q->message > 0 && q->message < chunk ? q->message : chunk;
}

static tti_choice choice_of(enum tti_collective collective, const tti_default_row *row, const tti_question *q)
{
    const tti_algorithm *algorithm = algorithm_of(collective, row);
    int radix = row->radix > 0 ? row->radix : q->size;
    if (radix < 2) radix = 2;
    if (radix > TTI_RADIX_MAX) radix = TTI_RADIX_MAX;
    return (tti_choice){algorithm, radix, chunk_of(algorithm, row, q), 0, (row->ranks & TTI_ROW_ONCE) != 0};
}

tti_choice tti_select(enum tti_collective collective, const tti_question *question)
{
    const tti_rule *rule = find_rule(collective, question);
    if (rule != NULL) return rule->choice;
    return choice_of(collective, find_default(collective, question), question);
}

tti_choice tti_select_explain(enum tti_collective collective, const tti_question *question, char *why,
                              size_t room)
{
    const tti_rules *rules = &rules_of[collective];
    const tti_rule *rule = find_rule(collective, question);
    if (rule != NULL) {
        snprintf(why, room, "rule %d of %s", (int)(rule - rules->rule) + 1, sources[collective].variable);
    } else {
        snprintf(why, room, "%s%s", find_default(collective, question)->why,
                 rules->count > 0 ? " (no rule of the user's fits)" : "");
    }
    return tti_select(collective, question);
}

/* Lowers *next to `size` if that is beyond `bytes`. */
static void lower(size_t bytes, size_t size, size_t *next)
{
    if (size > bytes && size < *next) *next = size;
}

size_t tti_select_next(enum tti_collective collective, size_t bytes)
{
    const tti_rules *rules = &rules_of[collective];
    size_t next = SIZE_MAX;
    for (int i = 0; i < rules->count; i++) {
        lower(bytes, rules->rule[i].from, &next);
        lower(bytes, rules->rule[i].to, &next);
    }
    /* No row behind the one that takes whatever there is comes to its turn. */
    const tti_question any = {.size = TTI_ANY_RANKS, .bytes = TTI_ANY_BYTES};
    const tti_default_row *last = find_default(collective, &any);
    for (const tti_default_row *row = tti_collective_describe(collective)->defaults; row < last; row++)
        if (row->bytes < TTI_ANY_BYTES) lower(bytes, row->bytes + 1, &next);
    return next;
}
