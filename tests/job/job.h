/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs of the job suite share. A failed expectation says where, what and at which rank, and ends the
 * whole job; nothing else is printed, so that a passing test is silent. */
#ifndef TESTS_JOB_JOB_H
#define TESTS_JOB_JOB_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <tutti/tutti.h>

static tutti_comm *world;
static int rank, size;

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: rank %d of %d: expected %s (last detail: %s)\n", __FILE__, __LINE__,     \
                    rank, size, #condition, tutti_error_detail());                                           \
            tutti_abort(1, "a test failed");                                                                 \
        }                                                                                                    \
    } while (0)

/* The call succeeds. */
#define OK(call) EXPECT((call) == 0)

/* The call is refused, and why has these words in it. */
#define REFUSED(call, words) EXPECT((call) == TUTTI_ERR_ARG && strstr(tutti_error_detail(), (words)) != NULL)

/* Joins the job by these options; sets world, rank and size. */
static inline void job_open_with(const tutti_options *options)
{
    const int code = tutti_init(&world, options);
    if (code != 0) {
        fprintf(stderr, "cannot start: %s: %s\n", tutti_strerror(code), tutti_error_detail());
        exit(1);
    }
    rank = tutti_comm_rank(world);
    size = tutti_comm_size(world);
}

static inline void job_open(int thread_level)
{
    const tutti_options options = {.thread_level = thread_level};
    job_open_with(&options);
}

static inline double job_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Leaves the job; its value is main's. */
static inline int job_close(void)
{
    OK(tutti_finalize());
    return 0;
}

/* The waiter comes out when all others have come here, and are done with what they did on `comm` before. A
 * barrier does not say that: who has left one may know others that are still in it. */
static inline void job_await_all(tutti_comm *comm, int waiter)
{
    const int own = tutti_comm_rank(comm), tag = 99;
    for (int r = 0; r < tutti_comm_size(comm) && own == waiter; r++)
        if (r != waiter) OK(tutti_recv(comm, NULL, 0, r, tag, NULL));
    if (own != waiter) OK(tutti_send(comm, NULL, 0, waiter, tag));
}

/* Ends the program at every rank if there are fewer than `least`: the test says nothing then. */
static inline void job_need(int least)
{
    if (size >= least) return;
    OK(tutti_finalize());
    exit(77);
}

/* Whether no rank reaches another one through shared memory, as the user wants it. */
static inline int job_is_by_fabric(void)
{
    const char *transport = getenv("TUTTI_TRANSPORT");
    return transport != NULL && strcmp(transport, "fabric") == 0;
}

/* Whether all ranks reach each other through shared memory. Every rank calls it. */
static inline int job_shares_memory(void)
{
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    const int together = tutti_comm_size(node) == size;
    OK(tutti_comm_free(&node));
    return together && !job_is_by_fabric();
}

/* Memory whose pages come at their first use; munmap() ends it. */
static inline void *job_map(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT(at != MAP_FAILED);
    return at;
}

/* Reproducible pseudo-random numbers (splitmix64): the same on every rank for the same state. */
static inline uint64_t job_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
