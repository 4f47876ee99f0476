/* SPDX-License-Identifier: BSD-3-Clause */
/* With TUTTI_KEEP=xor and groups of three six ranks are two groups, 0 2 4 and 1 3 5. One of each dies:
 * nothing is lost, and the next one of its group has its piece, whatever sizes pieces have. Then a second one
 * of a group dies: all are told whose pieces are lost, and have the rest. */
#include <stdbool.h>

#include "tests/job/lose.h"

#define LARGEST 1100000

static const size_t sizes[] = {700001, 0, 17, 300000, 64, LARGEST};

static void expect_piece(const tutti_kept *piece, int of)
{
    static unsigned char expected[LARGEST];
    EXPECT(piece->rank == of && piece->of == size && piece->bytes == sizes[of]);
    for (size_t i = 0; i < sizes[of]; i++)
        expected[i] = (unsigned char)(i * 7 + (size_t)of * 31 + (i >> 11));
    EXPECT(sizes[of] == 0 || memcmp(piece->data, expected, sizes[of]) == 0);
}

/* heirs[r]: the dead rank whose piece rank r of the world has besides its own; -1: none. */
static void expect_recalled(tutti_comm *comm, const int *heirs, int expected)
{
    tutti_kept pieces[2];
    int count = -1;
    EXPECT(tutti_recall(comm, "state", pieces, 2, &count) == expected);
    if (expected == TUTTI_ERR_LOST) EXPECT(strstr(tutti_error_detail(), "ranks 1, 3 of 6") != NULL);
    EXPECT(count == (heirs[rank] < 0 ? 1 : 2));
    expect_piece(&pieces[0], rank);
    if (count == 2) expect_piece(&pieces[1], heirs[rank]);
}

static tutti_comm *go_on_without(tutti_comm *comm, int victim)
{
    tutti_comm *left;
    lose(comm, victim);
    OK(tutti_comm_shrink(comm, &left));
    return left;
}

int main(void)
{
    static unsigned char state[LARGEST];
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 6);
    for (size_t i = 0; i < sizes[rank]; i++)
        state[i] = (unsigned char)(i * 7 + (size_t)rank * 31 + (i >> 11));
    OK(tutti_keep(world, "state", state, 1));
    OK(tutti_keep(world, "state", state, sizes[rank]));
    tutti_comm *five = go_on_without(world, 1), *four = go_on_without(five, 1);
    expect_recalled(four, (const int[]){-1, -1, -1, 1, 2, -1}, 0);
    expect_recalled(four, (const int[]){-1, -1, -1, 1, 2, -1}, 0);
    tutti_comm *three = go_on_without(four, 1);
    expect_recalled(three, (const int[]){-1, -1, -1, -1, 2, -1}, TUTTI_ERR_LOST);
    if (rank == 0) printf("three recalled four pieces\n");
    return job_close();
}
