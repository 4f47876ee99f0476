/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function called wrongly, before, within and after the job: an error with a detail that names
 * the function, never a crash or a hang, and the right calls afterwards work as if nothing had been. */
#include <limits.h>
#include <string.h>

#include <tutti/info.h>

#include "tests/job/job.h"

static char buf[64], other[64];
static int64_t numbers[4], sums[4];
static tutti_request *made;
static int calls;

/* The call fails with `code`, and the detail says so of function `name`. */
static void wrong(const char *name, int line, int code, int result)
{
    calls++;
    if (result == code && strstr(tutti_error_detail(), name) != NULL && tutti_strerror(code)[0] != '\0')
        return;
    fprintf(stderr, "%s:%d: rank %d: %s gave %d where %d was due, detail: %s\n", __FILE__, line, rank, name,
            result, code, tutti_error_detail());
    exit(1);
}
#define WRONG(code, function, ...) wrong(#function, __LINE__, code, function(__VA_ARGS__))

/* So many bytes no memory has. */
#define TOO_LONG(function, ...)                                                                              \
    do {                                                                                                     \
        WRONG(TUTTI_ERR_ARG, function, __VA_ARGS__);                                                         \
        EXPECT(strstr(tutti_error_detail(), "more than memory can hold") != NULL);                           \
    } while (0)

static void join(const void *in, void *inout, size_t count, void *context)
{
    (void)in, (void)inout, (void)count, (void)context;
}

static void tell(const char *subject, const char *what, const char *value, void *context)
{
    (void)subject, (void)what, (void)value, (void)context;
}

/* `comm`: anything but NULL; not looked at. */
static void out_of_job(tutti_comm *comm)
{
    tutti_request *request = (tutti_request *)buf;
    tutti_window *window = (tutti_window *)buf;
    tutti_comm *part;
    tutti_message *message = (tutti_message *)buf;
    void *memory;
    int one, two;
    const int state = TUTTI_ERR_STATE;
    WRONG(state, tutti_finalize);
    WRONG(state, tutti_comm_dup, comm, &part);
    WRONG(state, tutti_comm_split, comm, 0, 0, &part);
    WRONG(state, tutti_comm_split_node, comm, &part);
    WRONG(state, tutti_comm_create, comm, NULL, 0, &part);
    WRONG(state, tutti_comm_free, &comm);
    WRONG(state, tutti_send, comm, buf, 1, 0, 0);
    WRONG(state, tutti_ssend, comm, buf, 1, 0, 0);
    WRONG(state, tutti_recv, comm, buf, 1, 0, 0, NULL);
    WRONG(state, tutti_sendrecv, comm, buf, 1, 0, 0, other, 1, 0, 0, NULL);
    WRONG(state, tutti_isend, comm, buf, 1, 0, 0, &request);
    WRONG(state, tutti_issend, comm, buf, 1, 0, 0, &request);
    WRONG(state, tutti_irecv, comm, buf, 1, 0, 0, &request);
    WRONG(state, tutti_send_init, comm, buf, 1, 0, 0, &request);
    WRONG(state, tutti_recv_init, comm, buf, 1, 0, 0, &request);
    WRONG(state, tutti_probe, comm, 0, 0, NULL);
    WRONG(state, tutti_iprobe, comm, 0, 0, &one, NULL);
    WRONG(state, tutti_mprobe, comm, 0, 0, &message, NULL);
    WRONG(state, tutti_improbe, comm, 0, 0, &one, &message, NULL);
    WRONG(state, tutti_mrecv, &message, buf, 1, NULL);
    WRONG(state, tutti_imrecv, &message, buf, 1, &request);
    WRONG(state, tutti_wait, &request, NULL);
    WRONG(state, tutti_waitall, 1, &request, NULL);
    WRONG(state, tutti_waitany, 1, &request, &one, NULL);
    WRONG(state, tutti_waitsome, 1, &request, &one, &two, NULL);
    WRONG(state, tutti_test, &request, &one, NULL);
    WRONG(state, tutti_testall, 1, &request, &one, NULL);
    WRONG(state, tutti_testany, 1, &request, &one, &two, NULL);
    WRONG(state, tutti_start, request);
    WRONG(state, tutti_startall, 1, &request);
    WRONG(state, tutti_cancel, request);
    WRONG(state, tutti_request_free, &request);
    WRONG(state, tutti_barrier, comm);
    WRONG(state, tutti_ibcast, comm, buf, 1, 0, &request);
    WRONG(state, tutti_reduce_init, comm, buf, other, 1, TUTTI_INT8, TUTTI_SUM, 0, &request);
    WRONG(state, tutti_allreduce, comm, buf, other, 1, TUTTI_INT8, TUTTI_SUM);
    WRONG(state, tutti_allgather, comm, buf, other, 1);
    WRONG(state, tutti_mem_alloc, comm, 1, &memory);
    WRONG(state, tutti_mem_free, buf);
    WRONG(state, tutti_window_create, comm, buf, 1, &window);
    WRONG(state, tutti_window_free, &window);
    WRONG(state, tutti_window_direct, window, 0, &memory);
    WRONG(state, tutti_put, window, buf, 1, 0, 0, NULL);
    WRONG(state, tutti_get, window, buf, 1, 0, 0, NULL);
    WRONG(state, tutti_put_signal, window, buf, 1, 0, 0, 0, 1);
    WRONG(state, tutti_signal_wait, window, 0, 1, NULL);
    WRONG(state, tutti_accumulate, window, buf, 1, TUTTI_INT8, TUTTI_SUM, 0, 0, NULL);
    WRONG(state, tutti_fetch_op, window, buf, other, TUTTI_INT8, TUTTI_SUM, 0, 0);
    WRONG(state, tutti_compare_swap, window, buf, buf, other, TUTTI_INT8, 0, 0);
    WRONG(state, tutti_flush, window, 0);
}

static void communicators(void)
{
    tutti_comm *part, *none = NULL, *all = world;
    const int bad[] = {size}, twice[] = {0, 0};
    const int arg = TUTTI_ERR_ARG;
    WRONG(arg, tutti_comm_rank, NULL);
    WRONG(arg, tutti_comm_size, NULL);
    WRONG(arg, tutti_comm_dup, NULL, &part);
    WRONG(arg, tutti_comm_dup, world, NULL);
    WRONG(arg, tutti_comm_split, NULL, 0, 0, &part);
    WRONG(arg, tutti_comm_split, world, 0, 0, NULL);
    WRONG(arg, tutti_comm_split, world, -1, 0, &part);
    WRONG(arg, tutti_comm_split_node, NULL, &part);
    WRONG(arg, tutti_comm_split_node, world, NULL);
    WRONG(arg, tutti_comm_create, NULL, bad, 1, &part);
    WRONG(arg, tutti_comm_create, world, bad, 1, NULL);
    WRONG(arg, tutti_comm_create, world, NULL, 1, &part);
    WRONG(arg, tutti_comm_create, world, bad, -1, &part);
    WRONG(arg, tutti_comm_create, world, bad, INT_MAX, &part);
    WRONG(TUTTI_ERR_RANK, tutti_comm_create, world, bad, 1, &part);
    if (size > 1) WRONG(TUTTI_ERR_RANK, tutti_comm_create, world, twice, 2, &part);
    WRONG(arg, tutti_comm_free, NULL);
    WRONG(arg, tutti_comm_free, &none);
    WRONG(arg, tutti_comm_free, &all);
    EXPECT(all == world);
}

static void sends(void)
{
    const int arg = TUTTI_ERR_ARG, nobody = TUTTI_ERR_RANK, tag = TUTTI_ERR_TAG;
#define EACH_SEND(SEND, ...)                                                                                 \
    WRONG(arg, SEND, NULL, buf, 1, 0, 0 __VA_ARGS__);                                                        \
    WRONG(arg, SEND, world, NULL, 1, 0, 0 __VA_ARGS__);                                                      \
    TOO_LONG(SEND, world, buf, SIZE_MAX, size - 1, 0 __VA_ARGS__);                                           \
    WRONG(nobody, SEND, world, buf, 1, size, 0 __VA_ARGS__);                                                 \
    WRONG(nobody, SEND, world, buf, 1, TUTTI_ANY_SOURCE, 0 __VA_ARGS__);                                     \
    WRONG(nobody, SEND, world, buf, 1, INT_MIN, 0 __VA_ARGS__);                                              \
    WRONG(tag, SEND, world, buf, 1, 0, -1 __VA_ARGS__);                                                      \
    WRONG(tag, SEND, world, buf, 1, TUTTI_PROC_NULL, INT_MIN __VA_ARGS__)
#define MADE , &made
#define NOWHERE , NULL
    EACH_SEND(tutti_send, );
    EACH_SEND(tutti_ssend, );
    EACH_SEND(tutti_isend, MADE);
    EACH_SEND(tutti_issend, MADE);
    EACH_SEND(tutti_send_init, MADE);
    WRONG(arg, tutti_isend, world, buf, 1, 0, 0 NOWHERE);
    WRONG(arg, tutti_issend, world, buf, 1, 0, 0 NOWHERE);
    WRONG(arg, tutti_send_init, world, buf, 1, 0, 0 NOWHERE);
    WRONG(arg, tutti_sendrecv, NULL, buf, 1, 0, 0, other, 1, 0, 0, NULL);
    WRONG(arg, tutti_sendrecv, world, NULL, 1, 0, 0, other, 1, 0, 0, NULL);
    WRONG(arg, tutti_sendrecv, world, buf, 1, 0, 0, NULL, 1, 0, 0, NULL);
    TOO_LONG(tutti_sendrecv, world, buf, PTRDIFF_MAX + (size_t)1, 0, 0, other, 1, 0, 0, NULL);
    TOO_LONG(tutti_sendrecv, world, buf, 1, 0, 0, other, PTRDIFF_MAX + (size_t)1, 0, 0, NULL);
    WRONG(nobody, tutti_sendrecv, world, buf, 1, size, 0, other, 1, 0, 0, NULL);
    WRONG(nobody, tutti_sendrecv, world, buf, 1, 0, 0, other, 1, size, 0, NULL);
    WRONG(tag, tutti_sendrecv, world, buf, 1, 0, TUTTI_ANY_TAG, other, 1, 0, 0, NULL);
    WRONG(tag, tutti_sendrecv, world, buf, 1, 0, 0, other, 1, 0, -2, NULL);
}

static void receives(void)
{
    const int arg = TUTTI_ERR_ARG, nobody = TUTTI_ERR_RANK, tag = TUTTI_ERR_TAG;
    tutti_message *message = NULL;
    int found;
#define EACH_RECEIVE(RECEIVE, LAST)                                                                          \
    WRONG(arg, RECEIVE, NULL, buf, 1, 0, 0, LAST);                                                           \
    WRONG(arg, RECEIVE, world, NULL, 1, 0, 0, LAST);                                                         \
    TOO_LONG(RECEIVE, world, buf, SIZE_MAX, 0, 0, LAST);                                                     \
    WRONG(nobody, RECEIVE, world, buf, 1, size, 0, LAST);                                                    \
    WRONG(nobody, RECEIVE, world, buf, 1, -3, 0, LAST);                                                      \
    WRONG(tag, RECEIVE, world, buf, 1, 0, -2, LAST)
    EACH_RECEIVE(tutti_recv, NULL);
    EACH_RECEIVE(tutti_irecv, &made);
    EACH_RECEIVE(tutti_recv_init, &made);
    WRONG(arg, tutti_irecv, world, buf, 1, 0, 0, NULL);
    WRONG(arg, tutti_recv_init, world, buf, 1, 0, 0, NULL);
#define EACH_PROBE(PROBE, ...)                                                                               \
    WRONG(arg, PROBE, NULL, 0, 0, __VA_ARGS__);                                                              \
    WRONG(nobody, PROBE, world, size, 0, __VA_ARGS__);                                                       \
    WRONG(tag, PROBE, world, 0, -2, __VA_ARGS__)
    EACH_PROBE(tutti_probe, NULL);
    EACH_PROBE(tutti_iprobe, &found, NULL);
    EACH_PROBE(tutti_mprobe, &message, NULL);
    EACH_PROBE(tutti_improbe, &found, &message, NULL);
    WRONG(arg, tutti_iprobe, world, 0, 0, NULL, NULL);
    WRONG(arg, tutti_mprobe, world, 0, 0, NULL, NULL);
    WRONG(arg, tutti_improbe, world, 0, 0, NULL, &message, NULL);
    WRONG(arg, tutti_improbe, world, 0, 0, &found, NULL, NULL);
    WRONG(arg, tutti_mrecv, NULL, buf, 1, NULL);
    WRONG(arg, tutti_mrecv, &message, buf, 1, NULL);
    WRONG(arg, tutti_imrecv, NULL, buf, 1, &made);
    WRONG(arg, tutti_imrecv, &message, buf, 1, &made);
    OK(tutti_mprobe(world, TUTTI_PROC_NULL, 0, &message, NULL));
    WRONG(arg, tutti_mrecv, &message, NULL, 1, NULL);
    WRONG(arg, tutti_imrecv, &message, buf, 1, NULL);
    TOO_LONG(tutti_mrecv, &message, buf, SIZE_MAX, NULL);
    TOO_LONG(tutti_imrecv, &message, buf, SIZE_MAX, &made);
    OK(tutti_mrecv(&message, buf, 1, NULL)); /* the wrong calls left it */
    EXPECT(message == NULL);
}

static void requests(void)
{
    const int arg = TUTTI_ERR_ARG;
    tutti_request *none = NULL;
    int one, two;
    WRONG(arg, tutti_wait, NULL, NULL);
    WRONG(arg, tutti_waitall, -1, &none, NULL);
    WRONG(arg, tutti_waitall, 1, NULL, NULL);
    WRONG(arg, tutti_waitany, 1, NULL, &one, NULL);
    WRONG(arg, tutti_waitany, 1, &none, NULL, NULL);
    WRONG(arg, tutti_waitsome, 1, NULL, &one, &two, NULL);
    WRONG(arg, tutti_waitsome, 1, &none, NULL, &two, NULL);
    WRONG(arg, tutti_waitsome, 1, &none, &one, NULL, NULL);
    WRONG(arg, tutti_test, NULL, &one, NULL);
    WRONG(arg, tutti_test, &none, NULL, NULL);
    WRONG(arg, tutti_testall, 1, NULL, &one, NULL);
    WRONG(arg, tutti_testall, 1, &none, NULL, NULL);
    WRONG(arg, tutti_testany, 1, NULL, &one, &two, NULL);
    WRONG(arg, tutti_testany, 1, &none, NULL, &two, NULL);
    WRONG(arg, tutti_testany, 1, &none, &one, NULL, NULL);
    WRONG(arg, tutti_start, NULL);
    WRONG(arg, tutti_startall, 1, NULL);
    WRONG(arg, tutti_startall, -1, &none);
    wrong("tutti_startall: requests[0] is NULL", __LINE__, arg, tutti_startall(1, &none));
    /* Of two arguments that may be wrong the one that is so is named. */
    wrong("tutti_startall: requests is NULL; it must be an array of 3", __LINE__, arg,
          tutti_startall(3, NULL));
    wrong("tutti_startall: count is -1", __LINE__, arg, tutti_startall(-1, NULL));
    wrong("tutti_waitall: requests is NULL", __LINE__, arg, tutti_waitall(1, NULL, NULL));
    wrong("tutti_waitall: count is -1", __LINE__, arg, tutti_waitall(-1, &none, NULL));
    wrong("tutti_waitsome: indices is NULL", __LINE__, arg, tutti_waitsome(1, &none, &one, NULL, NULL));
    wrong("tutti_testany: done is NULL", __LINE__, arg, tutti_testany(1, &none, &one, NULL, NULL));
    wrong("tutti_test: done is NULL", __LINE__, arg, tutti_test(&none, NULL, NULL));
    WRONG(arg, tutti_cancel, NULL);
    WRONG(arg, tutti_request_free, NULL);
    WRONG(arg, tutti_request_free, &none);
}

/* Right calls at the wrong time. */
static void states_of_requests(void)
{
    tutti_request *request, *persistent, *collective;
    tutti_status status;
    int done;
    OK(tutti_irecv(world, buf, 1, rank, 7, &request));
    WRONG(TUTTI_ERR_STATE, tutti_start, request);
    OK(tutti_recv_init(world, other, 1, rank, 8, &persistent));
    OK(tutti_cancel(persistent)); /* inactive: nothing to withdraw */
    OK(tutti_wait(&persistent, &status));
    EXPECT(persistent != NULL && status.source == TUTTI_ANY_SOURCE && status.bytes == 0);
    OK(tutti_start(persistent));
    WRONG(TUTTI_ERR_STATE, tutti_start, persistent);
    OK(tutti_test(&persistent, &done, NULL));
    EXPECT(!done);
    OK(tutti_request_free(&persistent)); /* active: goes on */
    OK(tutti_send(world, "b", 1, rank, 8));
    OK(tutti_send(world, "a", 1, rank, 7));
    OK(tutti_wait(&request, NULL));
    EXPECT(buf[0] == 'a' && other[0] == 'b');
    OK(tutti_barrier_init(world, &collective));
    OK(tutti_start(collective));
    if (size > 1) {
        const int code = tutti_cancel(collective);
        EXPECT(code == TUTTI_ERR_UNSUPPORTED || code == 0); /* 0: it was complete */
    }
    WRONG(TUTTI_ERR_STATE, tutti_start, collective);
    OK(tutti_wait(&collective, NULL));
    OK(tutti_request_free(&collective));
}

static void collectives(void)
{
    const int arg = TUTTI_ERR_ARG, nobody = TUTTI_ERR_RANK;
    const tutti_type no_type = 0, strange = TUTTI_TYPE_BYTES(0);
    tutti_op *user, *sum = TUTTI_SUM, *no_op = NULL;
    OK(tutti_op_create(join, 1, NULL, &user));
    WRONG(arg, tutti_barrier, NULL);
    WRONG(arg, tutti_ibarrier, NULL, &made);
    WRONG(arg, tutti_ibarrier, world, NULL);
    WRONG(arg, tutti_barrier_init, world, NULL);
    WRONG(arg, tutti_bcast, NULL, buf, 1, 0);
    WRONG(arg, tutti_bcast, world, NULL, 1, 0);
    WRONG(arg, tutti_bcast, world, buf, SIZE_MAX, 0);
    WRONG(nobody, tutti_bcast, world, buf, 1, size);
    WRONG(nobody, tutti_bcast, world, buf, 1, -1);
    WRONG(arg, tutti_ibcast, world, buf, 1, 0, NULL);
    WRONG(arg, tutti_bcast_init, world, buf, 1, 0, NULL);
#define EACH_REDUCTION(REDUCTION, ...)                                                                       \
    WRONG(arg, REDUCTION, NULL, numbers, sums, 4, TUTTI_INT64, TUTTI_SUM __VA_ARGS__);                       \
    WRONG(arg, REDUCTION, world, NULL, sums, 4, TUTTI_INT64, TUTTI_SUM __VA_ARGS__);                         \
    WRONG(arg, REDUCTION, world, numbers, sums, SIZE_MAX / 4, TUTTI_INT64, TUTTI_SUM __VA_ARGS__);           \
    WRONG(TUTTI_ERR_TYPE, REDUCTION, world, numbers, sums, 4, no_type, user __VA_ARGS__);                    \
    WRONG(TUTTI_ERR_TYPE, REDUCTION, world, numbers, sums, 4, strange, user __VA_ARGS__);                    \
    WRONG(TUTTI_ERR_OP, REDUCTION, world, numbers, sums, 4, TUTTI_INT64, TUTTI_OP_CONSTANT(15) __VA_ARGS__); \
    WRONG(TUTTI_ERR_OP, REDUCTION, world, numbers, sums, 4, TUTTI_INT64, NULL __VA_ARGS__)
#define ROOT , 0
#define ROOT_MADE , 0, &made
    EACH_REDUCTION(tutti_reduce, ROOT);
    EACH_REDUCTION(tutti_ireduce, ROOT_MADE);
    EACH_REDUCTION(tutti_reduce_init, ROOT_MADE);
    EACH_REDUCTION(tutti_allreduce, );
    EACH_REDUCTION(tutti_iallreduce, MADE);
    EACH_REDUCTION(tutti_allreduce_init, MADE);
    WRONG(nobody, tutti_reduce, world, numbers, sums, 4, TUTTI_INT64, TUTTI_SUM, size);
    WRONG(arg, tutti_ireduce, world, numbers, sums, 4, TUTTI_INT64, TUTTI_SUM, 0, NULL);
    WRONG(arg, tutti_iallreduce, world, numbers, sums, 4, TUTTI_INT64, TUTTI_SUM, NULL);
    WRONG(arg, tutti_allreduce, world, numbers, numbers, 4, TUTTI_INT64, TUTTI_SUM);
    WRONG(arg, tutti_allreduce, world, numbers, NULL, 4, TUTTI_INT64, TUTTI_SUM);
    WRONG(arg, tutti_allgather, NULL, buf, other, 1);
    WRONG(arg, tutti_allgather, world, NULL, other, 1);
    WRONG(arg, tutti_allgather, world, buf, NULL, 1);
    WRONG(arg, tutti_allgather, world, buf, other, SIZE_MAX);
    WRONG(arg, tutti_iallgather, world, buf, other, 1, NULL);
    WRONG(arg, tutti_allgather_init, world, buf, other, 1, NULL);
    WRONG(arg, tutti_op_create, NULL, 0, NULL, &user);
    WRONG(arg, tutti_op_create, join, 0, NULL, NULL);
    WRONG(arg, tutti_op_free, NULL);
    WRONG(arg, tutti_op_free, &no_op);
    WRONG(TUTTI_ERR_OP, tutti_op_free, &sum);
    WRONG(TUTTI_ERR_OP, tutti_op_free, &(tutti_op *){TUTTI_OP_CONSTANT(15)});
    OK(tutti_op_free(&user));
}

static void memory(void)
{
    const int arg = TUTTI_ERR_ARG;
    void *base;
    WRONG(arg, tutti_mem_alloc, NULL, 1, &base);
    WRONG(arg, tutti_mem_alloc, world, 1, NULL);
    WRONG(TUTTI_ERR_NO_MEMORY, tutti_mem_alloc, world, SIZE_MAX, &base);
    WRONG(TUTTI_ERR_NO_MEMORY, tutti_mem_alloc, world, SIZE_MAX / 2, &base);
    WRONG(arg, tutti_mem_free, buf);
    OK(tutti_mem_free(NULL));
}

static void windows(void)
{
    static int64_t part[8];
    const int arg = TUTTI_ERR_ARG, nobody = TUTTI_ERR_RANK;
    tutti_window *w, *none = NULL;
    void *memory;
    uint64_t seen;
    WRONG(arg, tutti_window_create, NULL, part, sizeof part, &w);
    WRONG(arg, tutti_window_create, world, NULL, 8, &w);
    WRONG(arg, tutti_window_create, world, part, sizeof part, NULL);
    TOO_LONG(tutti_window_create, world, part, SIZE_MAX, &w);
    WRONG(arg, tutti_window_free, NULL);
    WRONG(arg, tutti_window_free, &none);
    OK(tutti_window_create(world, part, sizeof part, &w));
    WRONG(arg, tutti_window_direct, NULL, 0, &memory);
    WRONG(arg, tutti_window_direct, w, 0, NULL);
    WRONG(nobody, tutti_window_direct, w, size, &memory);
#define EACH_COPY(COPY)                                                                                      \
    WRONG(arg, COPY, NULL, buf, 8, 0, 0, NULL);                                                              \
    WRONG(arg, COPY, w, NULL, 8, 0, 0, NULL);                                                                \
    WRONG(nobody, COPY, w, buf, 8, size, 0, NULL);                                                           \
    WRONG(arg, COPY, w, buf, 8, 0, sizeof part - 7, NULL);                                                   \
    WRONG(arg, COPY, w, buf, 8, 0, SIZE_MAX - 3, NULL);                                                      \
    WRONG(arg, COPY, w, buf, SIZE_MAX, 0, 8, NULL)
    EACH_COPY(tutti_put);
    EACH_COPY(tutti_get);
    WRONG(arg, tutti_put_signal, NULL, buf, 8, 0, 0, 8, 1);
    WRONG(arg, tutti_put_signal, w, NULL, 8, 0, 0, 8, 1);
    WRONG(nobody, tutti_put_signal, w, buf, 8, size, 0, 8, 1);
    WRONG(arg, tutti_put_signal, w, buf, 8, 0, 0, sizeof part, 1);
    WRONG(arg, tutti_put_signal, w, buf, 8, 0, 0, 4, 1);
    WRONG(arg, tutti_signal_wait, NULL, 0, 0, &seen);
    WRONG(arg, tutti_signal_wait, w, sizeof part, 0, &seen);
    WRONG(arg, tutti_signal_wait, w, 3, 0, &seen);
    WRONG(arg, tutti_accumulate, NULL, buf, 1, TUTTI_INT64, TUTTI_SUM, 0, 0, NULL);
    WRONG(arg, tutti_accumulate, w, NULL, 1, TUTTI_INT64, TUTTI_SUM, 0, 0, NULL);
    WRONG(arg, tutti_accumulate, w, buf, 1, TUTTI_INT64, TUTTI_SUM, 0, 4, NULL);
    WRONG(arg, tutti_accumulate, w, buf, SIZE_MAX / 4, TUTTI_INT64, TUTTI_SUM, 0, 0, NULL);
    WRONG(TUTTI_ERR_OP, tutti_accumulate, w, buf, 1, TUTTI_INT64, NULL, 0, 0, NULL);
    WRONG(TUTTI_ERR_TYPE, tutti_accumulate, w, buf, 1, 0, TUTTI_SUM, 0, 0, NULL);
    WRONG(arg, tutti_fetch_op, NULL, buf, other, TUTTI_INT64, TUTTI_SUM, 0, 0);
    WRONG(arg, tutti_fetch_op, w, NULL, other, TUTTI_INT64, TUTTI_SUM, 0, 0);
    WRONG(arg, tutti_fetch_op, w, buf, NULL, TUTTI_INT64, TUTTI_SUM, 0, 0);
    WRONG(TUTTI_ERR_TYPE, tutti_fetch_op, w, buf, other, 0, TUTTI_NO_OP, 0, 0);
    WRONG(arg, tutti_compare_swap, NULL, buf, buf, other, TUTTI_INT64, 0, 0);
    WRONG(arg, tutti_compare_swap, w, NULL, buf, other, TUTTI_INT64, 0, 0);
    WRONG(arg, tutti_compare_swap, w, buf, NULL, other, TUTTI_INT64, 0, 0);
    WRONG(arg, tutti_compare_swap, w, buf, buf, NULL, TUTTI_INT64, 0, 0);
    WRONG(TUTTI_ERR_TYPE, tutti_compare_swap, w, buf, buf, other, TUTTI_DOUBLE, 0, 0);
    WRONG(arg, tutti_flush, NULL, 0);
    WRONG(nobody, tutti_flush, w, size);
    OK(tutti_put(w, buf, 8, TUTTI_PROC_NULL, 99, NULL));
    OK(tutti_window_free(&w));
}

static void starts(void)
{
    const tutti_options high = {.thread_level = 3}, low = {.thread_level = -1};
    WRONG(TUTTI_ERR_ARG, tutti_init, NULL, NULL);
    WRONG(TUTTI_ERR_ARG, tutti_init, &world, &high);
    WRONG(TUTTI_ERR_ARG, tutti_init, &world, &low);
    WRONG(TUTTI_ERR_ARG, tutti_info, -1, 1, tell, NULL);
    WRONG(TUTTI_ERR_ARG, tutti_info, TUTTI_INFO_LIMITS, 0, tell, NULL);
    WRONG(TUTTI_ERR_ARG, tutti_info, TUTTI_INFO_LIMITS, 1, NULL, NULL);
    EXPECT(tutti_strerror(77)[0] != '\0' && tutti_strerror(INT_MIN)[0] != '\0' && tutti_version()[0] != '\0');
}

int main(void)
{
    tutti_comm *again;
    const tutti_options multiple = {.thread_level = TUTTI_THREAD_MULTIPLE};
    out_of_job((tutti_comm *)buf);
    starts();
    job_open(TUTTI_THREAD_SERIALIZED);
    WRONG(TUTTI_ERR_STATE, tutti_init, &again, &multiple);
    communicators();
    sends();
    receives();
    requests();
    collectives();
    memory();
    windows();
    EXPECT(made == NULL);
    states_of_requests();
    OK(tutti_barrier(world));
    OK(tutti_finalize());
    out_of_job((tutti_comm *)buf);
    WRONG(TUTTI_ERR_STATE, tutti_init, &again, NULL);
    return calls > 200 ? 0 : 1;
}
