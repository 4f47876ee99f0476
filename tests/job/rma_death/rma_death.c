/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank is killed while the others work on its window: whatever they call ends with
 * TUTTI_ERR_PEER_FAILED, soon, and they can still end Tutti. */
#include <signal.h>
#include <string.h>
#include <time.h>

#include "tests/job/job.h"

#define BYTES 1000000

static unsigned char buf[BYTES];

/* Uses the victim's window until that fails. */
static int use_until_failure(tutti_window *window, int how)
{
    const int victim = size - 1;
    const int64_t one = 1;
    int64_t old;
    int code = 0;
    while (code == 0)
        switch (how) {
        case 0: code = tutti_put(window, buf, BYTES, victim, 16, NULL); break;
        case 1: code = tutti_get(window, buf, BYTES, victim, 16, NULL); break;
        default: code = tutti_fetch_op(window, &one, &old, TUTTI_INT64, TUTTI_SUM, victim, 0); break;
        }
    return code;
}

/* "rank 3", or others too that have left since, or these alone where their word came first. */
static void expect_named(void)
{
    int named = -1;
    const char *words = strstr(tutti_error_detail(), "rank");
    EXPECT(words != NULL && sscanf(words, "rank%*[s ]%d", &named) == 1);
    EXPECT(named >= 0 && named < size && named != rank);
}

static void victim_works(tutti_window *window)
{
    const struct timespec moment = {0, 300000000};
    for (int i = 0; i < 1000; i++) { /* lets the others in */
        uint64_t old;
        OK(tutti_fetch_op(window, NULL, &old, TUTTI_UINT64, TUTTI_NO_OP, rank, 8));
    }
    nanosleep(&moment, NULL);
    raise(SIGKILL);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    static uint64_t memory[(BYTES + 16) / 8];
    tutti_window *window;
    tutti_request *request = NULL;
    OK(tutti_window_create(world, memory, sizeof memory, &window));
    OK(tutti_barrier(world));
    job_await_all(world, size - 1); /* none is still in that when it dies */
    if (rank == size - 1) victim_works(window);
    const int code = use_until_failure(window, rank);
    EXPECT(code == TUTTI_ERR_PEER_FAILED && strstr(tutti_error_detail(), "rank") != NULL);
    EXPECT(tutti_signal_wait(window, 8, 1, NULL) == TUTTI_ERR_PEER_FAILED);
    expect_named();
    EXPECT(tutti_put(window, buf, 8, size - 1, 0, &request) == TUTTI_ERR_PEER_FAILED);
    const int flushed = tutti_flush(window, TUTTI_ALL);
    EXPECT(flushed == 0 || flushed == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_PEER_FAILED && window == NULL);
    printf("rank %d is fine: 1 died\n", rank);
    tutti_finalize();
    return 0;
}
