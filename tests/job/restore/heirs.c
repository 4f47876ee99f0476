/* SPDX-License-Identifier: BSD-3-Clause */
/* heirs restored|shrunk: of three ranks 0 and 1 die, and the piece of 0 is lost with its buddy, so that what
 * newcomer 1 is given lies only with it and with rank 2. Then rank 2 dies, too, and newcomers alone are left,
 * or first newcomer 0: each piece that there still is is at one rank, and all are told of those that are
 * lost. */
#include "tests/job/lose.h"

#define NONE (-1)

/* What this rank is given: these. */
static void expect_lost(tutti_comm *comm, int first, int second)
{
    tutti_kept pieces[2];
    const int expected[] = {first, second};
    int count = -1;
    EXPECT(tutti_recall(comm, "state", pieces, 2, &count) == TUTTI_ERR_LOST);
    EXPECT(strstr(tutti_error_detail(), "of \"state\"") != NULL);
    EXPECT(count == (first != NONE) + (second != NONE));
    for (int i = 0; i < count; i++)
        EXPECT(pieces[i].rank == expected[i] && pieces[i].of == size &&
               pieces[i].bytes == sizeof expected[i] &&
               memcmp(pieces[i].data, &expected[i], sizeof expected[i]) == 0);
}

static void begin_anew(tutti_comm *comm)
{
    tutti_kept piece;
    int count;
    OK(tutti_keep(comm, "state", &rank, sizeof rank));
    OK(tutti_recall(comm, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == tutti_comm_rank(comm) && piece.of == tutti_comm_size(comm));
    OK(tutti_barrier(comm));
    if (rank == 1) printf("an heir has begun anew\n");
}

/* The victim is a rank of `comm`. */
static tutti_comm *shrink_without(tutti_comm *comm, int victim)
{
    tutti_comm *left;
    lose(comm, victim);
    OK(tutti_comm_shrink(comm, &left));
    return left;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 3);
    tutti_comm *comm = world;
    const int deaths = tutti_is_newcomer() ? rank + 1 : 0; /* before this one came */
    if (deaths == 0) OK(tutti_keep(world, "state", &rank, sizeof rank));
    if (deaths < 1) comm = restore_without(comm, 0);
    if (deaths < 2) comm = restore_without(comm, 1);
    if (deaths < 3) expect_lost(comm, rank == 0 ? NONE : rank, NONE);
    if (strcmp(argv[1], "restored") == 0) {
        if (deaths < 3) comm = restore_without(comm, 2);
        expect_lost(comm, rank == 1 ? 1 : NONE, NONE);
        expect_lost(comm, rank == 1 ? 1 : NONE, NONE);
    } else {
        comm = shrink_without(comm, 0);
        expect_lost(comm, rank == 2 ? 2 : NONE, rank == 2 ? 1 : NONE);
        comm = shrink_without(comm, 1);
        expect_lost(comm, 1, NONE);
    }
    begin_anew(comm);
    return job_close();
}
