/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/explore/run.h"

#define MOST_CHOICES 8192
/* A random run deviates once in so many choices; drawn for each run from 2 to 2^this. */
#define RARELY_BITS 6

typedef struct {
    uint16_t taken, alternatives;
} choice;

static struct {
    enum { ALL, RANDOM, AGAIN } how;
    choice made[MOST_CHOICES];
    unsigned count;   /* choices of this run */
    unsigned known;   /* those that are laid down for it */
    unsigned allowed; /* deviations */
    unsigned spent;
    uint64_t random;
    uint32_t rarely;
} walk;

static uint32_t draw(uint32_t below)
{
    walk.random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = walk.random;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ x >> 31) >> 32) % below;
}

void choose_all(unsigned deviations)
{
    walk.how = ALL;
    walk.allowed = deviations;
    walk.known = 0;
}

void choose_randomly(uint64_t seed)
{
    walk.how = RANDOM;
    walk.random = seed;
}

bool choose_again(const char *text)
{
    walk.how = AGAIN;
    walk.known = 0;
    memset(walk.made, 0, sizeof walk.made);
    if (strcmp(text, "-") == 0) return true;
    for (;;) {
        unsigned place, taken;
        int length;
        if (sscanf(text, "%u=%u%n", &place, &taken, &length) != 2 || place >= MOST_CHOICES) return false;
        walk.made[place].taken = (uint16_t)taken;
        if (place >= walk.known) walk.known = place + 1;
        text += length;
        if (*text == '\0') return true;
        if (*text++ != ',') return false;
    }
}

void choose_begin(void)
{
    walk.count = walk.spent = 0;
    walk.rarely = UINT32_C(2) << draw(RARELY_BITS);
}

static unsigned take(unsigned place, unsigned alternatives)
{
    if (walk.how == RANDOM) return draw(walk.rarely) == 0 ? draw(alternatives) : 0;
    if (place >= walk.known) return 0;
    return walk.made[place].taken < alternatives ? walk.made[place].taken : 0;
}

unsigned choose(unsigned alternatives)
{
    if (alternatives <= 1) return 0;
    const unsigned place = walk.count++;
    if (place == MOST_CHOICES) run_fail("a run of more than %d choices", MOST_CHOICES);
    const unsigned taken = take(place, alternatives);
    walk.made[place] = (choice){(uint16_t)taken, (uint16_t)alternatives};
    walk.spent += taken != 0;
    return taken;
}

/* The last choice that has an alternative left takes it, if the run may deviate there. */
static bool next_of_all(void)
{
    unsigned spent = walk.spent;
    for (unsigned i = walk.count; i-- > 0;) {
        choice *c = &walk.made[i];
        spent -= c->taken != 0;
        if (c->taken + 1 == c->alternatives || spent == walk.allowed) continue;
        c->taken++;
        walk.known = i + 1;
        return true;
    }
    return false;
}

bool choose_next(void)
{
    return walk.how == RANDOM || (walk.how == ALL && next_of_all());
}

void choose_tell(char *text, size_t room)
{
    size_t at = 0;
    snprintf(text, room, "-");
    for (unsigned i = 0; i < walk.count && at + 16 < room; i++)
        if (walk.made[i].taken != 0)
            at += (size_t)snprintf(text + at, room - at, "%s%u=%u", at > 0 ? "," : "", i, walk.made[i].taken);
}

unsigned choose_count(void)
{
    return walk.count;
}
