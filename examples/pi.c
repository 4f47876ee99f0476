/* SPDX-License-Identifier: BSD-3-Clause */
/* The area under 4 / (1 + x²) between 0 and 1, by slices:  tuttirun -n 4 pi [slices] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

int main(int argc, char **argv)
{
    tutti_comm *world;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "pi: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);
    const double exact = 3.14159265358979323846;

    /* Rank 0's word counts, whatever the others were started with. */
    long slices = argc > 1 ? atol(argv[1]) : 10000000;
    if (slices < 1) slices = 1;
    if (tutti_bcast(world, &slices, sizeof slices, 0) != 0) tutti_abort(1, tutti_error_detail());

    const double width = 1.0 / (double)slices;
    double mine = 0, all = 0;
    for (long i = rank; i < slices; i += size) {
        const double x = ((double)i + 0.5) * width;
        mine += 4 / (1 + x * x) * width;
    }
    if (tutti_allreduce(world, &mine, &all, 1, TUTTI_DOUBLE, TUTTI_SUM) != 0)
        tutti_abort(1, tutti_error_detail());
    if (rank == 0) printf("pi is about %.12f, off by %.1e\n", all, fabs(all - exact));
    if (tutti_finalize() != 0) return 1;
    return fabs(all - exact) > 1e-3 + width;
}
