/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices in words, for tutti-info: for each way in which ranks may lie on nodes, from size to size. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collectives/contract/contract.h"
#include "collectives/select/select.h"
#include "runtime/base/options.h"
#include "runtime/base/parse.h"

#define WORDS 560

/* Ways that have the same choices are told together. */
static const struct {
    const char *name;
    bool on_grids; /* of exchanges between neighbours alone */
    tti_question question;
} layouts[] = {
    {"one node", false, {.window = true}},
    {"one node whose ranks share processors", false, {.window = true, .crowded = true}},
    {"several nodes", false, {.by_node = true}},
    {"several nodes, on a grid", true, {.by_node = true, .offsets = true}},
    {"one rank a node", false, {0}},
};
#define LAYOUTS ((int)(sizeof layouts / sizeof layouts[0]))

typedef struct {
    enum tti_collective collective;
    const tti_contract *contract;
    int ranks;
    tutti_info_fn *tell;
    void *context;
} teller;

/* Several nodes of which some have several ranks need three. */
static bool applies(const teller *t, int layout)
{
    const tti_question *question = &layouts[layout].question;
    const int least = question->by_node ? 3 : question->window ? 2 : 1;
    return t->ranks >= least && (t->contract->neighbours || !layouts[layout].on_grids);
}

static tti_question question_of(const teller *t, int layout, size_t bytes)
{
    tti_question question = layouts[layout].question;
    question.size = t->ranks;
    question.bytes = bytes;
    question.commutes = true;
    if (strcmp(tti_option_text(TTI_OPTION_TRANSPORT), "fabric") == 0)
        question.window = question.crowded = false;
    return question;
}

/* What is chosen instead where two copies are shorter than the kernel's one. */
static void describe_twice(const teller *t, tti_question question, const tti_algorithm *usual, char *words,
                           size_t room)
{
    question.twice = question.crowded;
    const tti_algorithm *twice = tti_select(t->collective, &question).algorithm;
    words[0] = '\0';
    if (twice != usual)
        snprintf(words, room, "; %s where two copies are shorter than the kernel's", twice->name);
}

/* What is chosen besides where all can read in each other's buffers; two ranks may both copy then. */
static void describe_reach(const teller *t, tti_question question, const tti_algorithm *usual, char *words,
                           size_t room)
{
    question.reach = question.window;
    const tti_algorithm *shown = tti_select(t->collective, &question).algorithm;
    question.both = question.window && t->ranks == 2;
    const tti_algorithm *both = tti_select(t->collective, &question).algorithm;
    words[0] = '\0';
    if (both != shown)
        snprintf(words, room, "; %s, of much %s, where buffers can be read", shown->name, both->name);
    else if (shown != usual)
        snprintf(words, room, "; %s where buffers can be read", shown->name);
}

/* What is chosen instead of that where the kernel copies quickly. */
static void describe_once(const teller *t, tti_question question, char *words, size_t room)
{
    question.reach = question.window;
    const tti_algorithm *shown = tti_select(t->collective, &question).algorithm;
    question.once = question.window;
    const tti_algorithm *once = tti_select(t->collective, &question).algorithm;
    words[0] = '\0';
    if (once != shown) snprintf(words, room, "; %s where the kernel copies quickly", once->name);
}

/* Two calls are done alike where these words are alike. */
static void describe(const teller *t, int layout, size_t bytes, char words[WORDS])
{
    char why[160], radix[32] = "", chunk[40] = "", twice[80], reach[100], once[80];
    const tti_question question = question_of(t, layout, bytes);
    const tti_choice choice = tti_select_explain(t->collective, &question, why, sizeof why);
    describe_twice(t, question, choice.algorithm, twice, sizeof twice);
    describe_reach(t, question, choice.algorithm, reach, sizeof reach);
    describe_once(t, question, once, sizeof once);
    if ((choice.algorithm->wants & TTI_TAKES_RADIX) != 0)
        snprintf(radix, sizeof radix, " k=%d", choice.radix);
    if ((choice.algorithm->wants & TTI_TAKES_CHUNK) != 0)
        snprintf(chunk, sizeof chunk, " chunk=%zu", choice.chunk);
    snprintf(words, WORDS, "%s%s%s (%s)%s%s%s", choice.algorithm->name, radix, chunk, why, twice, reach,
             once);
}

static void tell_up_to(const teller *t, const char *subject, size_t last, const char *words)
{
    char size[32], what[40];
    tti_print_size(last, size, sizeof size);
    snprintf(what, sizeof what, "up to %s", size);
    t->tell(subject, what, words, t->context);
}

static void tell_sizes(const teller *t, int layout, const char *subject)
{
    char words[WORDS], next[WORDS];
    bool changed = false;
    describe(t, layout, 0, words);
    for (size_t at = 0; (at = tti_select_next(t->collective, at)) < SIZE_MAX;) {
        describe(t, layout, at, next);
        if (strcmp(words, next) == 0) continue;
        tell_up_to(t, subject, at - 1, words);
        memcpy(words, next, sizeof words);
        changed = true;
    }
    t->tell(subject, changed ? "beyond" : "any size", words, t->context);
}

static bool same(const teller *t, int a, int b)
{
    char of_a[WORDS], of_b[WORDS];
    for (size_t at = 0; at < SIZE_MAX; at = tti_select_next(t->collective, at)) {
        describe(t, a, at, of_a);
        describe(t, b, at, of_b);
        if (strcmp(of_a, of_b) != 0) return false;
    }
    return true;
}

/* The collective and all layouts like this one; false if an earlier one is. */
static bool name_layouts(const teller *t, int layout, char *subject, size_t room)
{
    int n = snprintf(subject, room, "%s, %s", t->contract->name, layouts[layout].name), others = 0;
    for (int i = 0; i < LAYOUTS; i++) {
        if (i == layout || !applies(t, i)) continue;
        const bool like = same(t, i, layout);
        if (like && i < layout) return false;
        if (like) n += snprintf(subject + n, room - (size_t)n, "; %s", layouts[i].name);
        others += !like;
    }
    if (others == 0) snprintf(subject, room, "%s, everywhere", t->contract->name);
    return true;
}

static void tell_layout(const teller *t, int layout)
{
    char subject[200], words[WORDS];
    if (!name_layouts(t, layout, subject, sizeof subject)) return;
    if (tti_contract_sized(t->contract)) {
        tell_sizes(t, layout, subject);
    } else {
        describe(t, layout, 0, words);
        t->tell(subject, "any", words, t->context);
    }
}

int tti_select_tell(int ranks, tutti_info_fn *tell, void *context)
{
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const teller t = {(enum tti_collective)c, tti_collective_describe((enum tti_collective)c), ranks,
                          tell, context};
        for (int i = 0; i < LAYOUTS; i++)
            if (applies(&t, i)) tell_layout(&t, i);
    }
    return 0;
}
