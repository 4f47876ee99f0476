/* SPDX-License-Identifier: BSD-3-Clause */
/* A task farm that survives its workers: rank 0 hands out tasks, and gives those of a worker that died to
 * others. tuttirun --keep-going -n 4 farm 2     # worker 2 kills itself in its third task
 *
 * A receive from any source fails as soon as any rank of the communicator is dead, since nobody knows whether
 * it was to come from that one. So rank 0 has a receive for each worker, and a death ends just one of them.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#define TASKS 100

enum { TAG_TASK, TAG_STOP, TAG_RESULT };

typedef struct {
    int rank, alive, task;
    double result;
    tutti_request *coming; /* NULL: it has no task */
} worker;

static int todo[TASKS], left; /* tasks that nobody has */

/* Anything but a death is an error of the program. Returns 1 if the peer is alive. */
static int lives(int code)
{
    if (code != 0 && code != TUTTI_ERR_PEER_FAILED) tutti_abort(1, tutti_error_detail());
    return code == 0;
}

static void bury(worker *w)
{
    fprintf(stderr, "farm: task %d goes to another worker: %s\n", w->task, tutti_error_detail());
    todo[left++] = w->task;
    w->alive = 0;
}

static void give(tutti_comm *comm, worker *w)
{
    w->task = todo[--left];
    if (!lives(tutti_send(comm, &w->task, sizeof w->task, w->rank, TAG_TASK)) ||
        !lives(tutti_irecv(comm, &w->result, sizeof w->result, w->rank, TAG_RESULT, &w->coming)))
        bury(w);
}

/* Waits for one result. Returns it, or 0 with the task back where it came from. */
static double take(worker *workers, int count, int *done)
{
    tutti_request **requests = calloc((size_t)count, sizeof(tutti_request *));
    int at = -1;
    if (requests == NULL) tutti_abort(1, "no memory");
    for (int i = 0; i < count; i++)
        requests[i] = workers[i].coming;
    const int alive = lives(tutti_waitany(count, requests, &at, NULL));
    free(requests);
    if (at < 0) tutti_abort(1, "no worker is left");
    workers[at].coming = NULL;
    if (!alive) bury(&workers[at]);
    *done += alive;
    return alive ? workers[at].result : 0;
}

static double farm(tutti_comm *comm, int count)
{
    worker *workers = calloc((size_t)count, sizeof *workers);
    double sum = 0;
    if (workers == NULL) tutti_abort(1, "no memory");
    for (left = 0; left < TASKS; left++)
        todo[left] = left;
    for (int i = 0; i < count; i++)
        workers[i] = (worker){.rank = i + 1, .alive = 1};
    for (int done = 0; done < TASKS;) {
        for (int i = 0; i < count && left > 0; i++) {
            if (workers[i].alive && workers[i].coming == NULL) give(comm, &workers[i]);
        }
        sum += take(workers, count, &done);
    }
    for (int i = 0; i < count; i++) {
        if (workers[i].alive) lives(tutti_send(comm, NULL, 0, workers[i].rank, TAG_STOP));
    }
    free(workers);
    return sum;
}

/* `fatal`: the number of the task that this worker dies in, 0: none. */
static void work(tutti_comm *comm, int fatal)
{
    int task = 0;
    for (int number = 1;; number++) {
        tutti_status status;
        if (!lives(tutti_recv(comm, &task, sizeof task, 0, TUTTI_ANY_TAG, &status))) return;
        if (status.tag == TAG_STOP) return;
        if (number == fatal) raise(SIGKILL);
        const double result = task * 2.0;
        if (!lives(tutti_send(comm, &result, sizeof result, 0, TAG_RESULT))) return;
    }
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    int right = 1;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "farm: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world), victim = argc > 1 ? atoi(argv[1]) : 0;
    if (rank > 0) {
        work(world, rank == victim ? 3 : 0);
    } else {
        const double sum = farm(world, tutti_comm_size(world) - 1);
        printf("%d tasks done, the sum is %g\n", TASKS, sum);
        right = sum == TASKS * (TASKS - 1);
    }
    return tutti_finalize() != 0 || !right;
}
