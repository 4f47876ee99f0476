/* SPDX-License-Identifier: BSD-3-Clause */
/* A task farm that survives its workers: rank 0 hands out tasks, and gives those of a worker that died to
 * others. tuttirun --keep-going -n 4 farm 2     # worker 2 kills itself in its third task
 *
 * A death ends a receive from any source, since nobody knows whether the message was to come from the dead.
 * Rank 0 takes the tasks of the dead back, acknowledges the death, and receives from the others again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#define TASKS 100

enum { TAG_TASK, TAG_STOP, TAG_RESULT };

static int todo[TASKS], left; /* tasks that nobody has */
static int *task_of;          /* by worker; -1: it has none */

/* Anything but a death is an error of the program. Returns 1 if the peer is alive. */
static int lives(int code)
{
    if (code != 0 && code != TUTTI_ERR_PEER_FAILED) tutti_abort(1, tutti_error_detail());
    return code == 0;
}

static void give(tutti_comm *comm, int worker)
{
    if (left == 0) return;
    task_of[worker] = todo[--left];
    /* Of one that has just died, mourn() takes it back. */
    lives(tutti_send(comm, &task_of[worker], sizeof(int), worker, TAG_TASK));
}

/* Tasks of the dead go to workers that have none. Whoever died has just been acknowledged, or will be. */
static void mourn(tutti_comm *comm, int size, int *dead)
{
    int count;
    TUTTI_CHECK(tutti_comm_acknowledge(comm));
    TUTTI_CHECK(tutti_comm_failed(comm, dead, size, &count));
    for (int i = 0; i < count; i++) {
        if (task_of[dead[i]] >= 0) todo[left++] = task_of[dead[i]];
        task_of[dead[i]] = -2;
    }
    fprintf(stderr, "farm: %d of %d workers are dead\n", count, size - 1);
    if (count == size - 1) tutti_abort(1, "no worker is left");
    for (int w = 1; w < size; w++)
        if (task_of[w] == -1) give(comm, w);
}

static double farm(tutti_comm *comm, int size)
{
    int *dead = malloc((size_t)size * sizeof *dead);
    double sum = 0, result;
    task_of = malloc((size_t)size * sizeof *task_of);
    if (dead == NULL || task_of == NULL) tutti_abort(1, "no memory");
    for (left = 0; left < TASKS; left++)
        todo[left] = left;
    for (int w = 1; w < size; w++)
        task_of[w] = -1, give(comm, w);
    for (int done = 0; done < TASKS;) {
        tutti_status status;
        if (!lives(tutti_recv(comm, &result, sizeof result, TUTTI_ANY_SOURCE, TAG_RESULT, &status))) {
            mourn(comm, size, dead);
        } else if (task_of[status.source] >= 0) { /* else it was taken back: another does it */
            sum += result, done++;
            task_of[status.source] = -1;
            give(comm, status.source);
        }
    }
    for (int w = 1; w < size; w++)
        lives(tutti_send(comm, NULL, 0, w, TAG_STOP));
    free(dead);
    free(task_of);
    return sum;
}

/* `fatal`: the number of the task that this worker dies in, 0: none. */
static void work(tutti_comm *comm, int fatal)
{
    tutti_status status;
    int task;
    for (int number = 1; lives(tutti_recv(comm, &task, sizeof task, 0, TUTTI_ANY_TAG, &status)); number++) {
        if (status.tag == TAG_STOP) return;
        if (number == fatal) raise(SIGKILL);
        const double result = task * 2.0;
        if (!lives(tutti_send(comm, &result, sizeof result, 0, TAG_RESULT))) return;
    }
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    TUTTI_CHECK(tutti_init(&world, NULL));
    const int rank = tutti_comm_rank(world), victim = argc > 1 ? atoi(argv[1]) : 0;
    double sum = TASKS * (TASKS - 1);
    if (rank > 0) work(world, rank == victim ? 3 : 0);
    if (rank == 0)
        sum = farm(world, tutti_comm_size(world)), printf("%d tasks done, the sum is %g\n", TASKS, sum);
    return tutti_finalize() != 0 || sum != TASKS * (TASKS - 1);
}
