/* SPDX-License-Identifier: BSD-3-Clause */
/* Turbulence in the plane, in a periodic box, by Fourier transforms (the pseudo-spectral method):
 *
 *     tuttirun -n 4 spectral
 *
 * writes spectral.png and a checksum of the final field, which is the same for every number of ranks. Random
 * waves curl up into vortices, which merge. Read next: slabs.h (who has what), transpose.h (alltoallv),
 * equation.h (the fluid), runge_kutta.h (steps in time), spectrum.h (allreduce), snapshot.c (gatherv).
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

#include "examples/common/checksum.h"
#include "examples/common/mishap.h"
#include "examples/common/quantities.h"
#include "examples/common/stopwatch.h"
#include "examples/spectral/runge_kutta.h"
#include "examples/spectral/settings.h"
#include "examples/spectral/slabs.h"
#include "examples/spectral/snapshot.h"
#include "examples/spectral/spectrum.h"

const char program[] = "spectral";

static const struct number numbers[] = {
    {"grid", offsetof(struct settings, grid), true, 4, 16384, "points along each side of the box"},
    {"steps", offsetof(struct settings, steps), true, 1, 1e9, "steps in time to run"},
    {"report", offsetof(struct settings, report), true, 1, 1e9, "steps between two lines of progress"},
    {"viscosity", offsetof(struct settings, viscosity), false, 0, 1, "in units of box / 2π and mean speed"},
    {"courant", offsetof(struct settings, courant), false, 0.01, 0.8, "part of a grid cell passed in a step"},
    {"scale", offsetof(struct settings, scale), false, 1, 1000, "wave number of the first waves"},
    {"seed", offsetof(struct settings, seed), true, 0, 1e9, "of the phases of the first waves"},
};

/* Rank 0 reads the command line and tells the others. */
static enum verdict settings_read(tutti_comm *world, int argc, char **argv, struct settings *s)
{
    *s = (struct settings){.grid = 256,
                           .steps = 2000,
                           .report = 100,
                           .viscosity = 5e-4,
                           .courant = 0.5,
                           .scale = 6,
                           .seed = 1,
                           .output = "spectral.png"};
    const struct command command = {
        .summary = "usage: tuttirun -n RANKS spectral [--NAME VALUE]...\n"
                   "Turbulence in the plane, in a periodic box; any number of ranks.\n\n",
        .numbers = numbers,
        .count = sizeof numbers / sizeof *numbers,
        .output = s->output,
        .room = sizeof s->output,
    };
    int verdict = tutti_comm_rank(world) == 0 ? (int)command_read(&command, argc, argv, s) : SOUND;
    CHECK(tutti_bcast(world, &verdict, sizeof verdict, 0));
    CHECK(tutti_bcast(world, s, sizeof *s, 0));
    return (enum verdict)verdict;
}

/* A line of progress. False if the simulation has blown up. */
static bool report(tutti_comm *world, const struct runge_kutta *m, int step, double took)
{
    const struct totals t = spectrum_totals(world, m->equation.slabs, m->vorticity);
    if (tutti_comm_rank(world) != 0) return t.sound;
    if (!t.sound) return complain("unstable at step %d: lower --courant (%g)", step, m->settings->courant);
    printf("step %6d of %d   time %8.4f   energy %.9f   enstrophy %12.6f   %6.1f ms a step\n", step,
           m->settings->steps, m->time, t.energy, t.enstrophy, 1e3 * took);
    fflush(stdout);
    return true;
}

/* All steps. */
static bool run(tutti_comm *world, struct runge_kutta *m)
{
    const struct settings *s = m->settings;
    bool sound = report(world, m, 0, 0);
    double began = seconds();
    for (int step = 1, last = 0; step <= s->steps && sound; step++) {
        runge_kutta_step(m);
        if (step % s->report != 0 && step != s->steps) continue;
        sound = report(world, m, step, (seconds() - began) / (step - last));
        began = seconds();
        last = step;
    }
    return sound;
}

/* The result, at rank 0. */
static bool finish(const struct settings *s, const double *field)
{
    const size_t points = (size_t)s->grid * (size_t)s->grid;
    if (!snapshot_paint(s->output, field, s->grid)) return false;
    printf("checksum %016llx\npicture  %s\n", (unsigned long long)checksum(field, points * sizeof *field),
           s->output);
    return true;
}

static bool simulate(tutti_comm *world, const struct settings *s)
{
    const int rank = tutti_comm_rank(world);
    struct slabs slabs;
    struct runge_kutta method;
    slabs_divide(&slabs, s->grid, rank, tutti_comm_size(world));
    if (rank == 0)
        printf("spectral: %d x %d points, %d wave numbers each way, rows and columns on %d ranks\n", s->grid,
               s->grid, slabs.highest, slabs.size);
    runge_kutta_open(&method, world, &slabs, s);
    spectrum_begin(&slabs, s, method.vorticity);
    bool good = run(world, &method);
    double *field = good ? snapshot_take(world, &slabs, &method.equation.fourier, method.vorticity) : NULL;
    if (field != NULL) good = finish(s, field);
    free(field);
    runge_kutta_close(&method);
    return good;
}

int main(int argc, char **argv)
{
    tutti_comm *world;
    struct settings settings;
    const int code = tutti_init(&world, NULL);
    if (code != 0) return complain("%s: %s", tutti_strerror(code), tutti_error_detail()), 1;
    const int rank = tutti_comm_rank(world);
    const enum verdict verdict = settings_read(world, argc, argv, &settings);
    const bool good = verdict == HELPED || (verdict == SOUND && simulate(world, &settings));
    CHECK(tutti_finalize());
    return good || rank != 0 ? 0 : 1; /* rank 0 has said why: its status is the job's */
}
