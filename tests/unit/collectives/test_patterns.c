/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <string.h>

#include "collectives/patterns/multiply.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"
#include "collectives/patterns/tree.h"
#include "collectives/patterns/turned.h"
#include "tests/unit/expect.h"

#define MOST 300
static const int radices[] = {2, 3, 4, 5, 8, 16, 64};
#define RADICES ((int)(sizeof radices / sizeof radices[0]))

static void test_distances(void)
{
    for (int k = 0; k < RADICES; k++)
        for (int limit = 1; limit < MOST; limit++) {
            const int radix = radices[k], count = tti_radix_count(limit, radix);
            for (int i = 0; i < count; i++) {
                EXPECT(tti_radix_distance(i, radix) < limit);
                EXPECT(i == 0 || tti_radix_distance(i, radix) > tti_radix_distance(i - 1, radix));
            }
            EXPECT(tti_radix_distance(count, radix) >= limit);
        }
    EXPECT(tti_radix_distance(0, 3) == 1 && tti_radix_distance(1, 3) == 2 && tti_radix_distance(2, 3) == 3);
    EXPECT(tti_radix_count(1 << 30, 2) == 30);
}

/* Every rank but 0 is the child of its parent, and subtrees are made of the rank and its children's. */
static void test_tree(int size, int radix)
{
    bool seen[MOST] = {false};
    for (int rank = 0; rank < size; rank++) {
        tti_tree tree;
        tti_tree_open(rank, size, radix, &tree);
        EXPECT((tree.parent < 0) == (rank == 0));
        int covered = rank + 1;
        for (int i = 0; i < tree.children; i++) {
            const int child = tti_tree_child(&tree, i);
            tti_tree below;
            tti_tree_open(child, size, radix, &below);
            EXPECT(child == covered && below.parent == rank);
            EXPECT(below.span == tti_tree_child_span(&tree, i));
            EXPECT(!seen[child]);
            seen[child] = true;
            covered += below.span;
        }
        EXPECT(covered == rank + tree.span);
    }
    for (int rank = 1; rank < size; rank++)
        EXPECT(seen[rank]);
}

static void test_rotation(int size)
{
    for (int root = 0; root < size; root++)
        for (int rank = 0; rank < size; rank++) {
            const int turned = tti_rotate(rank, root, size);
            EXPECT(turned >= 0 && turned < size && (turned == 0) == (rank == root));
            EXPECT(tti_rotate_back(turned, root, size) == rank);
        }
}

/* Every place has one rank, levels partition the core into groups that agree on their members. */
/* The two runs are the ranks that the root sees there, in that order. */
static void test_turned_runs(int size)
{
    for (int root = 0; root < size; root++)
        for (int v = 0; v < size; v++)
            for (int span = 1; span <= size - v; span++) {
                tti_rank_row runs[2];
                tti_turned_rows_of(v, span, root, size, runs);
                EXPECT(runs[0].count > 0 && runs[0].count + runs[1].count == span);
                for (int i = 0; i < span; i++) {
                    const int second = i >= runs[0].count;
                    const int r = runs[second].first + i - (second ? runs[0].count : 0);
                    EXPECT(r >= 0 && r < size && tti_rotate(r, root, size) == v + i);
                }
            }
}

static void test_multiply(int size, int radix)
{
    tti_multiply plan;
    tti_multiply_plan(size, radix, &plan);
    int product = 1, places = 0;
    for (int i = 0; i < plan.levels; i++) {
        EXPECT(plan.factor[i] >= 2 && plan.factor[i] <= radix);
        product *= plan.factor[i];
    }
    EXPECT(product == plan.core && plan.core + plan.folded == size && plan.folded <= plan.core);
    for (int rank = 0; rank < size; rank++) {
        const int place = tti_multiply_place(&plan, rank);
        if (place < 0) {
            EXPECT(tti_multiply_has_folded(&plan, rank - 1));
            continue;
        }
        EXPECT(place == places++ && tti_multiply_rank(&plan, place) == rank);
        for (int level = 0; level < plan.levels; level++) {
            const tti_multiply_group group = tti_multiply_level(&plan, place, level);
            EXPECT(tti_multiply_member(&plan, &group, group.mine) == rank);
            for (int i = 0; i < group.factor; i++) {
                const int other = group.base + i * group.stride;
                const tti_multiply_group theirs = tti_multiply_level(&plan, other, level);
                EXPECT(theirs.base == group.base && theirs.mine == i);
            }
        }
    }
    EXPECT(places == plan.core);
}

static void test_plans(void)
{
    static const struct {
        int size, radix, core, levels;
    } rows[] = {{1, 2, 1, 0}, {7, 2, 4, 2},   {8, 2, 8, 3},    {6, 3, 6, 2},
                {5, 8, 5, 1}, {64, 8, 64, 2}, {125, 4, 64, 3}, {250, 8, 250, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tti_multiply plan;
        tti_multiply_plan(rows[i].size, rows[i].radix, &plan);
        EXPECT(plan.core == rows[i].core && plan.levels == rows[i].levels);
    }
}

static void test_parts(void)
{
    for (size_t count = 0; count < 40; count++)
        for (int parts = 1; parts < 12; parts++) {
            EXPECT(tti_part_start(count, parts, 0) == 0 && tti_part_start(count, parts, parts) == count);
            for (int i = 0; i < parts; i++) {
                const size_t size = tti_part_size(count, parts, i);
                EXPECT(size == count / (size_t)parts || size == count / (size_t)parts + 1);
            }
        }
    EXPECT(tti_ring(0, -1, 5) == 4 && tti_ring(4, 1, 5) == 0 && tti_ring(2, -5, 5) == 2);
    EXPECT(tti_ring(2147483646, 2147483646, 2147483647) == 2147483645);
}

int main(void)
{
    test_distances();
    test_parts();
    test_plans();
    for (int size = 1; size < MOST; size++) {
        if (size < 40) {
            test_rotation(size);
            test_turned_runs(size);
        }
        for (int k = 0; k < RADICES; k++) {
            test_tree(size, radices[k]);
            test_multiply(size, radices[k]);
        }
    }
    return 0;
}
