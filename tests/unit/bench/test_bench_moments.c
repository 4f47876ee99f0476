/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a repetition took, from what two ranks say of it. */
#include <math.h>

#include "bench/moments.h"
#include "tests/unit/expect.h"

static double time_of(const bench_moments *a, const bench_moments *b, int i)
{
    return fmax(a->ended[i], b->ended[i]) + fmax(a->begun[i], b->begun[i]);
}

/* A rank that begins when another has done half of the work is as quick as that, and both together are not.
 */
static void spans_all(void)
{
    static bench_moments a, b;
    bench_moments_note(&a, 0, 1000000, 1002000, 1012000);
    bench_moments_note(&b, 0, 1000000, 1008000, 1017000);
    EXPECT(fabs(time_of(&a, &b, 0) - 15e-6) < 1e-12);
}

/* Where each counts from its own beginning, the slower one tells. */
static void slowest_of_own(void)
{
    static bench_moments a, b;
    bench_moments_note(&a, 1, 1002000, 1002000, 1012000);
    bench_moments_note(&b, 1, 9008000, 9008000, 9017000);
    EXPECT(fabs(time_of(&a, &b, 1) - 10e-6) < 1e-12);
}

int main(void)
{
    spans_all();
    slowest_of_own();
    return 0;
}
