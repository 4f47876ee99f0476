/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/proof/checker.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker_state.h"

tti_checker *tti_checker_open(void)
{
    return calloc(1, sizeof(tti_checker));
}

void tti_checker_close(tti_checker *checker)
{
    if (checker == NULL) return;
    for (int s = 0; s < TTI_SPACES; s++)
        tti_access_close(&checker->accesses[s]);
    for (int i = 0; i < checker->contents_room; i++)
        tti_access_close(&checker->contents[i]);
    tti_values_close(&checker->values);
    free(checker->contents);
    free(checker->first);
    free(checker->meeters);
    free(checker->begins);
    free(checker->posts);
    free(checker->shown);
    free(checker->known);
    free(checker->knows);
    free(checker->about_rows);
    free(checker->owner);
    free(checker->partner);
    free(checker->waits);
    free(checker->stack);
    free(checker->started);
    free(checker->table);
    free(checker->order);
    free(checker->bits);
    free(checker);
}

const char *tti_checker_why(const tti_checker *checker)
{
    return checker->why;
}

/* Enlarges *array to `count` elements; its content is not kept. */
static bool enlarge(void *array, size_t count, size_t width)
{
    void **held = array;
    free(*held);
    *held = malloc((count > 0 ? count : 1) * width);
    return *held != NULL;
}

static bool make_contents(tti_checker *checker)
{
    const int wanted = checker->size * TTI_SPACES;
    if (wanted <= checker->contents_room) return true;
    tti_access_map *contents = realloc(checker->contents, (size_t)wanted * sizeof *contents);
    if (contents == NULL) return false;
    memset(contents + checker->contents_room, 0,
           (size_t)(wanted - checker->contents_room) * sizeof *contents);
    checker->contents = contents;
    checker->contents_room = wanted;
    return true;
}

static bool make_room(tti_checker *checker)
{
    const int size = checker->size;
    if (!make_contents(checker)) return false;
    if (size + 1 > checker->first_room) {
        if (!enlarge(&checker->first, (size_t)size + 1, sizeof *checker->first)) return false;
        if (!enlarge(&checker->meeters, (size_t)size, sizeof *checker->meeters)) return false;
        if (!enlarge(&checker->begins, (size_t)size + 1, sizeof *checker->begins)) return false;
        checker->first_room = size + 1;
    }
    checker->first[0] = 0;
    for (int r = 0; r < size; r++)
        checker->first[r + 1] = checker->first[r] + tti_check_schedule(checker, r)->count;
    checker->total = checker->first[size];
    const size_t total = (size_t)checker->total;
    if (checker->total <= checker->total_room) return true;
    checker->total_room = checker->total;
    return enlarge(&checker->owner, total, sizeof *checker->owner) &&
           enlarge(&checker->partner, total, sizeof *checker->partner) &&
           enlarge(&checker->waits, total, sizeof *checker->waits) &&
           enlarge(&checker->stack, total, sizeof *checker->stack) &&
           enlarge(&checker->started, total, sizeof *checker->started) &&
           enlarge(&checker->posts, total, sizeof *checker->posts) &&
           enlarge(&checker->shown, total, sizeof *checker->shown) &&
           enlarge(&checker->knows, total, sizeof *checker->knows) &&
           enlarge(&checker->order, total, sizeof *checker->order);
}

bool tti_checker_prove_steps(tti_checker *checker, enum tti_collective collective, const tti_shape *shape,
                             tti_schedule *const *schedules)
{
    checker->contract = tti_collective_describe(collective);
    checker->shape = shape;
    checker->schedules = schedules;
    checker->ranks = shape->size;
    checker->size = shape->size + (schedules[0]->last != NULL);
    checker->failed = false;
    checker->why[0] = '\0';
    if (!make_room(checker)) return tti_check_wrong(checker, "no memory for %d ranks", shape->size);
    for (int r = 0; r < checker->size; r++)
        for (int g = checker->first[r]; g < checker->first[r + 1]; g++)
            checker->owner[g] = r;
    return tti_check_form(checker) && tti_check_meetings(checker) && tti_check_match(checker) &&
           tti_check_race(checker) && tti_check_order(checker) && tti_check_known(checker) &&
           tti_check_value(checker);
}

bool tti_checker_prove(tti_checker *checker, enum tti_collective collective, const tti_shape *shape,
                       tti_schedule *const *schedules)
{
    return tti_checker_prove_steps(checker, collective, shape, schedules) && tti_check_counted(checker);
}
