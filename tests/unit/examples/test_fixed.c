/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums in fixed point: the same for every number of ranks, and right beyond what one word has room for. */
#include "examples/common/fixed.h"
#include "tests/unit/expect.h"

enum { MANY = 20000 };

static double number(int i, double scale)
{
    return scale * sin(i) + scale / 3;
}

/* As `ranks` ranks would, of which each adds up every so-many-th number. */
static struct fixed_sum sum_by(int ranks, double scale)
{
    struct fixed_sum all = {0};
    for (int rank = 0; rank < ranks; rank++) {
        struct fixed_sum mine = {0};
        for (int i = rank; i < MANY; i += ranks)
            fixed_sum_add(&mine, number(i, scale));
        all.whole += mine.whole;
        all.part += mine.part;
        all.beyond += mine.beyond;
    }
    return all;
}

static void the_number_of_ranks_shows_nowhere(void)
{
    const double scales[] = {0.7, 1, -3, 1e5, -1e9};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        const double one = fixed_sum_value(sum_by(1, scales[s]));
        for (int ranks = 2; ranks <= 300; ranks += 7)
            EXPECT(fixed_sum_value(sum_by(ranks, scales[s])) == one);
    }
}

/* While a sum has room in one word it is, to the last bit, what that word says. */
static void small_sums_are_those_of_one_word(void)
{
    int64_t word = 0;
    for (int i = 0; i < MANY; i++)
        word += fixed(number(i, -5));
    EXPECT(fixed_sum_value(sum_by(1, -5)) == unfixed(word));
}

static void large_sums_do_not_wrap(void)
{
    struct fixed_sum sum = {0};
    for (int i = 0; i < MANY; i++)
        fixed_sum_add(&sum, 1e6 + 0.75);
    EXPECT(fixed_sum_value(sum) == MANY * (1e6 + 0.75));
    for (int i = 0; i < 2 * MANY; i++)
        fixed_sum_add(&sum, -1e6 - 0.75);
    EXPECT(fixed_sum_value(sum) == -MANY * (1e6 + 0.75));
}

static void what_has_no_room_is_seen(void)
{
    const double none[] = {0x1p31, -0x1p31, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct fixed_sum sum = {0};
        fixed_sum_add(&sum, 1);
        fixed_sum_add(&sum, none[i]);
        EXPECT(isnan(fixed_sum_value(sum)));
    }
}

int main(void)
{
    the_number_of_ranks_shows_nowhere();
    small_sums_are_those_of_one_word();
    large_sums_do_not_wrap();
    what_has_no_room_is_seen();
    return 0;
}
