/* SPDX-License-Identifier: BSD-3-Clause */
/* Explores how ranks may meet in the node's shared-memory code; see docs/interleavings.md. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/explore/choose.h"
#include "tests/explore/faults.h"
#include "tests/explore/memory.h"
#include "tests/explore/races.h"
#include "tests/explore/scenarios.h"
#include "tests/explore/steps.h"

#define TEXT 4096
/* Deviations in which a fault is looked for. */
#define FAULT_DEVIATIONS 4
/* With each number of them, at most. */
#define FAULT_RUNS 100000

static const char usage[] =
    "explore [OPTION]... [SCENARIO]...\n"
    "\n"
    "Runs the shared-memory code of a node under a scheduler that tries how ranks may meet and what their "
    "loads may\n"
    "see. Without a scenario: all, on both machines.\n"
    "\n"
    "  --model x86|arm       on this machine alone\n"
    "  --deviations N        all runs with at most N deviations from the plain one\n"
    "  --random RUNS         so many random runs instead\n"
    "  --seed N              of the random runs; 1 by default\n"
    "  --replay DEVIATIONS   this run of one scenario on one machine, step by step\n"
    "  --fault NAME          with this fault put in\n"
    "  --faults              puts in each fault in turn and expects that it is found\n"
    "  --list                scenarios and faults\n";

static struct {
    int model; /* -1: both */
    int deviations;
    uint64_t random, seed;
    const char *replay;
    const fault *fault;
} options = {.model = -1, .deviations = -1, .seed = 1};

/* What collectives/execute keeps between calls (own_of_ranks.ld). */
extern char own_of_ranks_begin[], own_of_ranks_end[];

static const char *const model_names[] = {"x86", "arm"};

static const scenario *scenario_at(int i)
{
    const scenario *const lists[] = {scenarios_mailbox, scenarios_copy,   scenarios_windows,
                                     scenarios_course,  scenarios_engine, scenarios_sets};
    const int counts[] = {scenarios_mailbox_count, scenarios_copy_count,   scenarios_windows_count,
                          scenarios_course_count,  scenarios_engine_count, scenarios_sets_count};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; i -= counts[l++])
        if (i < counts[l]) return &lists[l][i];
    return NULL;
}

static const scenario *scenario_of(const char *name)
{
    const scenario *s;
    for (int i = 0; (s = scenario_at(i)) != NULL; i++)
        if (strcmp(s->name, name) == 0) return s;
    fprintf(stderr, "explore: no scenario '%s'; see --list\n", name);
    exit(2);
}

static const fault *fault_of(const char *name)
{
    for (int i = 0; i < faults_count; i++)
        if (strcmp(faults[i].name, name) == 0) return &faults[i];
    fprintf(stderr, "explore: no fault '%s'; see --list\n", name);
    exit(2);
}

static bool run_once(const scenario *s)
{
    s->reset();
    memory_reset();
    races_reset();
    explore_reset();
    return run_ranks(s->body, s->coroutines);
}

static void open_scenario(const scenario *s, enum memory_model model)
{
    memory_open(model);
    s->open(s);
    run_let_die(s->mortal);
}

/* Runs until one fails; its deviations are in `text` then. */
static bool explore(const scenario *s, uint64_t most, char *text, uint64_t *runs)
{
    for (*runs = 1;; ++*runs) {
        if (!run_once(s)) {
            choose_tell(text, TEXT);
            return false;
        }
        if (*runs == most || !choose_next()) return true;
    }
}

/* All runs, those with few deviations first: what fails is as short as it gets. */
static bool explore_all(const scenario *s, unsigned deviations, uint64_t most, char *text, uint64_t *runs)
{
    for (unsigned d = 0; d <= deviations; d++) {
        choose_all(d);
        if (!explore(s, most, text, runs)) return false;
    }
    return true;
}

static int replay(const scenario *s)
{
    if (options.model < 0) options.model = MEMORY_ARM;
    open_scenario(s, (enum memory_model)options.model);
    faults_set(options.fault);
    if (!choose_again(options.replay)) {
        fprintf(stderr, "explore: --replay takes PLACE=ALTERNATIVE,... as a failure prints it, or '-'\n");
        return 2;
    }
    run_traced = true;
    const bool good = run_once(s);
    printf("%s\n", good ? "ended well" : run_failure());
    s->close();
    return good ? 0 : 1;
}

static void report(const scenario *s, int model, const char *deviations)
{
    printf("%s on %s: %s\n    explore --model %s", s->name, model_names[model], run_failure(),
           model_names[model]);
    if (options.fault != NULL) printf(" --fault '%s'", options.fault->name);
    printf(" --replay %s %s\n", deviations, s->name);
}

static bool check(const scenario *s, int model)
{
    char text[TEXT];
    uint64_t runs;
    const unsigned deviations = options.deviations >= 0 ? (unsigned)options.deviations : s->deviations;
    const bool random = options.random > 0;
    open_scenario(s, (enum memory_model)model);
    faults_set(options.fault);
    if (random) choose_randomly(options.seed);
    const bool good =
        random ? explore(s, options.random, text, &runs) : explore_all(s, deviations, 0, text, &runs);
    s->close();
    if (!good)
        report(s, model, text);
    else if (random)
        printf("%s on %s: %" PRIu64 " random runs, seed %" PRIu64 "\n", s->name, model_names[model], runs,
               options.seed);
    else
        printf("%s on %s: all %" PRIu64 " runs of at most %u deviations\n", s->name, model_names[model], runs,
               deviations);
    fflush(stdout);
    return good;
}

static bool check_models(const scenario *s)
{
    bool good = true;
    for (int model = MEMORY_X86; model <= MEMORY_ARM; model++)
        if (options.model < 0 || options.model == model) good = check(s, model) && good;
    return good;
}

/* Found, and what it changes is still there. */
static bool seek_fault(const fault *f)
{
    char text[TEXT];
    uint64_t runs;
    const scenario *s = scenario_of(f->scenario);
    options.fault = f;
    open_scenario(s, f->model);
    faults_set(f);
    const bool found = !explore_all(s, FAULT_DEVIATIONS, FAULT_RUNS, text, &runs);
    s->close();
    printf("%s: %s, run %" PRIu64 "\n", f->name, found ? "found" : "NOT FOUND", runs);
    if (found) report(s, f->model, text);
    if (faults_met() == 0) printf("    %s has no %s any more\n", f->function, f->word);
    return found && faults_met() > 0;
}

static int seek_faults(void)
{
    int missed = 0;
    for (int i = 0; i < faults_count; i++)
        missed += !seek_fault(&faults[i]);
    printf("%d of %d faults found\n", faults_count - missed, faults_count);
    return missed > 0;
}

static int list(void)
{
    const scenario *s;
    for (int i = 0; (s = scenario_at(i)) != NULL; i++)
        printf("%-16s %s\n", s->name, s->what);
    for (int i = 0; i < faults_count; i++)
        printf("fault '%s': %s, %s; in %s on %s\n", faults[i].name, faults[i].function, faults[i].word,
               faults[i].scenario, model_names[faults[i].model]);
    return 0;
}

static int check_all(void)
{
    const scenario *s;
    bool good = true;
    for (int i = 0; (s = scenario_at(i)) != NULL; i++)
        good = check_models(s) && good;
    return good ? 0 : 1;
}

static int check_named(char **names)
{
    bool good = true;
    if (options.replay != NULL) return replay(scenario_of(names[0]));
    for (; *names != NULL; names++)
        good = check_models(scenario_of(*names)) && good;
    return good ? 0 : 1;
}

static int model_of(const char *name)
{
    for (int model = MEMORY_X86; model <= MEMORY_ARM; model++)
        if (strcmp(model_names[model], name) == 0) return model;
    fprintf(stderr, "explore: --model takes x86 or arm\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {
        {"model", required_argument, NULL, 'm'},  {"deviations", required_argument, NULL, 'd'},
        {"random", required_argument, NULL, 'r'}, {"seed", required_argument, NULL, 's'},
        {"replay", required_argument, NULL, 'p'}, {"fault", required_argument, NULL, 'f'},
        {"faults", no_argument, NULL, 'a'},       {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    run_keep(own_of_ranks_begin, (size_t)(own_of_ranks_end - own_of_ranks_begin));
    for (int o; (o = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (o) {
        case 'm': options.model = model_of(optarg); break;
        case 'd': options.deviations = atoi(optarg); break;
        case 'r': options.random = strtoull(optarg, NULL, 0); break;
        case 's': options.seed = strtoull(optarg, NULL, 0); break;
        case 'p': options.replay = optarg; break;
        case 'f': options.fault = fault_of(optarg); break;
        case 'a': return seek_faults();
        case 'l': return list();
        case 'h': fputs(usage, stdout); return 0;
        default: return 2;
        }
    }
    return optind < argc ? check_named(argv + optind) : check_all();
}
