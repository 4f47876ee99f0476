/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes round all ranks, each adds its rank to it; then everybody passes a message to the right at
 * once: tuttirun -n 4 ring */
#include <stdio.h>
#include <tutti/tutti.h>

int main(void)
{
    tutti_comm *world;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "ring: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;

    /* One after the other. A rank alone would wait for itself: its send is under way while it receives. */
    int token = 0;
    if (rank > 0) TUTTI_CHECK(tutti_recv(world, &token, sizeof token, left, 0, NULL));
    token += rank;
    tutti_request *sent;
    int back = 0;
    TUTTI_CHECK(tutti_isend(world, &token, sizeof token, right, 0, &sent));
    if (rank == 0) TUTTI_CHECK(tutti_recv(world, &back, sizeof back, left, 0, NULL));
    TUTTI_CHECK(tutti_wait(&sent, NULL));

    /* All at the same time. */
    int from_left = -1;
    TUTTI_CHECK(
        tutti_sendrecv(world, &rank, sizeof rank, right, 1, &from_left, sizeof from_left, left, 1, NULL));

    if (rank == 0) printf("ring of %d ranks: the token came back with %d\n", size, back);
    const int good = from_left == left && (rank != 0 || back == size * (size - 1) / 2);
    TUTTI_CHECK(tutti_finalize());
    return !good;
}
