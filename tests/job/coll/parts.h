/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of parts for tests, and buffers in which parts lie. */
#ifndef TESTS_JOB_PARTS_H
#define TESTS_JOB_PARTS_H

#include <stdbool.h>

#include "tests/job/coll/forms.h"
#include "tests/job/payload.h"

/* Elements of three bytes. */
#define ELEMENT ((size_t)3)
#define TYPE TUTTI_TYPE_BYTES(3)
#define MOST_RANKS 16
#define GAP 0xee
#define NOWHERE ((size_t)0xdeadbeefdeadbeef)

static const size_t means[] = {0, 1, 5, 700, 8000};
#define MEANS (sizeof means / sizeof means[0])

typedef struct {
    tutti_comm *comm;
    int rank, size, root; /* in it */
    enum form form;
    bool in_place;
    size_t mean;
    bool packed; /* one part after the other, without offsets */
} trial;

typedef struct {
    size_t counts[MOST_RANKS], offsets[MOST_RANKS];
} table;

static unsigned char *from, *to;
static size_t room, used; /* in elements: what they have, and what is cleared and looked at of it */

static inline size_t elements_for(size_t parts, size_t largest)
{
    return parts * (largest + MOST_RANKS) + 64;
}

/* What follows has so many parts, of so many elements at most, and gaps: a test of small parts need not clear
 * what large ones need. */
static inline void use_for(size_t parts, size_t largest)
{
    used = elements_for(parts, largest);
    EXPECT(used <= room);
}

/* What `source` has for `target`, in elements. In place it is as much as the other way round. */
static inline size_t count_of(const trial *t, int source, int target)
{
    const int low = t->in_place && source > target ? target : source;
    const int high = low == source ? target : source;
    return t->mean * (size_t)((low * 2 + high) % 3) + (size_t)((low + high) % 2);
}

static inline uint64_t seed_of(const trial *t, int source, int target)
{
    return (uint64_t)source * 1000 + (uint64_t)target * 7 + t->mean + (uint64_t)start_now * 31;
}

/* Backwards, and with a gap of a few elements behind every other part, which the rank has of its own. Where
 * an empty one is does not matter: nothing could be there. */
static inline void place(const trial *t, table *made)
{
    size_t at = t->packed ? 0 : 2;
    for (int i = 0; i < t->size; i++) {
        const int r = t->packed ? i : t->size - 1 - i;
        made->offsets[r] = at;
        at += made->counts[r] + (t->packed || r % 2 == 0 ? 0 : (size_t)t->rank + 1);
        if (made->counts[r] == 0 && !t->packed) made->offsets[r] = NOWHERE - (size_t)t->rank;
    }
    EXPECT(at <= used);
}

static inline const size_t *offsets_of(const trial *t, const table *made)
{
    return t->packed ? NULL : made->offsets;
}

static inline unsigned char *part_in(const table *of, int part, unsigned char *buffer)
{
    return of->counts[part] > 0 ? buffer + of->offsets[part] * ELEMENT : buffer;
}

static inline void fill(const table *of, int part, unsigned char *buffer, uint64_t seed)
{
    payload_fill(part_in(of, part, buffer), of->counts[part] * ELEMENT, seed);
}

static inline bool holds(const table *of, int part, unsigned char *buffer, uint64_t seed)
{
    return payload_is(part_in(of, part, buffer), of->counts[part] * ELEMENT, seed);
}

/* What lies between the parts is as it was. */
static inline bool gaps_are_left(const trial *t, const table *of)
{
    unsigned char *left = malloc(used * ELEMENT);
    EXPECT(left != NULL);
    memcpy(left, to, used * ELEMENT);
    for (int r = 0; r < t->size; r++)
        memset(part_in(of, r, left), GAP, of->counts[r] * ELEMENT);
    const bool kept = left[0] == GAP && memcmp(left, left + 1, used * ELEMENT - 1) == 0; /* all alike */
    free(left);
    return kept;
}

static inline void clear(void)
{
    memset(from, 0xdd, used * ELEMENT);
    memset(to, GAP, used * ELEMENT);
}

/* Room for so many parts of so many elements. */
static inline void parts_open(size_t parts, size_t largest)
{
    EXPECT(size <= MOST_RANKS);
    room = used = elements_for(parts, largest);
    from = malloc(room * ELEMENT);
    to = malloc(room * ELEMENT);
    EXPECT(from != NULL && to != NULL);
}

static inline void parts_close(void)
{
    free(from);
    free(to);
}

/* Whether a rule of the user's, which stands in that variable, is for that algorithm. */
static inline bool is_ruled(const char *variable, const char *algorithm)
{
    const char *rule = getenv(variable);
    return rule != NULL && strstr(rule, algorithm) != NULL;
}

/* What a rank has for another is twice the mean and one at most. */
static inline size_t largest_of(size_t mean)
{
    return 2 * mean + 1;
}

static inline void in_each_form(tutti_comm *comm, void (*test)(trial *t))
{
    trial t = {.comm = comm, .rank = tutti_comm_rank(comm), .size = tutti_comm_size(comm)};
    for (int form = 0; form < FORMS; form++)
        for (int in_place = 0; in_place < 2; in_place++) {
            t.form = (enum form)form;
            t.in_place = in_place != 0;
            test(&t);
        }
}

#endif
