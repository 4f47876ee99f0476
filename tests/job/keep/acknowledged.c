/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank dies, and the program acknowledges that: on the communicator that has lost it nothing is
 * recalled, since its piece would be nobody's, and nothing kept, and each is told what to do. What is left
 * recalls all. */
#include "tests/job/lose.h"

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    const int piece = rank, victim = size - 1;
    tutti_kept kept[2];
    tutti_comm *left;
    int count = -1;
    OK(tutti_keep(world, "state", &piece, sizeof piece));
    lose(world, victim);
    OK(tutti_comm_acknowledge(world));
    EXPECT(tutti_recall(world, "state", kept, 2, &count) == TUTTI_ERR_PEER_FAILED && count == 0);
    char words[32];
    snprintf(words, sizeof words, "has lost rank %d:", victim);
    EXPECT(strstr(tutti_error_detail(), words) != NULL);
    EXPECT(strstr(tutti_error_detail(), "tutti_comm_shrink()") != NULL);
    EXPECT(tutti_keep(world, "state", &piece, sizeof piece) == TUTTI_ERR_PEER_FAILED);
    EXPECT(strstr(tutti_error_detail(), "tutti_comm_shrink()") != NULL);
    OK(tutti_comm_shrink(world, &left));
    OK(tutti_recall(left, "state", kept, 2, &count));
    int sum = 0, pieces = 0;
    for (int i = 0; i < count; i++)
        pieces += *(const int *)kept[i].data == kept[i].rank;
    OK(tutti_allreduce(left, &pieces, &sum, 1, TUTTI_INT32, TUTTI_SUM)); /* nobody leaves before all come */
    if (rank == 0 && sum == size) printf("%d pieces are there\n", sum);
    return job_close();
}
