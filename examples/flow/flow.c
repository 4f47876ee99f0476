/* SPDX-License-Identifier: BSD-3-Clause */
/* Flow through a channel, around whatever is drawn in a bitmap, by the lattice-Boltzmann method:
 *
 *     tuttirun -n 4 flow examples/flow/cylinder.conf
 *
 * writes flow.png and a checksum of the final state, which is the same for every number of ranks. Read next:
 * blocks.h (who has what), lattice.h (the fluid), halo.h (messages), totals.h (allreduce), channel.h (RMA),
 * feed.h (a viewer that shows the fluid moving, by --live ADDRESS: examples/live).
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#include "examples/common/checksum.h"
#include "examples/common/mishap.h"
#include "examples/common/stopwatch.h"
#include "examples/flow/channel.h"
#include "examples/flow/feed.h"
#include "examples/flow/halo.h"
#include "examples/flow/lattice.h"
#include "examples/flow/obstacle.h"
#include "examples/flow/parameters.h"
#include "examples/flow/picture.h"
#include "examples/flow/totals.h"

const char program[] = "flow";

/* Everything that every rank knows before the first step. */
struct task {
    struct parameters parameters;
    struct obstacle obstacle;
};

/* Rank 0 reads the files and tells the others, so that they need not be able to. False at every rank if rank
 * 0 has complained. */
static bool task_read(tutti_comm *world, int argc, char **argv, struct task *task)
{
    struct obstacle *const o = &task->obstacle;
    const int root = 0, is_root = tutti_comm_rank(world) == root;
    int good = is_root && parameters_read(argc, argv, &task->parameters) &&
               obstacle_read(task->parameters.obstacle, o);
    CHECK(tutti_bcast(world, &good, sizeof good, root));
    if (!good) return false;
    CHECK(tutti_bcast(world, &task->parameters, sizeof task->parameters, root));
    CHECK(tutti_bcast(world, &o->width, sizeof o->width, root));
    CHECK(tutti_bcast(world, &o->height, sizeof o->height, root));
    const size_t cells = (size_t)o->width * (size_t)o->height;
    if (!is_root) o->solid = allocate(cells, 1);
    CHECK(tutti_bcast(world, o->solid, cells, root));
    return true;
}

/* All steps, with a line of progress now and then. False if the fluid has blown up. */
static bool run(tutti_comm *world, const struct parameters *p, const struct block *b, struct lattice *l,
                struct feed *feed)
{
    const bool speaks = tutti_comm_rank(world) == 0;
    const double cells = (double)b->channel_width * b->channel_height;
    double *last = allocate(2 * (size_t)b->width * (size_t)b->height, sizeof *last), began = seconds();
    bool sound = true;
    struct halo halo;
    halo_open(&halo, world, b, l);
    for (int step = 1; step <= p->steps && sound; step++) {
        halo_start(&halo, l);
        lattice_step_inside(l);
        halo_finish(&halo, l);
        lattice_step_border(l);
        lattice_step_edges(l);
        feed_step(feed, l, step);
        if (step % p->report != 0 && step != p->steps) continue;
        const struct totals totals = totals_measure(world, b, l, last);
        sound = totals.lost == 0;
        const int run_since = step % p->report != 0 ? step % p->report : p->report;
        const double mlups = cells * run_since / (seconds() - began) / 1e6;
        began = seconds();
        if (speaks && sound)
            printf("step %6d of %d   mass %.9f   residual %.3e   %6.1f MLUPS\n", step, p->steps, totals.mass,
                   totals.residual, mlups);
        else if (speaks)
            complain("unstable at step %d (%lld cells lost): lower velocity or reynolds", step, totals.lost);
        fflush(stdout);
    }
    halo_close(&halo);
    free(last);
    return sound;
}

/* The result, at rank 0. */
static bool finish(const struct task *task, const struct cell *channel)
{
    const struct parameters *p = &task->parameters;
    const size_t cells = (size_t)task->obstacle.width * (size_t)task->obstacle.height;
    if (!picture_write(p->output, &task->obstacle, channel, parameters_strongest(p))) return false;
    printf("checksum %016llx\npicture  %s\n", (unsigned long long)checksum(channel, cells * sizeof *channel),
           p->output);
    return true;
}

static bool simulate(tutti_comm *world, const struct task *task)
{
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);
    const int width = task->obstacle.width, height = task->obstacle.height;
    struct block block;
    struct lattice lattice;
    struct feed feed;
    if (!block_divide(width, height, rank, size, &block))
        return rank == 0 &&
               complain("%d ranks are too many for a channel of %d x %d cells: each needs a block "
                        "of 4 x 4 at least",
                        size, width, height);
    if (rank == 0)
        printf("flow: %d x %d cells in %d x %d blocks, Reynolds number %g\n", width, height, block.columns,
               block.rows, task->parameters.reynolds);
    if (!feed_open(&feed, world, &task->parameters, &task->obstacle, &block)) return false;
    lattice_open(&lattice, &block, task->obstacle.solid, &task->parameters);
    bool good = run(world, &task->parameters, &block, &lattice, &feed);
    feed_close(&feed);
    struct cell *channel = good ? gather_channel(world, &block, &lattice) : NULL;
    if (channel != NULL) good = finish(task, channel);
    CHECK(tutti_mem_free(channel));
    lattice_close(&lattice);
    return good;
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    struct task task = {0};
    const int code = tutti_init(&world, NULL);
    if (code != 0) return complain("%s: %s", tutti_strerror(code), tutti_error_detail()), 1;
    const int rank = tutti_comm_rank(world);
    const bool good = task_read(world, argc, argv, &task) && simulate(world, &task);
    free(task.obstacle.solid);
    CHECK(tutti_finalize());
    return good || rank != 0 ? 0 : 1; /* rank 0 has said why: its status is the job's */
}
