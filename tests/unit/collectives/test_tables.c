/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of parts, and that the proof finds out where ranks have tables that do not agree. */
#include "collectives/contract/table.h"

#include <string.h>

#include "tests/unit/collectives/expect_schedules.h"

#define RANKS 3

static void test_tables(void)
{
    const size_t counts[] = {4, 0, 3}, places[] = {3, 9, 0}, packed[] = {0, 4, 4};
    const tti_table placed = {counts, places}, bare = {counts, NULL}, none = {0};
    EXPECT(tti_table_total(&placed, RANKS) == 7 && tti_table_end(&placed, NULL, RANKS) == 7);
    const int nobody_first[] = {-2, 0, 1}, nobody_last[] = {0, 1, -2}, nobody[] = {-2, -2, -2};
    EXPECT(tti_table_end(&placed, nobody_first, RANKS) == 3 &&
           tti_table_end(&bare, nobody_first, RANKS) == 7);
    EXPECT(tti_table_end(&placed, nobody_last, RANKS) == 7 && tti_table_end(&bare, nobody_last, RANKS) == 4);
    EXPECT(tti_table_end(&placed, nobody, RANKS) == 0 && tti_table_end(&bare, nobody, RANKS) == 0);
    EXPECT(tti_table_part(&bare, 8, 2).at == 32 && tti_table_part(&bare, 8, 2).bytes == 24);
    EXPECT(tti_table_part(&placed, 8, 0).at == 24 && tti_table_part(&none, 8, 1).bytes == 0);
    tti_table kept = bare, kept_none = none;
    EXPECT(tti_table_keep(&kept, RANKS) && tti_table_keep(&kept_none, RANKS));
    EXPECT(kept_none.counts == NULL && kept.counts != counts);
    EXPECT(memcmp(kept.offsets, packed, sizeof packed) == 0);
    EXPECT(tti_table_same(&kept, &bare, RANKS) && !tti_table_same(&kept, &placed, RANKS));
    EXPECT(!tti_table_same(&kept, &none, RANKS) && tti_table_same(&kept_none, &none, RANKS));
    const size_t others[] = {0, 4, 3};
    const tti_table other = {others, packed};
    EXPECT(!tti_table_same(&kept, &other, RANKS));
    EXPECT(tti_table_hash(&kept, RANKS) == tti_table_hash(&placed, RANKS));
    EXPECT(tti_table_hash(&kept, RANKS) != tti_table_hash(&other, RANKS));
    tti_table_free(&kept);
    EXPECT(kept.counts == NULL);
}

/* What each rank sends to each, and gets of each, for the schedules; proved is that it is as in `claimed`. */
typedef struct {
    size_t sent[RANKS][RANKS], got[RANKS][RANKS], sent_at[RANKS][RANKS], got_at[RANKS][RANKS];
} exchange;

static tti_shape shape_of(const exchange *e)
{
    return (tti_shape){.size = RANKS,
                       .element = 1,
                       .commutes = true,
                       .radix = 2,
                       .chunk = 1,
                       .parted = true,
                       .send = {e->sent[0], e->sent_at[0]},
                       .recv = {e->got[0], e->got_at[0]}};
}

static void expect(const exchange *built, const exchange *claimed, const char *why)
{
    const tti_shape shape = shape_of(built), claim = shape_of(claimed);
    tti_schedule *schedules[RANKS];
    for (int r = 0; r < RANKS; r++) {
        const tti_shape own = tti_checker_shape(TTI_ALLTOALLV, &shape, r);
        EXPECT(tti_algorithm_build(tti_collective_describe(TTI_ALLTOALLV)->algorithms, &own, &schedules[r]) ==
               0);
    }
    expect_schedules(TTI_ALLTOALLV, &claim, schedules, why);
    for (int r = 0; r < RANKS; r++)
        tti_schedule_free(schedules[r]);
}

static void test_disagreement(void)
{
    const exchange agreed = {.sent = {{1, 2, 0}, {5, 0, 4}, {3, 3, 3}},
                             .got = {{1, 5, 3}, {2, 0, 3}, {0, 4, 3}},
                             .sent_at = {{2, 0, 1}, {0, 5, 5}, {6, 3, 0}},
                             .got_at = {{8, 0, 5}, {0, 2, 4}, {0, 5, 0}}};
    expect(&agreed, &agreed, NULL);
    exchange bad = agreed;
    bad.sent[1][0] = 4; /* rank 0 expects 5 */
    expect(&bad, &agreed, "sends 4 bytes");
    bad = agreed;
    bad.got[2][1] = 0; /* rank 1 sends 4 */
    expect(&bad, &agreed, "rank 1 sends tag 0 to rank 2, which does not await it");
    bad = agreed;
    bad.sent[0][2] = 1; /* rank 2 expects none */
    expect(&bad, &agreed, "rank 0 sends tag 0 to rank 2, which does not await it");
    bad = agreed;
    bad.sent_at[2][0] = 5; /* the part for another */
    expect(&bad, &agreed, "rank 0 ends without the data of rank 2");
    bad = agreed;
    bad.got_at[0][0] = 9; /* between parts, and beyond them */
    expect(&bad, &agreed, "of space 1, which has 9");
}

int main(void)
{
    test_tables();
    test_disagreement();
    return 0;
}
