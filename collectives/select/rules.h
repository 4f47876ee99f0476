/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's rules:  rule[;rule…]   rule = [from]-[to]:algorithm[:k=N][:chunk=SIZE][:leaders=N]
 * "0-2k:recmul:k=4;2k-:rabenseifner": from 0 to below 2 KiB per rank recursive multiplying with radix 4, from
 * 2 KiB on Rabenseifner's. The first rule that fits holds; sizes are bytes, `to` is exclusive. Pure. */
#ifndef TTI_SELECT_RULES_H
#define TTI_SELECT_RULES_H

#include "collectives/select/choice.h"

#define TTI_RULES_MOST 32

typedef struct {
    size_t from, to; /* bytes, to is exclusive; SIZE_MAX: no end */
    tti_choice choice;
} tti_rule;

typedef struct {
    tti_rule rule[TTI_RULES_MOST];
    int count;
} tti_rules;

/* What a rule leaves out. */
#define TTI_RULE_RADIX 4
#define TTI_RULE_CHUNK ((size_t)64 << 10)

/* Empty text gives no rules. TUTTI_ERR_OPTION with a detail that says where, what was expected, and which
 * algorithms there are; `option` is the variable's name, for it. */
int tti_rules_parse(enum tti_collective collective, const char *option, const char *text, tti_rules *rules);

#endif
