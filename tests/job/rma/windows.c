/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of differing sizes, many of them, direct access, and what is refused. */
#include "tests/job/rma/rma_job.h"

static void check_sizes(void)
{
    unsigned char *mine = malloc((size_t)rank * 10 + 1);
    EXPECT(mine != NULL);
    tutti_window *window;
    OK(tutti_window_create(world, mine, (size_t)rank * 10, &window));
    for (int r = 0; r < size; r++) {
        char byte = 1;
        if (r > 0) OK(tutti_put(window, &byte, 1, r, (size_t)r * 10 - 1, NULL));
        OK(tutti_put(window, NULL, 0, r, (size_t)r * 10, NULL));
        EXPECT(tutti_put(window, &byte, 1, r, (size_t)r * 10, NULL) == TUTTI_ERR_ARG);
        char expected[64];
        snprintf(expected, sizeof expected, "window of rank %d, %d bytes", r, r * 10);
        EXPECT(strstr(tutti_error_detail(), expected) != NULL);
        EXPECT(tutti_get(window, &byte, SIZE_MAX, r, 1, NULL) == TUTTI_ERR_ARG);
    }
    OK(tutti_window_free(&window));
    free(mine);
}

static void check_refused(void)
{
    job_window w = job_window_open(64, 1);
    int64_t v = 1, old;
    tutti_window *window = w.window;
    EXPECT(tutti_put(window, &v, 8, size, 0, NULL) == TUTTI_ERR_RANK);
    EXPECT(tutti_put(NULL, &v, 8, 0, 0, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_put(window, NULL, 8, 0, 0, NULL) == TUTTI_ERR_ARG);
    OK(tutti_put(window, &v, 8, TUTTI_PROC_NULL, 0, NULL));
    EXPECT(tutti_fetch_op(window, &v, &old, TUTTI_INT64, TUTTI_SUM, 0, 4) == TUTTI_ERR_ARG);
    EXPECT(tutti_fetch_op(window, &v, &old, TUTTI_DOUBLE, TUTTI_BAND, 0, 0) == TUTTI_ERR_TYPE);
    EXPECT(tutti_fetch_op(window, &v, &old, 9999, TUTTI_SUM, 0, 0) == TUTTI_ERR_TYPE);
    EXPECT(tutti_compare_swap(window, &v, &v, &old, TUTTI_DOUBLE, 0, 0) == TUTTI_ERR_TYPE);
    EXPECT(tutti_accumulate(window, &v, SIZE_MAX / 2, TUTTI_INT64, TUTTI_SUM, 0, 0, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_put_signal(window, &v, 8, 0, 0, 4, 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_put_signal(window, &v, 8, 0, 0, 64, 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_flush(window, size) == TUTTI_ERR_RANK);
    EXPECT(tutti_mem_free(&v) == TUTTI_ERR_ARG);
    OK(tutti_mem_free(NULL));
    job_window_close(&w);
}

/* Neighbours that can be reached directly are, and the caller always. */
static void check_direct(void)
{
    job_window w = job_window_open(sizeof(int) * (size_t)size, 1);
    for (int r = 0; r < size; r++) {
        void *there;
        const int code = tutti_window_direct(w.window, r, &there);
        EXPECT(code == 0 || (code == TUTTI_ERR_UNSUPPORTED && r != rank));
        const int value = rank * 100 + r;
        if (code == 0)
            ((int *)there)[rank] = value;
        else
            OK(tutti_put(w.window, &value, sizeof value, r, sizeof(int) * (size_t)rank, NULL));
    }
    OK(tutti_flush(w.window, TUTTI_ALL));
    OK(tutti_barrier(world));
    for (int r = 0; r < size; r++)
        EXPECT(((int *)w.base)[r] == r * 100 + rank);
    job_window_close(&w);
}

/* A window on a part of an allocation, and many in a row and at a time. */
static void check_many(void)
{
    void *base, *empty;
    OK(tutti_mem_alloc(world, 100000, &base));
    OK(tutti_mem_alloc(world, 0, &empty));
    EXPECT((uintptr_t)base % 64 == 0 && empty != NULL && empty != base);
    tutti_window *windows[20];
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 20; i++)
            OK(tutti_window_create(world, (char *)base + i * 5000, 5000, &windows[i]));
        for (int i = 0; i < 20; i++) {
            const int to = (rank + i) % size, value = round * 1000 + i;
            if (rank == i % size) OK(tutti_put(windows[i], &value, sizeof value, to, 4000, NULL));
            OK(tutti_window_free(&windows[i]));
            int seen;
            memcpy(&seen, (char *)base + i * 5000 + 4000, sizeof seen);
            EXPECT(rank != (i % size + i) % size || seen == value);
        }
    }
    OK(tutti_mem_free(base));
    OK(tutti_mem_free(empty));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    check_sizes();
    check_refused();
    check_direct();
    check_many();
    return job_close();
}
