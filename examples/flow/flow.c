/* SPDX-License-Identifier: BSD-3-Clause */
/* Flow through a channel, around whatever is drawn in a bitmap, by the lattice-Boltzmann method:
 *
 *     tuttirun -n 4 flow examples/flow/cylinder.conf
 *
 * writes flow.png and a checksum of the final state, which is the same for every number of ranks. Read next:
 * blocks.h (who has what), lattice.h (the fluid), halo.h (messages), totals.h (allreduce), channel.h (RMA),
 * feed.h (a viewer that shows the fluid moving, by --live ADDRESS: examples/live), survive.h and rescue.h
 * (going on when ranks die, by --keep STEPS).
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
#include "examples/flow/rescue.h"
#include "examples/flow/survive.h"
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

/* A newcomer, which begins where the others are, reads the files itself: rank 0 may be one, too. */
static bool task_take_over(int argc, char **argv, struct task *task)
{
    return parameters_read(argc, argv, &task->parameters) &&
           obstacle_read(task->parameters.obstacle, &task->obstacle);
}

enum outcome { DONE, UNSTABLE, BROKEN };

/* What a run of steps works on; made anew, in other blocks, when ranks have died. */
struct work {
    tutti_comm *comm;
    const struct parameters *parameters;
    struct block block;
    struct lattice lattice;
    struct feed feed;
    double *last; /* totals.h */
    double began; /* when the last line of progress was written */
    int since;    /* the step after which that was */
    bool sound;
};

/* A line of progress. The fluid may have blown up. */
static void report(struct work *w, int step)
{
    const bool speaks = tutti_comm_rank(w->comm) == 0;
    const double cells = (double)w->block.channel_width * w->block.channel_height;
    const struct totals totals = totals_measure(w->comm, &w->block, &w->lattice, w->last);
    if (is_broken()) return;
    w->sound = totals.lost == 0;
    const double mlups = cells * (step - w->since) / (seconds() - w->began) / 1e6;
    w->began = seconds();
    w->since = step;
    if (speaks && w->sound)
        printf("step %6d of %d   mass %.9f   residual %.3e   %6.1f MLUPS\n", step, w->parameters->steps,
               totals.mass, totals.residual, mlups);
    else if (speaks)
        complain("unstable at step %d (%lld cells lost): lower velocity or reynolds", step, totals.lost);
    fflush(stdout);
}

/* Whether nobody has died so far; then all ranks know alike whether the fluid is sound, and its state is
 * kept.
 */
static bool keep_state(const struct work *w, int step)
{
    if (!all_agree(w->comm, true)) return false;
    if (w->sound && step < w->parameters->steps) rescue_keep(w->comm, &w->block, &w->lattice, w->last, step);
    return !is_broken();
}

/* What was recalled is at one rank alone as far as it was a dead one's, until it is kept anew. */
static bool keep_again(const struct work *w, int step)
{
    return step > 0 ? keep_state(w, step) : all_agree(w->comm, true);
}

static void step_once(struct work *w, struct halo *halo, int step)
{
    struct lattice *l = &w->lattice;
    halo_start(halo, l);
    lattice_step_inside(l);
    halo_finish(halo, l);
    lattice_step_border(l);
    lattice_step_edges(l);
    feed_step(&w->feed, l, step);
}

/* The steps behind `step`. */
static enum outcome run(struct work *w, int step)
{
    const struct parameters *p = w->parameters;
    struct halo halo;
    halo_open(&halo, w->comm, &w->block, &w->lattice);
    w->began = seconds();
    w->since = step;
    bool whole = true, goes_on = true;
    while (++step <= p->steps && goes_on) {
        const bool ends = step == p->steps, keeps = p->keep > 0 && (step % p->keep == 0 || ends);
        step_once(w, &halo, step);
        if (step % p->report == 0 || ends) report(w, step);
        if (keeps) whole = keep_state(w, step);
        if (keeps || p->keep == 0) goes_on = whole && w->sound;
    }
    halo_close(&halo);
    return !whole ? BROKEN : w->sound ? DONE : UNSTABLE;
}

/* The result, at rank 0. */
static bool finish(const struct task *task, const struct cell *channel)
{
    const struct parameters *p = &task->parameters;
    const size_t cells = (size_t)task->obstacle.width * (size_t)task->obstacle.height;
    if (!picture_write(p->output, &task->obstacle, channel, parameters_strongest(p))) return false;
    printf("checksum %016llx\npicture  %s\n", (unsigned long long)checksum(channel, cells * sizeof *channel),
           p->output);
    fflush(stdout); /* said before all agree that it is: rank 0 may die between that and its end */
    return true;
}

/* The channel at rank 0, which writes the result. */
static enum outcome conclude(const struct work *w, const struct task *task, bool *good)
{
    const bool keeps = task->parameters.keep > 0;
    struct cell *channel = gather_channel(w->comm, &w->block, &w->lattice);
    enum outcome outcome = keeps && !all_agree(w->comm, true) ? BROKEN : DONE;
    if (outcome == DONE && channel != NULL) *good = finish(task, channel);
    CHECK(tutti_mem_free(channel));
    if (outcome == DONE && keeps && !all_agree(w->comm, true)) outcome = BROKEN;
    return outcome;
}

/* From the beginning, or from what was kept. */
static enum outcome attempt(struct work *w, const struct task *task, bool *good)
{
    const int rank = tutti_comm_rank(w->comm), size = tutti_comm_size(w->comm);
    const int width = task->obstacle.width, height = task->obstacle.height;
    struct block *const b = &w->block;
    *good = block_divide(width, height, rank, size, b);
    if (!*good && rank == 0)
        complain("%d ranks are too many for a channel of %d x %d cells: each needs a block of 4 x 4 at least",
                 size, width, height);
    if (!*good) return DONE;
    if (!(*good = feed_open(&w->feed, w->comm, &task->parameters, &task->obstacle, b))) return DONE;
    lattice_open(&w->lattice, b, task->obstacle.solid, &task->parameters);
    w->last = allocate(2 * (size_t)b->width * (size_t)b->height, sizeof *w->last);
    const int step = task->parameters.keep > 0 ? rescue_recall(w->comm, b, &w->lattice, w->last) : 0;
    enum outcome outcome = task->parameters.keep > 0 && !keep_again(w, step) ? BROKEN : DONE;
    if (outcome == DONE && rank == 0)
        printf("flow: %d x %d cells in %d x %d blocks, Reynolds number %g, from step %d\n", width, height,
               b->columns, b->rows, task->parameters.reynolds, step);
    if (outcome == DONE) outcome = run(w, step);
    *good = outcome == DONE;
    feed_close(&w->feed);
    if (outcome == DONE) outcome = conclude(w, task, good);
    lattice_close(&w->lattice);
    free(w->last);
    return outcome;
}

/* Until nobody dies meanwhile. */
static bool simulate(tutti_comm *world, const struct task *task)
{
    bool good;
    tutti_comm *comm = world;
    if (task->parameters.keep > 0) survive_deaths();
    for (;;) {
        struct work w = {.comm = comm, .parameters = &task->parameters, .sound = true};
        if (attempt(&w, task, &good) != BROKEN) break;
        const int before = tutti_comm_size(comm);
        comm = regroup(comm, world);
        const int size = tutti_comm_size(comm);
        if (tutti_comm_rank(comm) == 0)
            printf("flow: %d ranks %s\n", size, size < before ? "are left and go on" : "go on, as before");
    }
    const bool speaks = tutti_comm_rank(comm) == 0; /* it has said why: its status is the job's */
    if (comm != world) CHECK(tutti_comm_free(&comm));
    return good || !speaks;
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    struct task task = {0};
    const int code = tutti_init(&world, NULL);
    if (code != 0) return complain("%s: %s", tutti_strerror(code), tutti_error_detail()), 1;
    const int rank = tutti_comm_rank(world);
    if (parameters_help(argc, argv, rank == 0)) {
        CHECK(tutti_finalize());
        return 0;
    }
    const bool newcomer = tutti_is_newcomer() != 0;
    const bool ready = newcomer ? task_take_over(argc, argv, &task) : task_read(world, argc, argv, &task);
    const bool good = ready ? simulate(world, &task) : rank != 0;
    free(task.obstacle.solid);
    CHECK(tutti_finalize());
    return good ? 0 : 1;
}
