/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti-info: prints what tutti_info() tells, by topic. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tutti/info.h>
#include <tutti/tutti.h>

#include "bench/standard_output.h"

#define DEFAULT_RANKS 64

static const struct {
    const char *option, *title, *help;
    int topic;
} topics[] = {
    {"versions", "Versions", "of Tutti and the libraries under it", TUTTI_INFO_VERSIONS},
    {"limits", "Limits", "ranks, tags, contexts, message sizes", TUTTI_INFO_LIMITS},
    {"options", "Options", "every TUTTI_ option: value, origin, default, what it takes", TUTTI_INFO_OPTIONS},
    {"topology", "Topology", "this machine as hwloc sees it, and the groups that ranks on it form",
     TUTTI_INFO_TOPOLOGY},
    {"machine", "Machine", "times of this node that choices rest on, and the sizes they give",
     TUTTI_INFO_MACHINE},
    {"providers", "Providers", "libfabric providers and what each can do here", TUTTI_INFO_PROVIDERS},
    {"interface", "Interface", "provider and interface that would be chosen, and why", TUTTI_INFO_INTERFACE},
    {"algorithms", "Algorithms", "what would be chosen per collective, layout of ranks on nodes, and size",
     TUTTI_INFO_ALGORITHMS},
};
#define TOPICS (sizeof topics / sizeof topics[0])

typedef struct {
    bool wanted[TOPICS];
    bool any, markdown;
    int ranks;
} request;

static void usage(FILE *out)
{
    fprintf(
        out,
        "usage: tutti-info [TOPIC...] [-n RANKS] [--markdown]\n"
        "Prints what this Tutti is, what it finds here and what it would choose. All topics unless named:\n");
    for (size_t i = 0; i < TOPICS; i++)
        fprintf(out, "  --%-12s %s\n", topics[i].option, topics[i].help);
    fprintf(out,
            "and\n"
            "  -n RANKS       communicator size that --algorithms is about (default %d)\n"
            "  --markdown     as tables, the form of docs/options.md\n"
            "  --help, --version\n",
            DEFAULT_RANKS);
}

static int bad_usage(void)
{
    fprintf(stderr, "tutti-info: see tutti-info --help\n");
    return 2;
}

/* ---- printing: the value of a subject's first fact stands on its line, the others under it ---- */

typedef struct {
    char subject[256];
    bool markdown;
    const char *recorded; /* a file of another machine, which the topic is to be about; or NULL */
    bool astray;          /* it is about this one */
} printer;

static void print_text(printer *p, const char *subject, const char *what, const char *value)
{
    if (strcmp(p->subject, subject) != 0) {
        printf("  %s\n", subject);
        snprintf(p->subject, sizeof p->subject, "%s", subject);
    }
    printf("    %-14s %s\n", what, value[0] != '\0' ? value : "-");
}

/* A bar inside a cell would end it. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_markdown(printer *p, const char *subject, const char *what, const char *value)
{
    if (strcmp(p->subject, subject) != 0) {
        printf("| **%s** | | |\n", subject);
        snprintf(p->subject, sizeof p->subject, "%s", subject);
    }
    printf("| | %s | ", what);
    print_cell(value);
    printf(" |\n");
}

static void print_fact(const char *subject, const char *what, const char *value, void *context)
{
    printer *p = context;
    if (p->recorded != NULL && strcmp(subject, "this machine") == 0) p->astray = true;
    if (p->astray) return;
    if (p->markdown)
        print_markdown(p, subject, what, value);
    else
        print_text(p, subject, what, value);
}

/* The file of another machine that --topology is to be of; NULL: it is of this one, or is to count as this
 * one, and hwloc believes it. */
static const char *recorded_machine(int topic)
{
    const char *path = topic == TUTTI_INFO_TOPOLOGY ? getenv("HWLOC_XMLFILE") : NULL;
    return path != NULL && path[0] != '\0' && getenv("HWLOC_THISSYSTEM") == NULL ? path : NULL;
}

/* What a page says before its table. */
static const char *head_of_page(int topic)
{
    if (topic != TUTTI_INFO_OPTIONS) return "";
    return "An option is a variable of the environment, `TUTTI_<NAME>=value`, or a string of that form in\n"
           "`tutti_options.set`, which `tutti_init()` takes; the environment wins. An unknown name is an\n"
           "error, but for those that CMake and the modules of clusters set: `TUTTI_` with ROOT, DIR, HOME,\n"
           "BASE, PREFIX, PATH, VERSION, BIN, LIB, LIBDIR, LIBRARY, INC, INCDIR or INCLUDE. How rules of\n"
           "algorithms are written is in [algorithms](algorithms.md).\n\n";
}

static bool print_topic(size_t index, const request *r)
{
    printer p = {.markdown = r->markdown, .recorded = recorded_machine(topics[index].topic)};
    if (r->markdown)
        printf("# %s\n\n%s| subject | what | value |\n|---|---|---|\n", topics[index].title,
               head_of_page(topics[index].topic));
    else
        printf("%s\n", topics[index].title);
    const int code = tutti_info(topics[index].topic, r->ranks, print_fact, &p);
    if (code != 0)
        fprintf(stderr, "tutti-info: %s: %s: %s\n", topics[index].option, tutti_strerror(code),
                tutti_error_detail());
    /* hwloc takes this one where it cannot use the file, and says nothing. */
    if (p.recorded != NULL && (code != 0 || p.astray))
        fprintf(stderr, "tutti-info: %s: HWLOC_XMLFILE names %s, which is no machine that can be read\n",
                topics[index].option, p.recorded);
    printf("\n");
    return code == 0 && !p.astray;
}

/* ---- command line ---- */

static bool parse_ranks(const char *text, int *ranks)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > 0x7fffffff) {
        fprintf(stderr, "tutti-info: -n %s: a number of ranks from 1 on is wanted\n", text);
        return false;
    }
    *ranks = (int)value;
    return true;
}

enum { HELP = 256, VERSION, MARKDOWN, FIRST_TOPIC };

static void fill_long_options(struct option *options)
{
    size_t n = 0;
    options[n++] = (struct option){"help", no_argument, NULL, HELP};
    options[n++] = (struct option){"version", no_argument, NULL, VERSION};
    options[n++] = (struct option){"markdown", no_argument, NULL, MARKDOWN};
    for (size_t i = 0; i < TOPICS; i++)
        options[n++] = (struct option){topics[i].option, no_argument, NULL, FIRST_TOPIC + (int)i};
    options[n] = (struct option){0};
}

/* Returns -1 to go on, or the exit status. */
static int parse_command_line(int argc, char **argv, request *r)
{
    struct option options[TOPICS + 4];
    fill_long_options(options);
    for (int c; (c = getopt_long(argc, argv, "n:h", options, NULL)) != -1;) {
        if (c == 'h' || c == HELP) return usage(stdout), 0;
        if (c == VERSION) return printf("tutti-info %s\n", tutti_version()), 0;
        if (c == '?') return bad_usage();
        if (c == 'n' && !parse_ranks(optarg, &r->ranks)) return 2;
        if (c == MARKDOWN) r->markdown = true;
        if (c >= FIRST_TOPIC) r->any = r->wanted[c - FIRST_TOPIC] = true;
    }
    if (optind < argc) {
        fprintf(stderr, "tutti-info: %s: not an option; topics begin with --\n", argv[optind]);
        return bad_usage();
    }
    return -1;
}

int main(int argc, char **argv)
{
    request r = {.ranks = DEFAULT_RANKS};
    standard_output_begin();
    const int status = parse_command_line(argc, argv, &r);
    if (status >= 0) return standard_output_end("tutti-info", status, 1);
    int failed = 0;
    for (size_t i = 0; i < TOPICS; i++) {
        if ((r.wanted[i] || !r.any) && !print_topic(i, &r)) failed = 1;
    }
    return standard_output_end("tutti-info", failed, 1);
}
