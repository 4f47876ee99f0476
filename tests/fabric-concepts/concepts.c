/* SPDX-License-Identifier: BSD-3-Clause */
/* Concepts of libfabric, each beside its alternative, in turn: what docs/libfabric.md says was measured.
 *
 *   fabric_concepts PROVIDER [ROUNDS [CONCEPT]]      net, "tcp;ofi_rxm", shm; on a machine that does nothing
 * else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ways.h"

#define ROUNDS_MOST 99
#define WAYS_MOST 5

typedef struct {
    const char *concept, *unit;
    double (*measure)(const concept_settings *asked);
    struct {
        const char *name;
        concept_settings asked;
    } ways[WAYS_MOST];
} concept_row;

#define HALF "half a round trip, us"
#define EACH "a message one way, us"

static const concept_row rows[] = {
    {"call",
     HALF,
     way_latency,
     {{"fi_send", {0}},
      {"fi_sendmsg", {.structs = true}},
      {"fi_inject", {.inject = true}},
      {"fi_tsend", {.tagged = true}}}},
    {"progress", HALF, way_latency, {{"manual", {0}}, {"auto", {.progress = FI_PROGRESS_AUTO}}}},
    {"threading", HALF, way_latency, {{"domain", {0}}, {"safe", {.threading = FI_THREAD_SAFE}}}},
    {"resources", EACH, way_message, {{"enabled", {0}}, {"disabled", {.resources = FI_RM_DISABLED}}}},
    {"order", EACH, way_message, {{"send after send", {0}}, {"none", {.unordered = true}}}},
    {"delivery", HALF, way_latency, {{"transmitted", {0}}, {"delivered", {.delivered = true}}}},
    {"format",
     EACH,
     way_message,
     {{"msg", {0}},
      {"context", {.format = FI_CQ_FORMAT_CONTEXT}},
      {"data", {.format = FI_CQ_FORMAT_DATA}},
      {"tagged", {.format = FI_CQ_FORMAT_TAGGED}}}},
    {"batch",
     EACH,
     way_message,
     {{"16 at a time", {0}}, {"1", {.batch = 1}}, {"4", {.batch = 4}}, {"64", {.batch = DEPTH}}}},
    {"wait", HALF, way_latency, {{"no wait object", {0}}, {"FI_WAIT_FD", {.sleeps = true}}}},
    {"depth", EACH, way_message, {{"the provider's", {0}}, {"64", {.shallow = true}}}},
    {"multi", EACH, way_message, {{"64 receives", {0}}, {"one, FI_MULTI_RECV", {.multi = true}}}},
    {"multi4k",
     EACH,
     way_message,
     {{"64 receives", {.bytes = 4096}}, {"one, FI_MULTI_RECV", {.bytes = 4096, .multi = true}}}},
    {"threads",
     EACH,
     way_threads,
     {{"one endpoint, a lock", {0}},
      {"FI_THREAD_SAFE, and it", {.way = 1, .threading = FI_THREAD_SAFE}},
      {"an endpoint each", {.way = 2}}}},
    {"flush",
     "32 puts of 64 bytes that are there, us",
     way_flush,
     {{"writes, completions", {.caps = FI_RMA}},
      {"writes, counter", {.caps = FI_RMA, .way = 1}},
      {"messages, answer", {.caps = FI_RMA, .way = 2}}}},
    {"flush2k",
     "32 puts of 2 KiB that are there, us",
     way_flush,
     {{"writes, completions", {.caps = FI_RMA, .bytes = 2048}},
      {"writes, counter", {.caps = FI_RMA, .way = 1, .bytes = 2048}},
      {"messages, answer", {.caps = FI_RMA, .way = 2, .bytes = 2048}}}},
    {"atomic",
     "a fetch-and-add, us",
     way_add,
     {{"fi_fetch_atomic", {.caps = FI_RMA | FI_ATOMIC}},
      {"a message and answer", {.caps = FI_RMA, .way = 1}}}},
    {"insert", "an address, us", way_insert, {{"one at a time", {.way = 1}}, {"4096", {.way = 4096}}}},
    {"register", "4 MiB registered, us", way_register, {{"", {.caps = FI_RMA}}}},
    {"addresses",
     "4096 addresses, KiB a process",
     way_addresses,
     {{"a vector each", {0}}, {"a named one", {.way = 1}}}},
};

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

/* The median of the rounds of each way, in turn; a way that fails is left out of the next. */
static void measure(const concept_row *row, const char *provider, int rounds)
{
    static double figures[WAYS_MOST][ROUNDS_MOST];
    bool fails[WAYS_MOST] = {false};
    int count = 0;
    while (count < WAYS_MOST && row->ways[count].name != NULL)
        count++;
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < count; turn++) {
            const int i =
                round % 2 == 0 ? turn : count - 1 - turn; /* what a machine does over time meets all */
            concept_settings asked = row->ways[i].asked;
            asked.provider = provider;
            if (!fails[i]) figures[i][round] = row->measure(&asked);
            fails[i] = fails[i] || figures[i][round] < 0;
        }
    }
    printf("%s: %s\n", row->concept, row->unit);
    double base = 0;
    for (int i = 0; i < count; i++) {
        qsort(figures[i], (size_t)rounds, sizeof(double), compare);
        const double median = figures[i][rounds / 2];
        if (i == 0 && !fails[0]) base = median;
        if (fails[i])
            printf("  %-24s refused\n", row->ways[i].name);
        else
            printf("  %-24s %9.3f %6.2f\n", row->ways[i].name, median, base > 0 ? median / base : 0);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || argc > 4 || rounds < 1 || rounds > ROUNDS_MOST) {
        fprintf(stderr, "usage: fabric_concepts PROVIDER [ROUNDS [CONCEPT]]\n");
        return 2;
    }
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (argc > 3 && strcmp(argv[3], rows[i].concept) != 0) continue;
        any = true;
        measure(&rows[i], argv[1], rounds);
    }
    if (!any) fprintf(stderr, "fabric_concepts: there is no concept \"%s\"\n", argv[3]);
    return any ? 0 : 2;
}
