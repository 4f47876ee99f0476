/* SPDX-License-Identifier: BSD-3-Clause */
/* The first that many ranks have to do with each other is one-sided: the way between them is made while the
 * call waits, asleep. Each operation happens once: a buffer is left alone after its call has returned. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/job.h"

#define BYTES 64
#define MOST_RANKS 16

static unsigned char part[MOST_RANKS * BYTES], got[MOST_RANKS][BYTES];

static void open_sleepy(void)
{
    static const char *const set[] = {"TUTTI_WAIT=sleep", NULL};
    job_open_with(&(tutti_options){.set = set});
    EXPECT(size <= MOST_RANKS);
}

static bool is_all(const unsigned char *bytes, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value) return false;
    return true;
}

static void get_from_all(tutti_window *window)
{
    for (int d = 1; d <= size; d++) {
        const int target = (rank + d) % size;
        OK(tutti_get(window, got[target], BYTES, target, (size_t)target * BYTES, NULL));
        EXPECT(is_all(got[target], BYTES, target + 1));
        memset(got[target], 0xee, BYTES);
    }
}

static void put_to_all(tutti_window *window)
{
    unsigned char mine[BYTES];
    tutti_request *requests[MOST_RANKS];
    memset(mine, rank + 1, BYTES);
    for (int target = 0; target < size; target++)
        OK(tutti_put(window, mine, BYTES, target, (size_t)rank * BYTES, &requests[target]));
    OK(tutti_waitall(size, requests, NULL));
}

int main(void)
{
    tutti_window *window;
    open_sleepy();
    memset(part + (size_t)rank * BYTES, rank + 1, BYTES);
    OK(tutti_window_create(world, part, sizeof part, &window));
    get_from_all(window);
    put_to_all(window);
    OK(tutti_barrier(world));
    for (int r = 0; r < size; r++)
        EXPECT(is_all(part + r * BYTES, BYTES, r + 1) && is_all(got[r], BYTES, 0xee));
    OK(tutti_window_free(&window));
    return job_close();
}
