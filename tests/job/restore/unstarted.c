/* SPDX-License-Identifier: BSD-3-Clause */
/* unstarted FILE: rank 1 removes FILE, by which the launcher starts the ranks, and dies. Nobody can be
 * started in its place: the others hear so, and the job ends well without. */
#include <unistd.h>

#include "tests/job/lose.h"

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(argc == 2);
    tutti_comm *rest = NULL;
    OK(tutti_barrier(world)); /* all have been started by it */
    if (rank == 1) OK(unlink(argv[1]));
    lose(world, 1);
    int code;
    while ((code = tutti_comm_restore(world, &rest)) == 0) { /* before the launcher had tried */
        EXPECT(tutti_barrier(rest) == TUTTI_ERR_PEER_FAILED);
        OK(tutti_comm_free(&rest));
    }
    EXPECT(code == TUTTI_ERR_LIMIT);
    OK(tutti_comm_shrink(world, &rest));
    OK(tutti_barrier(rest));
    OK(tutti_comm_free(&rest));
    return job_close();
}
