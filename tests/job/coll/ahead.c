/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of one root one after the other, in which nobody waits for all: ranks are ahead of each other by as
 * many as there are windows, or fronts of windows, and now and then one by a whole sleep. Parts are of all
 * lengths, so that some ranks of a call write behind the front and others do not, and each call has data of
 * its own: what were written too early would be another call's. */
#include <stdbool.h>
#include <unistd.h>

#include "tests/job/job.h"

#define CALLS 600
#define MOST 200000 /* bytes of a part */
#define LATE_US 20000

static unsigned char *given, *taken;
static size_t *counts, *offsets;
static size_t total;

/* Most are short; some take each other way: what is left of a front, one block, several, a message. */
static size_t draw_part(uint64_t *state)
{
    static const size_t lengths[] = {40, 300, 1200, 4100, 9000, 40000, MOST - 256};
    const bool is_short = job_random(state) % 4 != 0;
    const size_t most = is_short ? 0 : lengths[job_random(state) % (sizeof lengths / sizeof lengths[0])];
    return most + job_random(state) % 256;
}

/* The same at all ranks. */
static void draw_parts(uint64_t *state)
{
    total = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = draw_part(state);
        offsets[r] = total;
        total += counts[r];
    }
}

static unsigned char byte_of(int call, int owner, size_t i)
{
    return (unsigned char)(call * 7 + owner * 31 + (int)(i % 251));
}

static void fill(unsigned char *to, int call, int owner, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = byte_of(call, owner, i);
}

static void compare(const unsigned char *what, int call, int owner, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        EXPECT(what[i] == byte_of(call, owner, i));
}

static void gather(int call, int root)
{
    fill(given, call, rank, counts[rank]);
    OK(tutti_gatherv(world, given, counts[rank], taken, counts, offsets, TUTTI_UINT8, root));
    for (int r = 0; r < size && rank == root; r++)
        compare(taken + offsets[r], call, r, counts[r]);
}

static void scatter(int call, int root)
{
    for (int r = 0; r < size && rank == root; r++)
        fill(given + offsets[r], call, r, counts[r]);
    OK(tutti_scatterv(world, given, counts, offsets, taken, counts[rank], TUTTI_UINT8, root));
    compare(taken, call, rank, counts[rank]);
}

/* Of equal parts, in windows of other kinds. */
static void gather_equal(int call, int root)
{
    const size_t bytes = counts[0];
    fill(given, call, rank, bytes);
    OK(tutti_gather(world, given, taken, bytes, root));
    for (int r = 0; r < size && rank == root; r++)
        compare(taken + (size_t)r * bytes, call, r, bytes);
}

static void spread(int call, int root)
{
    if (rank == root) fill(given, call, root, counts[0]);
    OK(tutti_bcast(world, given, counts[0], root));
    compare(given, call, root, counts[0]);
}

int main(void)
{
    static void (*const calls[])(int call, int root) = {gather,  scatter,      gather,
                                                        scatter, gather_equal, spread};
    uint64_t state = 11;
    int root = 0, which = 0;
    job_open(TUTTI_THREAD_SINGLE);
    given = malloc((size_t)size * MOST);
    taken = malloc((size_t)size * MOST);
    counts = malloc((size_t)size * sizeof *counts);
    offsets = malloc((size_t)size * sizeof *offsets);
    EXPECT(given != NULL && taken != NULL && counts != NULL && offsets != NULL);
    for (int call = 0; call < CALLS; call++) {
        if (job_random(&state) % 12 == 0) root = (int)(job_random(&state) % (uint64_t)size);
        if (job_random(&state) % 6 == 0) which = (int)(job_random(&state) % 6);
        if (job_random(&state) % 60 == 0 && job_random(&state) % (uint64_t)size == (uint64_t)rank)
            usleep(LATE_US);
        draw_parts(&state);
        calls[which](call, root);
    }
    free(given);
    free(taken);
    free(counts);
    free(offsets);
    return job_close();
}
