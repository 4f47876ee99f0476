/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <string.h>

#include "collectives/select/rules.h"
#include "collectives/select/select.h"
#include "runtime/base/options.h"
#include "tests/sanitized.h"
#include "tests/unit/expect.h"

static tti_rules rules;

static int parse(const char *text)
{
    return tti_rules_parse(TTI_ALLREDUCE, "TUTTI_ALLREDUCE", text, &rules);
}

static void expect_rule(int index, size_t from, size_t to, const char *name, int radix)
{
    const tti_rule *rule = &rules.rule[index];
    EXPECT(rule->from == from && rule->to == to && rule->choice.radix == radix);
    EXPECT(strcmp(rule->choice.algorithm->name, name) == 0);
}

static void test_understood(void)
{
    EXPECT(parse("") == 0 && rules.count == 0);
    EXPECT(parse("0-2k:recmul:k=8;2k-:rabenseifner") == 0 && rules.count == 2);
    expect_rule(0, 0, 2048, "recmul", 8);
    expect_rule(1, 2048, SIZE_MAX, "rabenseifner", TTI_RULE_RADIX);
    EXPECT(parse("-:ring;") == 0 && rules.count == 1);
    expect_rule(0, 0, SIZE_MAX, "ring", TTI_RULE_RADIX);
    EXPECT(tti_rules_parse(TTI_BCAST, "TUTTI_BCAST", "64k-1M:chain:chunk=16k", &rules) == 0);
    EXPECT(rules.rule[0].choice.chunk == 16384 && rules.rule[0].to == 1 << 20);
    EXPECT(parse("-:by_leaders:leaders=2:k=8;-:by_leaders") == 0);
    expect_rule(0, 0, SIZE_MAX, "by_leaders", 8);
    EXPECT(rules.rule[0].choice.leaders == 2 && rules.rule[1].choice.leaders == 0);
}

/* Each refusal says where and what there should be. */
static void test_refused(void)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"0-2k:recmull", "character 6"},
        {"0-2k:recmull", "one of recmul, rabenseifner"},
        {"recmul", "a size such as"},
        {"5:ring", "\"-\""},
        {"2k-1k:ring", "ends after it begins"},
        {"0-2x:ring", "a size such as"},
        {"0-2k", "\":\" and an algorithm"},
        {"0-2k:", "one of"},
        {"0-2k:recmul:k=1", "a radix from 2 to 64"},
        {"0-2k:recmul:k=65", "a radix from 2 to 64"},
        {"0-2k:recmul:k=", "a radix from 2 to 64"},
        {"0-2k:recmul:chunk=4", "k=RADIX"},
        {"0-2k:ring:k=2", "has no parameter"},
        {"0-2k:by_leaders:leaders=0", "a number of leaders from 1 to 64"},
        {"0-2k:by_leaders:leaders=65", "a number of leaders from 1 to 64"},
        {"0-2k:by_leaders:chunk=1", "k=RADIX or leaders=NUMBER"},
        {"0-2k:by_node:leaders=2", "k=RADIX"},
        {"0-2k:ring;;", "character 11"},
        {"0-2k:ring,2k-:ring", "one of"},
        {"0-99999999999999999999:ring", "a size such as"},
        {"0-0000000000000000000000000000000000000001:ring", "a size such as"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT(parse(rows[i].text) == TUTTI_ERR_OPTION);
        if (strstr(tutti_error_detail(), rows[i].says) == NULL)
            fprintf(stderr, "%s: %s\n", rows[i].text, tutti_error_detail());
        EXPECT(strstr(tutti_error_detail(), rows[i].says) != NULL);
    }
    EXPECT(tti_rules_parse(TTI_BCAST, "TUTTI_BCAST", "-:chain:chunk=0", &rules) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "a chunk size above 0") != NULL);
    char many[33 * 8 + 1] = "";
    for (int i = 0; i < 33; i++)
        strcat(many, "-:ring;");
    EXPECT(parse(many) == TUTTI_ERR_OPTION && strstr(tutti_error_detail(), "32 rules") != NULL);
}

static void test_default(enum tti_collective collective, const tti_question *question)
{
    char why[200] = "";
    const tti_choice choice = tti_select_explain(collective, question, why, sizeof why);
    EXPECT(choice.algorithm != NULL && choice.radix >= 2 && choice.radix <= TTI_RADIX_MAX);
    EXPECT(choice.chunk > 0 && why[0] != '\0');
    EXPECT(question->commutes || (choice.algorithm->wants & TTI_NEEDS_COMMUTING) == 0);
    EXPECT(question->window || (choice.algorithm->wants & TTI_NEEDS_WINDOW) == 0);
    EXPECT(question->reach || (choice.algorithm->wants & TTI_NEEDS_REACH) == 0);
    EXPECT(question->both || (choice.algorithm->wants & TTI_BOTH_COPY) == 0);
    EXPECT(question->stencil || (choice.algorithm->wants & TTI_NEEDS_STENCIL) == 0);
    EXPECT(question->offsets || (choice.algorithm->wants & TTI_NEEDS_OFFSETS) == 0);
    EXPECT(question->groups || (choice.algorithm->wants & TTI_NEEDS_GROUPS) == 0);
    EXPECT(question->by_node || (choice.algorithm->wants & TTI_NEEDS_NODES) == 0);
}

/* The default table has a fitting choice for everything, and never one that is forbidden. */
static void test_defaults(void)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 9, 64, 65, 1024, 1025, 1000000, INT32_MAX};
    for (int c = 0; c < TTI_COLLECTIVES; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int shift = -1; shift < 42; shift += SANITIZED ? 6 : 2)
                for (int flags = 0; flags < 1024; flags++) {
                    const size_t bytes = shift < 0 ? 0 : (size_t)1 << shift;
                    const tti_question question = {.size = sizes[s],
                                                   .bytes = bytes,
                                                   .commutes = (flags & 1) != 0,
                                                   .by_node = (flags & 2) != 0,
                                                   .window = (flags & 4) != 0,
                                                   .crowded = (flags & 12) == 12,
                                                   .reach = (flags & 16) != 0,
                                                   .both = (flags & 64) != 0,
                                                   .groups = (flags & 128) != 0,
                                                   .once = (flags & 516) == 516,
                                                   .offsets = (flags & 32) != 0,
                                                   .stencil = (flags & 288) == 288};
                    test_default((enum tti_collective)c, &question);
                }
}

static void test_choice(void)
{
    const char *const set[] = {"TUTTI_ALLREDUCE=0-100:ring;0-1k:recmul:k=3", NULL};
    const tti_question small = {.size = 5, .bytes = 99, .commutes = true}, ordered = {.size = 5, .bytes = 99},
                       large = {.size = 5, .bytes = 1024, .commutes = true},
                       shared = {.size = 5, .bytes = 99, .commutes = true, .window = true, .crowded = true};
    char why[200];
    EXPECT(tti_options_load(set) == 0 && tti_select_open() == 0);
    EXPECT(strcmp(tti_select(TTI_ALLREDUCE, &small).algorithm->name, "ring") == 0);
    const tti_choice second = tti_select_explain(TTI_ALLREDUCE, &ordered, why, sizeof why);
    EXPECT(strcmp(second.algorithm->name, "recmul") == 0 && second.radix == 3);
    EXPECT(strcmp(why, "rule 2 of TUTTI_ALLREDUCE") == 0);
    tti_select_explain(TTI_ALLREDUCE, &large, why, sizeof why);
    EXPECT(strstr(why, "no rule of the user's fits") != NULL);
    tti_select_close();
    tti_select_explain(TTI_ALLREDUCE, &small, why, sizeof why);
    EXPECT(strstr(why, "rule") == NULL);
    EXPECT(strcmp(tti_select(TTI_ALLREDUCE, &shared).algorithm->name, "counted") == 0);
    const char *const bad[] = {"TUTTI_BARRIER=0-:dissemination;0-:forest", NULL};
    EXPECT(tti_options_load(bad) == 0 && tti_select_open() == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_BARRIER") != NULL);
    tti_options_unload();
}

static void expect_choice(enum tti_collective collective, const tti_question *question, const char *name)
{
    EXPECT(strcmp(tti_select(collective, question).algorithm->name, name) == 0);
}

/* Ranks that share processors pass any size through windows where the kernel's copy takes longer than two. */
static void test_two_copies(void)
{
    tti_question question = {.size = 8, .bytes = (size_t)1 << 20, .window = true, .crowded = true};
    expect_choice(TTI_ALLTOALL, &question, "pairwise");
    expect_choice(TTI_ALLTOALLV, &question, "window");
    expect_choice(TTI_NEIGHBOR_ALLTOALL, &question, "direct");
    question.twice = true;
    expect_choice(TTI_ALLTOALL, &question, "window");
    expect_choice(TTI_ALLTOALLV, &question, "blocks");
    question.size = 99;
    expect_choice(TTI_ALLTOALL, &question, "pairwise");
    expect_choice(TTI_NEIGHBOR_ALLTOALL, &question, "blocks");
    expect_choice(TTI_NEIGHBOR_ALLGATHER, &question, "blocks");
    expect_choice(TTI_NEIGHBOR_ALLTOALLV, &question, "blocks");
    expect_choice(TTI_NEIGHBOR_ALLGATHERV, &question, "blocks");
    question.reach = true;
    expect_choice(TTI_NEIGHBOR_ALLTOALL, &question, "shown");
}

/* Of much that ranks read once each, where the kernel copies quickly; not what several read, where there are
 * many. */
static void test_one_copy(void)
{
    tti_question question = {
        .size = 8, .bytes = (size_t)64 << 10, .window = true, .crowded = true, .reach = true};
    expect_choice(TTI_ALLTOALL, &question, "window");
    expect_choice(TTI_REDUCE_SCATTER, &question, "window");
    question.once = true;
    expect_choice(TTI_ALLTOALL, &question, "shown");
    expect_choice(TTI_REDUCE_SCATTER, &question, "shown");
    expect_choice(TTI_NEIGHBOR_ALLTOALL, &question, "shown");
    EXPECT(tti_select(TTI_ALLTOALL, &question).once && !tti_select(TTI_BCAST, &question).once);
    question.size = 4;
    EXPECT(tti_select(TTI_BCAST, &question).once);
    expect_choice(TTI_GATHER, &question, "put");
    question.bytes = (size_t)30 << 10;
    expect_choice(TTI_GATHER, &question, "put");
    question.size = 16;
    expect_choice(TTI_GATHER, &question, "window");
    question.size = 4;
    question.bytes = (size_t)64 << 10;
    question.reach = false;
    expect_choice(TTI_ALLTOALL, &question, "window");
    question.bytes = 1024;
    question.reach = true;
    expect_choice(TTI_ALLTOALL, &question, "window");
    expect_choice(TTI_GATHER, &question, "window");
}

/* On shared memory all add in the order of ranks, so that a sum does not depend on whether buffers can be
 * read in: of no size has one of the two ways messages. */
static void test_order_of_sums(void)
{
    static const enum tti_collective sums[] = {TTI_ALLREDUCE, TTI_REDUCE, TTI_REDUCE_SCATTER,
                                               TTI_REDUCE_SCATTER_BLOCK};
    for (int i = 0; i < 4 * 4 * 40; i++) {
        const enum tti_collective collective = sums[i % 4];
        const tti_question question = {.size = 2 + i / 4 % 40,
                                       .bytes = (size_t)8 << i / 4 % 40,
                                       .commutes = true,
                                       .window = true,
                                       .crowded = (i / 160 & 1) != 0,
                                       .reach = (i / 160 & 2) != 0};
        EXPECT((tti_select(collective, &question).algorithm->wants & TTI_NEEDS_WINDOW) != 0);
    }
}

static size_t chunk_of(enum tti_collective collective, int size, size_t message)
{
    const tti_question question = {.size = size, .window = true, .message = message};
    return tti_select(collective, &question).chunk;
}

static size_t chunk(enum tti_collective collective, size_t message)
{
    return chunk_of(collective, 8, message);
}

/* What is read once, and where the kernel copies, by messages, passes through windows up to there; not what
 * several read or one reads block by block, nor where the user says how much. Of two ranks each reads all. */
static void test_read_once(void)
{
    const char *const set[] = {"TUTTI_ALLTOALLW=0-:window:chunk=96k", NULL};
    EXPECT(tti_options_load(set) == 0 && tti_select_open() == 0);
    EXPECT(chunk(TTI_ALLTOALLV, 0) == 131072 && chunk(TTI_ALLTOALLV, SIZE_MAX) == 131072);
    EXPECT(chunk(TTI_ALLTOALLV, 40960) == 40960 && chunk(TTI_NEIGHBOR_ALLTOALLV, 40960) == 40960);
    EXPECT(chunk(TTI_ALLTOALLW, 40960) == 98304);
    EXPECT(chunk(TTI_NEIGHBOR_ALLGATHERV, 40960) == 262144 &&
           chunk(TTI_GATHERV, 40960) == chunk(TTI_GATHERV, 0));
    EXPECT(chunk_of(TTI_ALLTOALLV, 2, 40960) == 40960 && chunk_of(TTI_ALLTOALLV, 2, SIZE_MAX) == 2 << 20 &&
           chunk_of(TTI_NEIGHBOR_ALLGATHERV, 2, 40960) == 40960);
    tti_select_close();
    tti_options_unload();
}

int main(void)
{
    test_understood();
    test_refused();
    test_defaults();
    test_choice();
    test_two_copies();
    test_one_copy();
    test_order_of_sums();
    test_read_once();
    return 0;
}
