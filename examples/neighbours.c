/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse neighbour discovery: each rank knows whom it has something for, nobody knows who has something for
 * it, and no rank asks all others:  tuttirun -n 8 neighbours
 *
 * A synchronous send is complete when its receiver has begun to receive. So a rank whose sends are complete
 * enters a barrier without waiting in it, and goes on receiving; when the barrier is over all ranks have
 * entered it, hence all messages have been received (T. Hoefler, C. Siebert, A. Lumsdaine: Scalable
 * communication protocols for dynamic sparse data exchange, 2010). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#define ROUNDS 5
#define VALUES_MAX 100

/* How many values one rank has for another: none for most, and others in each round. */
static int values_for(int from, int to, int round)
{
    const unsigned mixed = (unsigned)(from * 31 + to * 17 + round * 7) * 2654435761U >> 16;
    return from != to && mixed % 3 == 0 ? 1 + (int)(mixed % VALUES_MAX) : 0;
}

/* Starts a send for each rank that this one has values for. Returns how many. */
static int send_all(tutti_comm *comm, int round, int tag, const double *values, tutti_request **sends)
{
    const int rank = tutti_comm_rank(comm), size = tutti_comm_size(comm);
    int count = 0;
    for (int to = 0; to < size; to++) {
        const size_t bytes = (size_t)values_for(rank, to, round) * sizeof *values;
        if (bytes > 0) TUTTI_CHECK(tutti_issend(comm, values, bytes, to, tag, &sends[count++]));
    }
    return count;
}

/* Receives a message if there is one. Returns how many came; adds one to *wrong if it is not what its source
 * had for this rank. */
static int receive_one(tutti_comm *comm, int round, int tag, int *wrong)
{
    double got[VALUES_MAX];
    int found;
    tutti_message *message;
    tutti_status status;
    TUTTI_CHECK(tutti_improbe(comm, TUTTI_ANY_SOURCE, tag, &found, &message, &status));
    if (!found) return 0;
    TUTTI_CHECK(tutti_mrecv(&message, got, sizeof got, &status));
    const int wanted = values_for(status.source, tutti_comm_rank(comm), round);
    *wrong += status.bytes != (size_t)wanted * sizeof *got || got[0] != status.source;
    return 1;
}

/* One exchange; returns how many messages came. Rounds take turns with two tags: who has left the barrier may
 * already send for the next round to a rank that is still in this one. */
static int exchange(tutti_comm *comm, int round, const double *values, tutti_request **sends, int *wrong)
{
    const int tag = round % 2, count = send_all(comm, round, tag, values, sends);
    tutti_request *barrier = NULL;
    int came = 0;
    for (int over = 0; !over;) {
        came += receive_one(comm, round, tag, wrong);
        if (barrier != NULL) {
            TUTTI_CHECK(tutti_test(&barrier, &over, NULL));
        } else {
            int sent;
            TUTTI_CHECK(tutti_testall(count, sends, &sent, NULL));
            if (sent) TUTTI_CHECK(tutti_ibarrier(comm, &barrier));
        }
    }
    return came;
}

int main(void)
{
    tutti_comm *world;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "neighbours: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);
    double values[VALUES_MAX];
    for (int i = 0; i < VALUES_MAX; i++)
        values[i] = rank;
    tutti_request **sends = calloc((size_t)size, sizeof(tutti_request *));
    if (sends == NULL) tutti_abort(1, "no memory");

    int64_t mine[2] = {0, 0}, all[2]; /* messages that came; messages that were wrong, too many or too few */
    for (int round = 0; round < ROUNDS; round++) {
        int expected = 0, wrong = 0;
        const int came = exchange(world, round, values, sends, &wrong);
        for (int from = 0; from < size; from++)
            expected += values_for(from, rank, round) > 0;
        mine[0] += came;
        mine[1] += wrong + abs(came - expected);
    }
    TUTTI_CHECK(tutti_allreduce(world, mine, all, 2, TUTTI_INT64, TUTTI_SUM));
    if (rank == 0)
        printf("%d ranks found their neighbours %d times: %lld messages, %lld wrong\n", size, ROUNDS,
               (long long)all[0], (long long)all[1]);
    free(sends);
    TUTTI_CHECK(tutti_finalize());
    return all[1] != 0;
}
