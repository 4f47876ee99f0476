/* SPDX-License-Identifier: BSD-3-Clause */
/* What tutti-info says of choices: every collective, in every layout, to the byte where a choice ends. */
#include <stdio.h>
#include <string.h>

#include "collectives/contract/contract.h"
#include "collectives/select/select.h"
#include "runtime/base/options.h"
#include "tests/unit/expect.h"

#define MOST_LINES 600

static struct {
    char subject[200], what[40], value[480];
} lines[MOST_LINES];
static int count;

static void keep(const char *subject, const char *what, const char *value, void *context)
{
    EXPECT(context == &count && count < MOST_LINES);
    snprintf(lines[count].subject, sizeof lines[count].subject, "%s", subject);
    snprintf(lines[count].what, sizeof lines[count].what, "%s", what);
    snprintf(lines[count++].value, sizeof lines[0].value, "%s", value);
}

static void ask(int ranks, const char *option)
{
    const char *const set[] = {option, NULL};
    count = 0;
    EXPECT(tti_options_load(set) == 0 && tti_select_open() == 0);
    EXPECT(tti_select_tell(ranks, keep, &count) == 0);
    tti_select_close();
    tti_options_unload();
}

/* Whether there is a line of the subject that begins so, which says this and then has these words. */
static bool says(const char *subject, const char *what, const char *words)
{
    for (int i = 0; i < count; i++)
        if (strncmp(lines[i].subject, subject, strlen(subject)) == 0 && strcmp(lines[i].what, what) == 0 &&
            strstr(lines[i].value, words) != NULL)
            return true;
    return false;
}

static bool tells_of(const char *words)
{
    for (int i = 0; i < count; i++)
        if (strstr(lines[i].subject, words) != NULL || strstr(lines[i].value, words) != NULL) return true;
    return false;
}

/* The last line of each subject is for all sizes beyond, and each collective has one. */
static void test_all(void)
{
    ask(12, NULL);
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        char subject[100];
        snprintf(subject, sizeof subject, "%s, ", tti_collective_describe((enum tti_collective)c)->name);
        EXPECT(says(subject, "any", "") || says(subject, "any size", "") || says(subject, "beyond", ""));
    }
    for (int i = 0; i < count; i++) {
        const bool last = i + 1 == count || strcmp(lines[i].subject, lines[i + 1].subject) != 0;
        EXPECT(last != (strncmp(lines[i].what, "up to ", 6) == 0));
    }
}

static void test_layouts(void)
{
    ask(12, NULL);
    EXPECT(says("allreduce, one node whose ranks share processors", "up to 4k", "counted"));
    EXPECT(says("allreduce, several nodes", "beyond", "by_node"));
    EXPECT(says("allgather, one node", "beyond", "shown where buffers can be read"));
    EXPECT(says("neighbor_alltoall, one node", "up to 32k", "window") &&
           !says("neighbor_alltoall, one node", "up to 32k", "shown where buffers can be read"));
    EXPECT(says("neighbor_alltoall, one node", "up to 64k", "shown where buffers can be read"));
    EXPECT(says("neighbor_alltoall, several nodes, on a grid", "up to 32k", "by_node"));
    EXPECT(says("neighbor_alltoallv, several nodes, on a grid", "any", "by_node"));
    EXPECT(says("scan, several nodes", "up to 1m", "by_node"));
    ask(24, NULL);
    EXPECT(says("exscan, several nodes", "up to 1m", "by_node"));
    ask(2, NULL);
    EXPECT(!tells_of("several nodes") && tells_of("of much shown_both, where buffers can be read"));
    ask(1, NULL);
    EXPECT(!tells_of("one node") && says("bcast, everywhere", "any size", ""));
}

/* A rule ends before the size that it names. */
static void test_edge(void)
{
    ask(12, "TUTTI_BCAST=0-3001:chain:chunk=2k;5000-:knomial:k=3");
    EXPECT(says("bcast, one rank a node", "up to 3000", "chain chunk=2048 (rule 1 of TUTTI_BCAST)"));
    EXPECT(says("bcast, one rank a node", "up to 4999", "(no rule of the user's fits)"));
    EXPECT(says("bcast, one rank a node", "beyond", "knomial k=3 (rule 2 of TUTTI_BCAST)"));
}

/* However large the size is, and however near the other end. */
static void test_all_ends(void)
{
    ask(12, NULL);
    EXPECT(says("bcast, one node", "up to 64m", "window") && !says("bcast, one node", "beyond", "window"));
    ask(12, "TUTTI_BCAST=5k-6k:bine;0-1:knomial:k=7;100m-200m:chain;1024g-:bine");
    EXPECT(says("bcast, one rank a node", "up to 0", "knomial k=7 (rule 2 of TUTTI_BCAST)"));
    EXPECT(says("bcast, one rank a node", "up to 5119", "(no rule of the user's fits)"));
    EXPECT(says("bcast, one rank a node", "up to 6143", "bine (rule 1 of TUTTI_BCAST)"));
    EXPECT(says("bcast, one rank a node", "up to 104857599", "(no rule of the user's fits)"));
    EXPECT(says("bcast, one rank a node", "up to 209715199", "chain chunk=65536 (rule 3 of TUTTI_BCAST)"));
    EXPECT(says("bcast, one rank a node", "up to 1099511627775", "(no rule of the user's fits)"));
    EXPECT(says("bcast, one rank a node", "beyond", "bine (rule 4 of TUTTI_BCAST)"));
}

static void test_fabric(void)
{
    ask(12, "TUTTI_TRANSPORT=fabric");
    EXPECT(!tells_of("counted") && !tells_of("can be read"));
    EXPECT(says("bcast, one node; one node whose ranks share processors; one rank a node", "up to 16k",
                "knomial"));
}

int main(void)
{
    test_all();
    test_layouts();
    test_edge();
    test_all_ends();
    test_fabric();
    return 0;
}
