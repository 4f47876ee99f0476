/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/races.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/explore/memory.h"
#include "tests/explore/run.h"

#define UNIT 4 /* bytes that are watched as one */
#define MOST_REGIONS 8
/* Of a longer access one unit in so many bytes is looked at. */
#define LONG_BYTES 1024
#define LONG_STRIDE 64

/* Who wrote a unit last and who has read it since, by their clocks at that time. */
typedef struct {
    uint32_t run;
    int32_t writer;
    uint32_t written;
    memory_clock read;
} unit;

typedef struct {
    const char *base;
    size_t bytes;
    const char *name;
    unit *units;
} region;

static struct {
    region regions[MOST_REGIONS];
    int count;
    const char *low, *high; /* all regions are between them: most accesses are to the ranks' own stacks */
    uint32_t run;
} races;

void races_watch(const void *base, size_t bytes, const char *name)
{
    if (races.count == MOST_REGIONS) abort();
    region *r = &races.regions[races.count++];
    *r = (region){base, bytes, name, calloc(bytes / UNIT + 1, sizeof(unit))};
    if (r->units == NULL) abort();
    if (races.count == 1 || r->base < races.low) races.low = r->base;
    if (races.count == 1 || r->base + r->bytes > races.high) races.high = r->base + r->bytes;
}

void races_forget(void)
{
    while (races.count > 0)
        free(races.regions[--races.count].units);
    races.low = races.high = NULL;
}

void races_reset(void)
{
    races.run++;
}

/* Of the rank that goes on. */
typedef struct {
    int rank;
    bool write;
    const uint32_t *clock;
} access;

static void found(const region *r, size_t at, bool write, int other, bool other_wrote)
{
    run_fail("race: rank %d %s %s + %zu, which rank %d %s, and nothing puts the two in order", run_rank(),
             write ? "writes" : "reads", r->name, at * UNIT, other, other_wrote ? "wrote" : "read");
}

static void note(const region *r, size_t at, const access *a)
{
    unit *u = &r->units[at];
    if (u->run != races.run) *u = (unit){.run = races.run, .writer = -1};
    if (u->writer >= 0 && u->writer != a->rank && u->written > a->clock[u->writer])
        found(r, at, a->write, u->writer, true);
    if (!a->write) {
        u->read[a->rank] = a->clock[a->rank];
        return;
    }
    for (int other = 0; other < RUN_MOST_RANKS; other++)
        if (other != a->rank && u->read[other] > a->clock[other]) found(r, at, true, other, false);
    u->writer = a->rank;
    u->written = a->clock[a->rank];
}

static void note_in(const region *r, const char *from, size_t bytes, const access *a)
{
    const size_t stride = bytes > LONG_BYTES ? LONG_STRIDE / UNIT : 1;
    if (from < r->base || from >= r->base + r->bytes) return;
    const size_t offset = (size_t)(from - r->base), end = (offset + bytes + UNIT - 1) / UNIT;
    for (size_t u = offset / UNIT; u < end; u += stride)
        note(r, u, a);
}

void races_note(const volatile void *at, size_t bytes, bool write)
{
    const char *from = (const char *)(uintptr_t)at;
    if (from < races.low || from >= races.high || run_rank() < 0) return;
    const int rank = run_rank();
    const access a = {rank, write, memory->clock(rank)};
    for (int i = 0; i < races.count; i++)
        note_in(&races.regions[i], from, bytes, &a);
}
