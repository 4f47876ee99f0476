/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/filling.h"

#include "runtime/base/clock.h"
#include "runtime/base/copy.h"
#include "runtime/base/mean.h"
#include "runtime/base/past.h"
#include "runtime/machine/crossings.h"

#define MIB ((int64_t)1 << 20)
/* Of copies through the caches one in so many is timed, and where they go past them one in so many is not, to
 * see how long that takes now: powers of two. They are scattered, in no step with the order of the ranks for
 * which they are: some of these are on the same processor. */
#define TIMED 8
#define PROBED 32
#define SCATTER UINT32_C(0x9e3779b9)

static void judge(tti_filling *filling, const tti_figures *figures)
{
    filling->past_least = tti_crossing_past_filled(figures, filling->mib_ns);
}

void tti_filling_open(tti_filling *filling, const tti_figures *figures)
{
    *filling = (tti_filling){.mib_ns = figures->value[TTI_FIGURE_COPY_MIB]};
    judge(filling, figures);
}

void tti_filling_note(tti_filling *filling, const tti_figures *figures, size_t bytes, int64_t ns)
{
    filling->mib_ns = tti_mean_with(filling->mib_ns, ns * MIB / (int64_t)bytes);
    judge(filling, figures);
}

static bool is_one_in(uint32_t many, const tti_filling *filling)
{
    return filling->count * SCATTER < UINT32_MAX / many;
}

bool tti_filling_copy(tti_filling *filling, const tti_figures *figures, void *to, const void *from,
                      size_t bytes)
{
    const bool past = bytes >= filling->past_least;
    filling->count++;
    if (past && !is_one_in(PROBED, filling)) {
        tti_copy_past(to, from, bytes);
        return true;
    }
    if (!past && !is_one_in(TIMED, filling)) {
        tti_copy_long(to, from, bytes);
        return false;
    }
    const int64_t begun = tti_clock_ns();
    tti_copy_long(to, from, bytes);
    tti_filling_note(filling, figures, bytes, tti_clock_ns() - begun);
    return false;
}
