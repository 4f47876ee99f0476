/* SPDX-License-Identifier: BSD-3-Clause */
/* A task farm that survives its workers. They take tasks from a counter in rank 0's memory and send results
 * of any length. A death ends a probe of any source: nobody knows whether the message was to come from the
 * dead. Rank 0 acknowledges it, goes on with the others, and does at the end what the dead took and never
 * sent: tuttirun --keep-going -n 4 farm 2 kills worker 2 in its first task. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#define TASKS 200
#define FIRST 1000000              /* task t: the prime factors of FIRST + t, fewer than 63 */
enum { TAG_FACTORS, TAG_NO_MORE }; /* a task and its factors; a worker's last word */
static int missing = TASKS, done[TASKS];

/* Anything but a death is an error of the program. Returns 1 if what was called came about. */
static int lives(int code)
{
    if (code != TUTTI_ERR_PEER_FAILED) TUTTI_CHECK(code);
    return code == 0;
}

/* The message of a task: its number, then the factors. Returns how many int64_t. */
static int solve(int64_t task, int64_t *message)
{
    int64_t rest = FIRST + task;
    int count = 1;
    message[0] = task;
    for (int64_t p = 2; rest > 1; p = p * p > rest ? rest : p + 1)
        for (; rest % p == 0; rest /= p)
            message[count++] = p;
    return count;
}

/* A task may come twice: its worker sent it, and was dead before rank 0 saw it. */
static void keep(const int64_t *message, int count)
{
    int64_t product = 1;
    for (int i = 1; i < count; i++)
        product *= message[i];
    if (product != FIRST + message[0]) tutti_abort(1, "wrong factors came");
    if (!done[message[0]]) done[message[0]] = 1, missing--;
}

/* Until each worker has said its last word, or is lost; then what is missing. */
static void collect(tutti_comm *comm, int size)
{
    int *lost = calloc(2 * (size_t)size, sizeof *lost), *over = lost + size, count;
    int64_t message[64];
    if (lost == NULL) tutti_abort(1, "no memory");
    for (int at_work = size - 1; at_work > 0;) {
        tutti_status status;
        if (!lives(tutti_probe(comm, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &status))) {
            TUTTI_CHECK(tutti_comm_acknowledge(comm));
            TUTTI_CHECK(tutti_comm_failed(comm, lost, size, &count));
            for (int i = 0; i < count; over[lost[i++]] = 1)
                at_work -= !over[lost[i]];
        } else if (lives(tutti_recv(comm, message, status.bytes, status.source, status.tag, &status))) {
            if (status.tag == TAG_FACTORS) keep(message, (int)(status.bytes / sizeof *message));
            if (status.tag == TAG_NO_MORE) at_work -= !over[status.source], over[status.source] = 1;
        }
    }
    printf("rank 0 does %d of %d tasks, which workers took and never sent\n", missing, TASKS);
    for (int task = 0; task < TASKS; task++)
        if (!done[task]) keep(message, solve(task, message));
    free(lost);
}

/* `fatal`: the first task kills this worker, and so does the word that the others have left none. */
static void work(tutti_comm *comm, tutti_window *window, int fatal)
{
    int64_t one = 1, task, message[64];
    while (lives(tutti_fetch_op(window, &one, &task, TUTTI_INT64, TUTTI_SUM, 0, 0))) {
        if (fatal) raise(SIGKILL);
        if (task >= TASKS) break;
        const size_t bytes = (size_t)solve(task, message) * sizeof *message;
        if (!lives(tutti_send(comm, message, bytes, 0, TAG_FACTORS))) return;
    }
    lives(tutti_send(comm, NULL, 0, 0, TAG_NO_MORE));
}

int main(int argc, char **argv)
{
    static int64_t next; /* rank 0's: the counter */
    tutti_comm *world;
    tutti_window *window;
    TUTTI_CHECK(tutti_init(&world, NULL));
    const int rank = tutti_comm_rank(world), victim = argc > 1 ? atoi(argv[1]) : 0;
    TUTTI_CHECK(tutti_window_create(world, &next, rank == 0 ? sizeof next : 0, &window));
    uint64_t all_have_it = 1; /* nobody goes on, and dies, before the last one has made the window */
    lives(tutti_comm_agree(world, &all_have_it));
    if (rank == 0) collect(world, tutti_comm_size(world));
    if (rank != 0) work(world, window, rank == victim);
    lives(tutti_window_free(&window));
    return tutti_finalize() != 0 || (rank == 0 && missing != 0);
}
