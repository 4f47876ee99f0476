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
    uint32_t run;
} races;

void races_watch(const void *base, size_t bytes, const char *name)
{
    if (races.count == MOST_REGIONS) abort();
    region *r = &races.regions[races.count++];
    *r = (region){base, bytes, name, calloc(bytes / UNIT + 1, sizeof(unit))};
    if (r->units == NULL) abort();
}

void races_forget(void)
{
    while (races.count > 0)
        free(races.regions[--races.count].units);
}

void races_reset(void)
{
    races.run++;
}

static void found(const region *r, size_t at, bool write, int other, bool other_wrote)
{
    run_fail("race: rank %d %s %s + %zu, which rank %d %s, and nothing puts the two in order", run_rank(),
             write ? "writes" : "reads", r->name, at * UNIT, other, other_wrote ? "wrote" : "read");
}

static void note(region *r, size_t at, bool write)
{
    unit *u = &r->units[at];
    const int rank = run_rank();
    const uint32_t *clock = memory->clock(rank);
    if (u->run != races.run) *u = (unit){.run = races.run, .writer = -1};
    if (u->writer >= 0 && u->writer != rank && u->written > clock[u->writer])
        found(r, at, write, u->writer, true);
    for (int other = 0; write && other < RUN_MOST_RANKS; other++)
        if (other != rank && u->read[other] > clock[other]) found(r, at, write, other, false);
    if (!write) {
        u->read[rank] = clock[rank];
        return;
    }
    u->writer = rank;
    u->written = clock[rank];
}

void races_note(const volatile void *at, size_t bytes, bool write)
{
    if (run_rank() < 0) return;
    const char *from = (const char *)(uintptr_t)at;
    const size_t stride = bytes > LONG_BYTES ? LONG_STRIDE / UNIT : 1;
    for (int i = 0; i < races.count; i++) {
        region *r = &races.regions[i];
        if (from < r->base || from >= r->base + r->bytes) continue;
        const size_t offset = (size_t)(from - r->base), end = (offset + bytes + UNIT - 1) / UNIT;
        for (size_t u = offset / UNIT; u < end; u += stride)
            note(r, u, write);
    }
}
