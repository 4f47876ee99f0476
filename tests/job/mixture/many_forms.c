/* SPDX-License-Identifier: BSD-3-Clause */
/* many_forms [STEPS [SEED [COMMUNICATORS]]]: a random mixture of collectives in all forms, messages and RMA
 * under way at once, on communicators that come and go (mixture.h). Without arguments twice: on a few
 * communicators, and on more than there are sets of windows in shared memory (32); fewer steps of many ranks,
 * which take long. */
#include "tests/job/mixture/steps.h"

#define MANY 16 /* ranks; beyond these are many */

static void mix(long of_steps, uint64_t with_seed, int communicators)
{
    mixture_begin(with_seed, of_steps, communicators, communicators * 3 / 4);
    while (step < steps)
        take_step();
    mixture_end();
    OK(tutti_flush(window, TUTTI_ALL));
    OK(tutti_barrier(world));
    int64_t sum;
    OK(tutti_get(window, &sum, sizeof sum, rank, 0, NULL));
    if (sum != accumulated) mixture_tell();
    EXPECT(sum == accumulated);
    OK(tutti_window_free(&window));
    free(window_memory);
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    if (argc > 1) {
        mix(strtol(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
            argc > 3 ? (int)strtol(argv[3], NULL, 10) : 7);
    } else {
        mix(size <= MANY ? 800 : 300, 1, 7);
        mix(size <= MANY ? 400 : 100, 2, 44);
    }
    const int code = mixture_close();
    EXPECT(code == 0);
    return 0;
}
