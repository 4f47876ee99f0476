/* SPDX-License-Identifier: BSD-3-Clause */
/* ends_job HOW: an error ends the whole job with the error's words, though nobody looks at the call's result.
 *   fatal  TUTTI_ERRORS_FATAL, a message to a rank that there is not
 *   rank   TUTTI_ERRORS_FATAL, tutti_comm_rank() of NULL; size: tutti_comm_size()
 *   init   TUTTI_ERRORS_FATAL, and tutti_init() itself fails; level: since there is no such level of threads
 *   wait   the same, and the operation fails in its wait, at rank 1 alone; rank 0 waits for ever
 *   check  TUTTI_CHECK()
 * What is no error does not: a request that was cancelled, a clock that is read. */
#define TUTTI_UNCHECKED
#include "tests/job/job.h"

static void start(int errors, int level, const char *option)
{
    const char *const set[] = {option, NULL};
    const tutti_options options = {.errors = errors, .thread_level = level, .set = set};
    tutti_init(&world, &options);
    rank = tutti_comm_rank(world);
    size = tutti_comm_size(world);
}

static void cancel_one(void)
{
    tutti_request *request;
    char byte;
    tutti_irecv(world, &byte, 1, TUTTI_ANY_SOURCE, 5, &request);
    tutti_cancel(request);
    EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_CANCELLED);
}

static void truncate_one(void)
{
    char bytes[8] = "";
    tutti_request *request;
    tutti_irecv(world, bytes, 1, 1 - rank, 1, &request);
    if (rank == 0) tutti_send(world, bytes, 8, 1, 1);
    tutti_wait(&request, NULL);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    const char *how = argv[1];
    if (strcmp(how, "init") == 0) start(TUTTI_ERRORS_FATAL, 0, "TUTTI_TRANSPORT=pigeon");
    if (strcmp(how, "level") == 0) start(TUTTI_ERRORS_FATAL, 9, NULL);
    start(strcmp(how, "check") == 0 ? TUTTI_ERRORS_RETURN : TUTTI_ERRORS_FATAL, 0, NULL);
    const double before = tutti_wtime();
    cancel_one();
    EXPECT(tutti_wtime() >= before);
    tutti_barrier(world);
    if (strcmp(how, "fatal") == 0) tutti_send(world, NULL, 0, size, 0);
    if (strcmp(how, "rank") == 0) tutti_comm_rank(NULL);
    if (strcmp(how, "size") == 0) tutti_comm_size(NULL);
    if (strcmp(how, "wait") == 0) truncate_one();
    if (strcmp(how, "check") == 0) TUTTI_CHECK(tutti_send(world, NULL, 0, 0, -1));
    printf("went on\n");
    return job_close();
}
