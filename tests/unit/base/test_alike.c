/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that must be alike: the same values in other words are the same, others are named with both values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/alike.h"
#include "runtime/base/options.h"
#include "tests/unit/expect.h"

/* What a process with these options would tell, by way of a record of just that size. */
static tti_alike told_by(const char *const *set)
{
    uint8_t wire[10 + TTI_ALIKE_ROOM];
    tti_alike own, told;
    EXPECT(tti_options_load(set) == 0);
    tti_alike_own(&own);
    tti_wire_out out = {wire, wire + sizeof wire, false};
    tti_alike_put(&out, &own);
    EXPECT(!out.failed);
    tti_wire_in in = {wire, out.at, false};
    tti_alike_take(&in, &told);
    EXPECT(!in.failed && in.at == in.end);
    return told;
}

static int check(const char *const *theirs, const char *const *own)
{
    const tti_alike told = told_by(theirs);
    EXPECT(tti_options_load(own) == 0);
    return tti_alike_check(&told, 3, 5);
}

static void test_same(void)
{
    const char *one[] = {"TUTTI_HEARTBEAT=1s", "TUTTI_KEEP=copies", "TUTTI_WAIT=spin", NULL};
    const char *other[] = {"TUTTI_HEARTBEAT=1000ms", "TUTTI_LOG=debug", NULL};
    EXPECT(check(NULL, NULL) == 0);
    EXPECT(check(one, other) == 0 && check(other, one) == 0);
}

static void test_differ(void)
{
    const char *verify[] = {"TUTTI_KEEP_GROUP=8", "TUTTI_VERIFY=calls", NULL};
    const char * not [] = {"TUTTI_KEEP_GROUP=8", NULL};
    const char *rules[] = {"TUTTI_SCAN=0-2k:doubling;2k-:chain", NULL};
    EXPECT(check(verify, not ) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_VERIFY is calls at rank 3 and no at rank 5") != NULL);
    EXPECT(check(not, verify) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_VERIFY is no at rank 3 and calls at rank 5") != NULL);
    EXPECT(check(rules, NULL) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_SCAN is 0-2k:doubling;2k-:chain at rank 3 and not set") !=
           NULL);
}

/* Nothing wrong is said of an option that found no room: here KEEP, which comes after. */
static void test_no_room(void)
{
    char longest[2 * TTI_ALIKE_ROOM];
    snprintf(longest, sizeof longest, "TUTTI_SCAN=%0*d", TTI_ALIKE_ROOM, 1);
    const char *theirs[] = {"TUTTI_BCAST=0-:chain", longest, "TUTTI_KEEP=xor", NULL};
    const char *own[] = {"TUTTI_BCAST=0-:chain", longest, NULL};
    EXPECT(strcmp(told_by(theirs).set, "BCAST=0-:chain\n...\n") == 0);
    EXPECT(check(theirs, theirs) == 0);
    EXPECT(check(theirs, own) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "ranks 3 and 5 differ in options that must be the same") != NULL);
    EXPECT(check(theirs, &own[1]) == TUTTI_ERR_OPTION);
    EXPECT(strstr(tutti_error_detail(), "TUTTI_BCAST is 0-:chain at rank 3 and not set at rank 5") != NULL);
}

/* Of another's record nothing is believed: a line without an end, and what a terminal would obey. */
static void test_damaged(void)
{
    static const char *const sets[] = {"KEEP=xor", "\033[2J\n"};
    for (int i = 0; i < 2; i++) {
        uint8_t wire[10 + TTI_ALIKE_ROOM];
        tti_alike alike = {.digest = 1};
        snprintf(alike.set, sizeof alike.set, "%s", sets[i]);
        tti_wire_out out = {wire, wire + sizeof wire, false};
        tti_alike_put(&out, &alike);
        tti_wire_in in = {wire, out.at, false};
        tti_alike_take(&in, &alike);
        EXPECT(in.failed);
    }
}

int main(void)
{
    test_same();
    test_differ();
    test_no_room();
    test_damaged();
    tti_options_unload();
    return 0;
}
