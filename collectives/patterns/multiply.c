/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/multiply.h"

#include <limits.h>

/* Factors of `core`, each at most `radix`, greatest first; their number, or -1 if a prime is too large. */
static int factorise(int core, int radix, int factor[TTI_MULTIPLY_LEVELS])
{
    int levels = 0;
    while (core > 1) {
        int f = radix < core ? radix : core;
        while (f > 1 && core % f != 0)
            f--;
        if (f == 1) return -1;
        factor[levels++] = f;
        core /= f;
    }
    return levels;
}

static int least_levels(int size, int radix)
{
    int levels = 0;
    for (long long power = 1; power < size; power *= radix)
        levels++;
    return levels;
}

void tti_multiply_plan(int size, int radix, tti_multiply *plan)
{
    *plan = (tti_multiply){.size = size};
    int best = INT_MAX;
    /* Every size > 1 has a power of two in (size/2, size], so a core is found. */
    const int bound = least_levels((size + 1) / 2, radix) + 2;
    for (int core = size; core >= (size + 1) / 2 && best > bound; core--) {
        int factor[TTI_MULTIPLY_LEVELS];
        const int levels = factorise(core, radix, factor);
        const int rounds = levels + (core < size ? 2 : 0);
        if (levels < 0 || rounds >= best) continue;
        best = rounds;
        plan->core = core;
        plan->folded = size - core;
        plan->levels = levels;
        for (int i = 0; i < levels; i++)
            plan->factor[i] = factor[i];
    }
}

int tti_multiply_place(const tti_multiply *plan, int rank)
{
    if (rank >= 2 * plan->folded) return rank - plan->folded;
    return rank % 2 == 0 ? rank / 2 : -1;
}

int tti_multiply_rank(const tti_multiply *plan, int place)
{
    return place < plan->folded ? 2 * place : place + plan->folded;
}

bool tti_multiply_has_folded(const tti_multiply *plan, int rank)
{
    return rank < 2 * plan->folded && rank % 2 == 0;
}

tti_multiply_group tti_multiply_level(const tti_multiply *plan, int place, int level)
{
    int stride = 1;
    for (int i = 0; i < level; i++)
        stride *= plan->factor[i];
    const int factor = plan->factor[level];
    const int mine = place / stride % factor;
    return (tti_multiply_group){factor, mine, place - mine * stride, stride};
}

int tti_multiply_member(const tti_multiply *plan, const tti_multiply_group *group, int i)
{
    return tti_multiply_rank(plan, group->base + i * group->stride);
}
