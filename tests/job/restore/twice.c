/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank dies, and a newcomer in its place recalls its piece; then the rank dies that held the piece before.
 * Nothing was kept meanwhile, but nothing is lost: recalling has given each piece a second place again. So it
 * goes until each place has had a newcomer. */
#include "tests/job/lose.h"

#define BYTES 300000

static unsigned char *piece_of(int of)
{
    static unsigned char piece[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        piece[i] = (unsigned char)(i * 7 + (size_t)of * 31);
    return piece;
}

/* All know how many have died, which newcomers cannot. */
static int recall(tutti_comm *comm, int deaths)
{
    int all = 0, count = -1;
    tutti_kept pieces[2];
    OK(tutti_recall(comm, "state", pieces, 2, &count));
    EXPECT(count == 1 && pieces[0].rank == rank && pieces[0].of == size && pieces[0].bytes == BYTES);
    EXPECT(memcmp(pieces[0].data, piece_of(rank), BYTES) == 0);
    OK(tutti_allreduce(comm, &deaths, &all, 1, TUTTI_INT32, TUTTI_MAX));
    return all;
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *comm = world;
    int deaths = 0;
    if (tutti_is_newcomer())
        deaths = recall(comm, 0);
    else
        OK(tutti_keep(comm, "state", piece_of(rank), BYTES));
    while (deaths < size) {
        tutti_comm *whole;
        lose(comm, (1 + deaths) % size);
        OK(tutti_comm_restore(comm, &whole));
        if (comm != world) OK(tutti_comm_free(&comm));
        comm = whole;
        deaths = recall(comm, deaths + 1);
    }
    if (rank == 0) printf("nothing is lost\n");
    return job_close();
}
