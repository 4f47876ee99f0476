/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles that repel each other in a periodic box with two wells:
 *
 *     tuttirun -n 4 particles
 *
 * writes particles.png and a checksum of all places and speeds, which is the same for every number of ranks.
 * Read next: strips.h (who has what), parcels.h (alltoall and alltoallv), swarm.c (exscan), cell_list.h (who
 * is near), forces.h, motion.h (steps in time), census.h (allreduce, reduce).
 */
#include <stdio.h>
#include <tutti/tutti.h>

#include "examples/common/mishap.h"
#include "examples/common/quantities.h"
#include "examples/common/stopwatch.h"
#include "examples/particles/census.h"
#include "examples/particles/choices.h"
#include "examples/particles/motion.h"

const char program[] = "particles";

static const struct number numbers[] = {
    {"side", offsetof(struct choices, side), true, 3, 4096, "of the box, in ranges of the repulsion"},
    {"steps", offsetof(struct choices, steps), true, 1, 1e9, "steps in time to run"},
    {"report", offsetof(struct choices, report), true, 1, 1e9, "steps between two lines of progress"},
    {"density", offsetof(struct choices, density), false, 0.1, 20, "particles a unit of area, in the mean"},
    {"stiffness", offsetof(struct choices, stiffness), false, 0, 1000, "force between two in one place"},
    {"well", offsetof(struct choices, well), false, 0, 1000, "depth of the potential that all are in"},
    {"speed", offsetof(struct choices, speed), false, 0, 100, "of the layers at the beginning"},
    {"length", offsetof(struct choices, length), false, 1e-6, 0.1, "of a step in time"},
    {"seed", offsetof(struct choices, seed), true, 0, 10000, "of the first places"},
};

/* Beyond, two particles that meet gain energy from the step's error. */
#define STIFFNESS_MOST 0.1

static enum verdict command_line(int argc, char **argv, struct choices *c)
{
    const struct command command = {
        .summary =
            "usage: tuttirun -n RANKS particles [--NAME VALUE]...\n"
            "Particles that repel each other, in a periodic box with two wells; any number of ranks.\n\n",
        .numbers = numbers,
        .count = sizeof numbers / sizeof *numbers,
        .output = c->output,
        .room = sizeof c->output,
    };
    const enum verdict verdict = command_read(&command, argc, argv, c);
    if (verdict != SOUND || c->stiffness * c->length * c->length <= STIFFNESS_MOST) return verdict;
    complain("unstable: stiffness * length * length is %g, must be %g at most: lower --stiffness or --length",
             c->stiffness * c->length * c->length, STIFFNESS_MOST);
    return REFUSED;
}

/* Rank 0 reads the command line and tells the others. */
static enum verdict choices_read(tutti_comm *world, int argc, char **argv, struct choices *c)
{
    *c = (struct choices){.side = 96,
                          .steps = 2000,
                          .report = 100,
                          .density = 3,
                          .stiffness = 20,
                          .well = 20,
                          .speed = 4,
                          .length = 0.01,
                          .seed = 1,
                          .output = "particles.png"};
    int verdict = tutti_comm_rank(world) == 0 ? (int)command_line(argc, argv, c) : SOUND;
    CHECK(tutti_bcast(world, &verdict, sizeof verdict, 0));
    CHECK(tutti_bcast(world, c, sizeof *c, 0));
    return (enum verdict)verdict;
}

/* A line of progress at rank 0. False if particles have been lost or doubled on their way. */
static bool report(const struct motion *m, const struct census *first, const struct census *now, int step,
                   double took)
{
    const bool is_root = m->strips.rank == 0;
    if (now->count != first->count || now->numbers != first->numbers)
        return is_root &&
               complain("step %d: there are %lld particles of %lld, or some have the number of another", step,
                        (long long)now->count, (long long)first->count);
    if (is_root)
        printf("step %6d of %d   particles %lld   energy %.9f   %6.1f ms a step\n", step, m->choices->steps,
               (long long)now->count, now->energy, 1e3 * took);
    fflush(stdout);
    return true;
}

/* All steps; in `now` what comes out. */
static bool run(tutti_comm *world, struct motion *m, struct census *now)
{
    const struct choices *c = m->choices;
    const struct census first = census_take(world, m);
    bool good = report(m, &first, &first, 0, 0);
    double began = seconds();
    for (int step = 1, last = 0; step <= c->steps && good; step++) {
        motion_step(m);
        if (step % c->report != 0 && step != c->steps) continue;
        *now = census_take(world, m);
        good = report(m, &first, now, step, (seconds() - began) / (step - last));
        began = seconds();
        last = step;
    }
    return good;
}

static bool simulate(tutti_comm *world, const struct choices *c)
{
    struct motion motion;
    struct census census;
    motion_open(&motion, world, c);
    if (motion.strips.rank == 0)
        printf("particles: a box of %d x %d, in strips of rows on %d ranks\n", c->side, c->side,
               motion.strips.size);
    const bool good = run(world, &motion, &census) && census_paint(world, &motion);
    if (good && motion.strips.rank == 0)
        printf("checksum %016llx\npicture  %s\n", (unsigned long long)census.checksum, c->output);
    motion_close(&motion);
    return good;
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    struct choices choices;
    const int code = tutti_init(&world, NULL);
    if (code != 0) return complain("%s: %s", tutti_strerror(code), tutti_error_detail()), 1;
    const int rank = tutti_comm_rank(world);
    const enum verdict verdict = choices_read(world, argc, argv, &choices);
    const bool good = verdict == HELPED || (verdict == SOUND && simulate(world, &choices));
    CHECK(tutti_finalize());
    return good || rank != 0 ? 0 : 1; /* rank 0 has said why: its status is the job's */
}
