/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/parameters.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/image.h"
#include "examples/common/mishap.h"
#include "examples/common/quantities.h"

#define USAGE                                                                                                \
    "usage: flow [--steps N | --quick] [--keep STEPS] [--output FILE.png] "                                  \
    "[--live ADDRESS [--live-every STEPS] [--live-secret FILE]] FILE.conf"
#define LIVE_EVERY 20 /* steps between two frames, if the user does not say */

/* The names of a parameter file, and what is sound. Above a fifth of a cell per step the lattice's fluid is
 * compressible and soon unstable. */
static const struct number numbers[] = {
    {"velocity", offsetof(struct parameters, velocity), false, 0.001, 0.2,
     "of the inflow, in cells per step"},
    {"reynolds", offsetof(struct parameters, reynolds), false, 0.1, 100000, "velocity * length / viscosity"},
    {"length", offsetof(struct parameters, length), false, 1, 10000,
     "of the obstacle across the flow, in cells"},
    {"steps", offsetof(struct parameters, steps), true, 1, 1e9, "to run"},
    {"report", offsetof(struct parameters, report), true, 1, 1e9, "steps between two lines of progress"},
    {"keep", offsetof(struct parameters, keep), true, 1, 1e9, "after which the state is kept"},
    {"every", offsetof(struct parameters, live_every), true, 1, 1e9,
     "steps between two frames for the viewer"},
};

/* Below this viscosity small vortices are no longer damped and the populations blow up. */
#define VISCOSITY_LEAST 0.002

double parameters_viscosity(const struct parameters *p)
{
    return p->velocity * p->length / p->reynolds;
}

double parameters_strongest(const struct parameters *p)
{
    return 7 * p->velocity / p->length;
}

static bool set_number(struct parameters *p, const char *where, const char *name, const char *text)
{
    const struct number *number = number_find(numbers, sizeof numbers / sizeof *numbers, name);
    if (number != NULL) return number_set(number, p, where, text);
    return complain(
        "%s: \"%s\" is unknown: use obstacle, velocity, reynolds, length, steps, report, keep, every", where,
        name);
}

/* The picture's path is relative to the parameter file that names it. */
static bool set_obstacle(struct parameters *p, const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL && text[0] != '/' ? (int)(slash - path) + 1 : 0;
    const int length = snprintf(p->obstacle, sizeof p->obstacle, "%.*s%s", folder, path, text);
    return length < (int)sizeof p->obstacle || complain("%s: the obstacle's path is too long", path);
}

/* One line: "name = value", with comments from '#' and blanks anywhere. */
static bool read_line(struct parameters *p, const char *path, int number, char *line)
{
    char name[32], value[FLOW_PATH], where[FLOW_PATH + 16];
    int used = 0;
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0') return true;
    snprintf(where, sizeof where, "%s:%d", path, number);
    if (sscanf(line, " %31[a-z] = %1023s %n", name, value, &used) != 2 || line[used] != '\0')
        return complain("%s: expected \"name = value\"", where);
    return strcmp(name, "obstacle") == 0 ? set_obstacle(p, path, value) : set_number(p, where, name, value);
}

static bool read_file(struct parameters *p, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) return complain("cannot read parameter file %s: %s", path, strerror(errno));
    char line[FLOW_PATH + 64];
    bool good = true;
    for (int number = 1; good && fgets(line, sizeof line, file) != NULL; number++)
        good = read_line(p, path, number, line);
    if (ferror(file)) good = complain("cannot read parameter file %s: %s", path, strerror(errno));
    fclose(file);
    if (!good) return false;
    if (p->obstacle[0] == '\0' || p->velocity == 0 || p->reynolds == 0 || p->length == 0 || p->steps == 0)
        return complain("%s: obstacle, velocity, reynolds, length and steps must all be given", path);
    if (parameters_viscosity(p) < VISCOSITY_LEAST)
        return complain("%s: unstable: viscosity velocity * length / reynolds is %g, must be %g at least: "
                        "lower reynolds or draw the obstacle larger",
                        path, parameters_viscosity(p), VISCOSITY_LEAST);
    return true;
}

/* What the command line says beside what it sets at once. */
struct line {
    const char *path, *steps, *keep, *every;
};

static bool copy(char *text, size_t room, const char *from)
{
    return (size_t)snprintf(text, room, "%s", from) < room;
}

/* One argument, with its value if it takes one (NULL: there is none). The number of arguments that it is, 0
 * after a complaint. */
static int take(struct parameters *p, struct line *line, const char *name, const char *value)
{
    if (strcmp(name, "--quick") == 0) return line->steps = "200", 1;
    if (name[0] != '-' && line->path == NULL) return line->path = name, 1;
    bool good = value != NULL;
    if (good && strcmp(name, "--steps") == 0)
        line->steps = value;
    else if (good && strcmp(name, "--keep") == 0)
        line->keep = value;
    else if (good && strcmp(name, "--live-every") == 0)
        line->every = value;
    else if (good && strcmp(name, "--output") == 0)
        good = copy(p->output, sizeof p->output, value);
    else if (good && strcmp(name, "--live") == 0)
        good = copy(p->live, sizeof p->live, value) && value[0] != '\0';
    else if (good && strcmp(name, "--live-secret") == 0)
        good = copy(p->live_secret, sizeof p->live_secret, value);
    else
        good = false;
    return good ? 2 : complain("argument \"%s\" is not understood; " USAGE, name);
}

bool parameters_help(int argc, char **argv, bool speaks)
{
    bool asked = false;
    for (int i = 1; i < argc; i++)
        asked = asked || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    if (!asked || !speaks) return asked;
    puts(USAGE
         "\n"
         "Flow around an obstacle; FILE.conf has lines \"name = value\" (examples/flow/cylinder.conf):\n"
         "  obstacle     picture of the channel, PNG or PGM; what is dark is solid");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf("  %-12s %s, %g to %g\n", numbers[i].name, numbers[i].what, numbers[i].least, numbers[i].most);
    puts("  --quick      200 steps\n"
         "  --output     picture to write (flow.png)\n"
         "  --steps, --keep, --live-every   in place of steps, keep, every\n"
         "  --live       sends the field to a viewer that listens there (examples/live)\n"
         "  --live-secret   file with the secret that the viewer knows");
    return true;
}

bool parameters_read(int argc, char **argv, struct parameters *p)
{
    struct line line = {0};
    memset(p, 0, sizeof *p);
    strcpy(p->output, "flow.png");
    p->live_every = LIVE_EVERY;
    for (int i = 1, used; i < argc; i += used) {
        used = take(p, &line, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
        if (used == 0) return false;
    }
    if (line.path == NULL) return complain("no parameter file is given; " USAGE);
    if (!read_file(p, line.path)) return false;
    if (line.steps != NULL && !set_number(p, "--steps", "steps", line.steps)) return false;
    if (line.keep != NULL && !set_number(p, "--keep", "keep", line.keep)) return false;
    if (line.every != NULL && !set_number(p, "--live-every", "every", line.every)) return false;
    if (p->live[0] == '\0' && (line.every != NULL || p->live_secret[0] != '\0'))
        return complain("--live-every and --live-secret need --live ADDRESS; " USAGE);
    if (p->keep > 0 && p->live[0] != '\0')
        return complain("--keep does not go with --live: a viewer is rank 0's, which may die; " USAGE);
    if (!image_writable(p->output)) return false;
    if (p->report == 0 || p->report > p->steps) p->report = p->steps > 10 ? p->steps / 10 : 1;
    return true;
}
