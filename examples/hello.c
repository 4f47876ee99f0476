/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank says who it is, in rank order:  tuttirun -n 4 hello */
#include <stdio.h>
#include <tutti/tutti.h>

int main(void)
{
    tutti_comm *world, *node;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "hello: %s\n", tutti_error_detail());
        return 1;
    }
    if (tutti_comm_split_node(world, &node) != 0) tutti_abort(1, tutti_error_detail());
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);

    /* Lines come out in order because rank 0 alone prints them. */
    char line[128];
    snprintf(line, sizeof line, "hello from rank %d of %d, %d of %d on its node", rank, size,
             tutti_comm_rank(node), tutti_comm_size(node));
    int code = rank == 0 ? 0 : tutti_send(world, line, sizeof line, 0, 0);
    for (int from = 0; code == 0 && rank == 0 && from < size; from++) {
        if (from > 0) code = tutti_recv(world, line, sizeof line, from, 0, NULL);
        if (code == 0) puts(line);
    }
    if (code != 0) tutti_abort(1, tutti_error_detail());
    tutti_comm_free(&node);
    return tutti_finalize() != 0;
}
