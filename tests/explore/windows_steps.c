/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/windows_steps.h"

#include "collectives/schedule/schedule.h"

static windows_step shared_step(int ranks, int rank, int i)
{
    if (i == 0) return (windows_step){POST, TTI_ALL, 1};
    return i < ranks ? (windows_step){AWAIT, (rank + i) % ranks, 1} : (windows_step){END, 0, 0};
}

static windows_step beside_step(int ranks, int rank, int i)
{
    return i < 2 ? shared_step(ranks, rank, i) : (windows_step){END, 0, 0};
}

static windows_step spread_step(int rank, int root, int posts, int i)
{
    if (i == posts) return (windows_step){END, 0, 0};
    return rank == root ? (windows_step){POST, TTI_ALL, i + 1} : (windows_step){AWAIT, root, i + 1};
}

static windows_step passed_step(int ranks, int rank, int root, int i)
{
    const int place = (rank - root + ranks) % ranks, post = place > 0;
    if (i < post) return (windows_step){AWAIT, (rank + ranks - 1) % ranks, 1};
    const bool posts = i == post && place < ranks - 1;
    return posts ? (windows_step){POST, (rank + 1) % ranks, 1} : (windows_step){END, 0, 0};
}

static windows_step counted_step(int ranks, int i)
{
    if (i == 2 * WINDOWS_MOST_POSTS) return (windows_step){END, 0, 0};
    return (windows_step){i % 2 == 0 ? COME : AWAIT, ranks, i / 2 + 1};
}

windows_step windows_step_of(const windows_operation *operation, int ranks, int rank, int i)
{
    switch (operation->pattern) {
    case SHARED: return shared_step(ranks, rank, i);
    case BESIDE: return beside_step(ranks, rank, i);
    case SPREAD:
    case BEHIND: return spread_step(rank, operation->root, 1, i);
    case HALVES: return spread_step(rank, operation->root, WINDOWS_MOST_POSTS, i);
    case COUNTED: return counted_step(ranks, i);
    default: return passed_step(ranks, rank, operation->root, i);
    }
}
