/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices in words, for tutti-info. */
#include <stdio.h>

#include "collectives/contract/contract.h"
#include "collectives/select/select.h"

static const struct {
    size_t bytes;
    const char *name;
} sizes[] = {{8, "8 bytes"},         {1 << 10, "1 KiB"}, {16 << 10, "16 KiB"},
             {128 << 10, "128 KiB"}, {1 << 20, "1 MiB"}, {16 << 20, "16 MiB"}};

static void tell_one(enum tti_collective collective, int ranks, size_t bytes, const char *size_name,
                     tutti_info_fn *tell, void *context)
{
    char why[160], value[320], radix[32] = "", chunk[40] = "";
    const tti_question question = {.size = ranks, .bytes = bytes, .commutes = true};
    const tti_choice choice = tti_select_explain(collective, &question, why, sizeof why);
    if ((choice.algorithm->wants & TTI_TAKES_RADIX) != 0)
        snprintf(radix, sizeof radix, " k=%d", choice.radix);
    if ((choice.algorithm->wants & TTI_TAKES_CHUNK) != 0)
        snprintf(chunk, sizeof chunk, " chunk=%zu", choice.chunk);
    snprintf(value, sizeof value, "%s%s%s (%s)", choice.algorithm->name, radix, chunk, why);
    tell(tti_collective_describe(collective)->name, size_name, value, context);
}

static void tell_node(enum tti_collective collective, tutti_info_fn *tell, void *context)
{
    char words[160];
    tti_select_explain_node(collective, words, sizeof words);
    tell(tti_collective_describe(collective)->name, "one node", words, context);
}

int tti_select_tell(int ranks, tutti_info_fn *tell, void *context)
{
    const int code = tti_select_open();
    if (code < 0) return code;
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const bool counted = tti_contract_sized(tti_collective_describe((enum tti_collective)c));
        tell_node((enum tti_collective)c, tell, context);
        if (!counted) tell_one((enum tti_collective)c, ranks, 0, "any", tell, context);
        for (size_t i = 0; counted && i < sizeof sizes / sizeof sizes[0]; i++)
            tell_one((enum tti_collective)c, ranks, sizes[i].bytes, sizes[i].name, tell, context);
    }
    tti_select_close();
    return 0;
}
