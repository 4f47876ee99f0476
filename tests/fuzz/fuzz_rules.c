/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of collectives: the first byte picks the collective, the rest is the text. */
#include <stdlib.h>
#include <string.h>

#include "collectives/select/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tti_rules rules;
    if (size == 0) return 0;
    char *text = malloc(size);
    if (text == NULL) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const enum tti_collective collective = (enum tti_collective)(data[0] % TTI_COLLECTIVES);
    const bool parsed = tti_rules_parse(collective, "TUTTI_FUZZ", text, &rules) == 0;
    for (int i = 0; parsed && i < rules.count; i++) {
        const tti_rule *rule = &rules.rule[i];
        const bool sound = rule->choice.algorithm != NULL && rule->choice.radix >= 2 &&
                           rule->choice.radix <= TTI_RADIX_MAX && rule->choice.chunk > 0 &&
                           rule->from < rule->to;
        if (!sound) abort();
    }
    free(text);
    return 0;
}
