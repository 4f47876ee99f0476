/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank runs another program of Tutti, which inherits the rank's name in the job. That is refused, with
 * words that say why and what to do, which helps; and what is under way with the rank goes on: short messages
 * and copies from its memory. First a rank that found the node's segment does so, then the one that made it.
 */
#include <unistd.h>

#include "tests/job/job.h"

#define BYTES ((size_t)1 << 20)
/* Under mpirun PMIx itself tells such a process nothing of the job. */
#define MPIRUN "OMPI_COMM_WORLD_SIZE"

/* The parent's process id is in `parent`. */
static int be_child(const char *parent)
{
    char words[128];
    snprintf(words, sizeof words, "process %s has joined the job as rank %s before this one", parent,
             getenv("PMIX_RANK"));
    const int code = tutti_init(&world, NULL);
    const char *detail = tutti_error_detail();
    const int said = strstr(detail, words) != NULL ||
                     (getenv(MPIRUN) != NULL && strstr(detail, "how many ranks the job has") != NULL);
    if (code == TUTTI_ERR_LAUNCH && said && strstr(detail, "unset PMIX_NAMESPACE and PMIX_RANK") != NULL)
        return 0;
    fprintf(stderr, "a rank's child: %s: %s\n", tutti_strerror(code), detail);
    return 1;
}

static int be_alone(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 1);
    return job_close();
}

static void run_children(void)
{
    const long self = (long)getpid();
    char command[128];
    snprintf(command, sizeof command, "/proc/%ld/exe %ld", self, self);
    EXPECT(system(command) == 0);
    snprintf(command, sizeof command, "unset PMIX_NAMESPACE PMIX_RANK " MPIRUN "; /proc/%ld/exe alone", self);
    EXPECT(system(command) == 0);
}

static void receive_from(int runner, unsigned char *data)
{
    tutti_request *requests[2];
    int number = 0;
    memset(data, 0, BYTES);
    OK(tutti_irecv(world, &number, sizeof number, runner, 1, &requests[0]));
    OK(tutti_irecv(world, data, BYTES, runner, 2, &requests[1]));
    OK(tutti_send(world, NULL, 0, runner, 3));
    OK(tutti_waitall(2, requests, NULL));
    EXPECT(number == runner + 1 && data[0] == runner + 1 && data[BYTES - 1] == runner + 1);
}

static void run_and_send(int peer, unsigned char *data)
{
    const int number = rank + 1;
    memset(data, number, BYTES);
    OK(tutti_recv(world, NULL, 0, peer, 3, NULL));
    run_children();
    OK(tutti_send(world, &number, sizeof number, peer, 1));
    OK(tutti_send(world, data, BYTES, peer, 2));
}

int main(int argc, char **argv)
{
    if (argc > 1) return strcmp(argv[1], "alone") == 0 ? be_alone() : be_child(argv[1]);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    unsigned char *data = malloc(BYTES);
    EXPECT(data != NULL);
    for (int runner = 1; runner >= 0; runner--) {
        if (rank == runner) run_and_send(1 - runner, data);
        if (rank == 1 - runner) receive_from(runner, data);
        OK(tutti_barrier(world));
    }
    free(data);
    return job_close();
}
