/* SPDX-License-Identifier: BSD-3-Clause */
/* The two collectives that this test's library has more than others: results in all forms and in place,
 * checks of arguments, rules by an option of their own, and what tutti-info tells. */
#include <stdbool.h>

#include "tests/job/job.h"
#include "tests/job/toy/toys.h"

enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
#define MOST 3000

static int64_t send[MOST], recv[MOST];

static void finish(int form, tutti_request **request)
{
    if (form == PERSISTENT) OK(tutti_start(*request));
    OK(tutti_wait(request, NULL));
    if (form == PERSISTENT) OK(tutti_request_free(request));
}

static void test_scan(int form, size_t count, bool in_place)
{
    tutti_request *request = NULL;
    const void *from = in_place ? TUTTI_IN_PLACE : send;
    int64_t *own = in_place ? recv : send;
    memset(recv, 0xee, sizeof recv);
    for (size_t i = 0; i < count; i++)
        own[i] = (int64_t)i * 10 + rank;
    if (form == BLOCKING) {
        OK(tutti_toy_scan(world, from, recv, count, TUTTI_INT64, TUTTI_SUM));
    } else {
        OK(form == NONBLOCKING
               ? tutti_itoy_scan(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, &request)
               : tutti_toy_scan_init(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, &request));
        finish(form, &request);
    }
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == (int64_t)i * 10 * (rank + 1) + rank * (rank + 1) / 2);
    EXPECT((uint64_t)recv[count] == UINT64_C(0xeeeeeeeeeeeeeeee));
}

static void test_exchange(int form, size_t count, bool in_place)
{
    tutti_request *request = NULL;
    const void *from = in_place ? TUTTI_IN_PLACE : send;
    int64_t *own = in_place ? recv : send;
    const size_t bytes = count * sizeof *own, blocks = (size_t)size;
    memset(recv, 0xee, sizeof recv);
    for (size_t i = 0; i < count * blocks; i++)
        own[i] = (int64_t)i * 100 + rank;
    if (form == BLOCKING) {
        OK(tutti_toy_exchange(world, from, recv, bytes));
    } else {
        OK(form == NONBLOCKING ? tutti_itoy_exchange(world, from, recv, bytes, &request)
                               : tutti_toy_exchange_init(world, from, recv, bytes, &request));
        finish(form, &request);
    }
    for (int q = 0; q < size; q++)
        for (size_t i = 0; i < count; i++)
            EXPECT(recv[(size_t)q * count + i] == (int64_t)((size_t)rank * count + i) * 100 + q);
    EXPECT((uint64_t)recv[count * blocks] == UINT64_C(0xeeeeeeeeeeeeeeee));
}

static void test_refused(void)
{
    tutti_request *request = NULL;
    EXPECT(tutti_itoy_scan(world, send, NULL, 1, TUTTI_INT64, TUTTI_SUM, &request) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "tutti_itoy_scan: recv is NULL with 8 bytes") != NULL);
    EXPECT(tutti_toy_scan(world, recv, recv, 1, TUTTI_INT64, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(tutti_toy_scan(world, send, recv, 1, TUTTI_INT64, NULL) == TUTTI_ERR_OP);
    EXPECT(tutti_toy_exchange(world, send, recv, PTRDIFF_MAX / (size_t)size + 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_toy_exchange(NULL, send, recv, 1) == TUTTI_ERR_ARG);
}

/* Ranks whose calls differ are told which calls they make. */
static void test_compared(void)
{
    if (size < 2) return;
    EXPECT((rank == 0 ? tutti_toy_scan(world, send, recv, 2, TUTTI_INT32, TUTTI_MAX)
                      : tutti_toy_exchange(world, send, recv, 8)) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "tutti_toy_scan of 8 bytes (int32, max)") != NULL);
    EXPECT(strstr(tutti_error_detail(), "tutti_toy_exchange of 8 bytes") != NULL);
}

static void look(const char *subject, const char *what, const char *value, void *context)
{
    int *told = context;
    if (strcmp(subject, "toy_scan, everywhere") == 0 && strcmp(what, "any size") == 0)
        *told += strcmp(value, "along (rule 1 of TUTTI_TOY_SCAN)") == 0;
    if (strcmp(subject, "toy_exchange, everywhere") == 0 && strcmp(what, "any size") == 0)
        *told += strcmp(value, "straight (there is no other)") == 0;
}

int main(void)
{
    static const char *const set[] = {"TUTTI_VERIFY=calls", NULL};
    static const size_t counts[] = {0, 1, 7, 500};
    int told = 0;
    EXPECT(setenv("TUTTI_TOY_SCAN", "0-:along", 1) == 0);
    OK(tutti_info(TUTTI_INFO_ALGORITHMS, 4, look, &told));
    EXPECT(told == 2);
    job_open_with(&(tutti_options){.set = set});
    for (int form = 0; form < FORMS; form++)
        for (int in_place = 0; in_place < 2; in_place++)
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
                test_scan(form, counts[i], in_place != 0);
                test_exchange(form, counts[i], in_place != 0);
            }
    test_refused();
    test_compared();
    return job_close();
}
