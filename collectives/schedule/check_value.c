/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "collectives/schedule/check.h"

static tti_access_map *content(const tti_checker *checker, int rank, int space)
{
    return &checker->contents[rank * TTI_SPACES + space];
}

static void put(tti_access_map *map, size_t low, size_t high, int value, size_t shift)
{
    tti_interval *whole = tti_access_unite(map, low, high);
    if (whole == NULL) return;
    whole->value = value;
    whole->shift = shift;
    tti_access_join(map, low);
}

/* What is at the beginning: contributions in INPUT (or OUTPUT), nothing elsewhere. */
static bool fill_in(tti_checker *checker)
{
    const int wanted = checker->size * TTI_SPACES;
    if (wanted > checker->contents_room) {
        tti_access_map *contents = realloc(checker->contents, (size_t)wanted * sizeof *contents);
        if (contents == NULL) return tti_check_wrong(checker, "no memory for %d buffers", wanted);
        memset(contents + checker->contents_room, 0,
               (size_t)(wanted - checker->contents_room) * sizeof *contents);
        checker->contents = contents;
        checker->contents_room = wanted;
    }
    for (int r = 0; r < checker->size; r++) {
        const tti_shape shape = tti_checker_shape(checker->collective, checker->shape, r);
        const size_t bytes = tti_shape_bytes(&shape);
        const int own = tti_values_of_rank(r);
        tti_access_reset(content(checker, r, TTI_INPUT), tti_shape_input(checker->collective, &shape), own);
        tti_access_map *output = content(checker, r, TTI_OUTPUT);
        tti_access_reset(output, tti_shape_output(checker->collective, &shape), 0);
        tti_access_reset(content(checker, r, TTI_SCRATCH), checker->schedules[r]->scratch, 0);
        const size_t at = checker->collective == TTI_ALLGATHER ? bytes * (size_t)r : 0;
        const bool in_output = checker->collective == TTI_BCAST ? r == shape.root : shape.in_place;
        if (in_output) put(output, at, at + bytes, own, (size_t)0 - at);
    }
    return true;
}

static bool unwritten(tti_checker *checker, const tti_event *event, size_t at)
{
    return tti_check_wrong(checker, "rank %d step %d takes byte %zu, which nobody wrote", event->rank,
                           event->step, at);
}

/* Copies what the source holds, interval by interval. */
static bool move(tti_checker *checker, const tti_event *event, const tti_access_map *from, size_t low,
                 tti_access_map *to, size_t target, size_t bytes)
{
    for (size_t at = low; at < low + bytes;) {
        const tti_interval here = from->at[tti_access_find(from, at)];
        if (here.value == 0) return unwritten(checker, event, at);
        const size_t end = here.high < low + bytes ? here.high : low + bytes;
        const size_t there = target + (at - low);
        put(to, there, there + (end - at), here.value, here.shift + at - there);
        at = end;
    }
    return true;
}

/* The combination of two values, if it makes sense; else 0. */
static int combine(tti_checker *checker, const tti_event *event, int left, int right)
{
    const int twice = tti_values_common(&checker->values, left, right);
    if (twice >= 0) {
        tti_check_wrong(checker, "rank %d step %d combines the contribution of rank %d twice", event->rank,
                        event->step, twice);
        return 0;
    }
    const int made = tti_values_combine(&checker->values, left, right);
    if (made == 0) tti_check_wrong(checker, "no memory for values");
    if (made != 0 && !checker->shape->commutes && !checker->values.at[made].ordered) {
        tti_check_wrong(checker, "rank %d step %d combines out of rank order", event->rank, event->step);
        return 0;
    }
    return made;
}

static bool reduce(tti_checker *checker, const tti_event *event, const tti_step *step)
{
    const tti_access_map *from = content(checker, event->rank, step->from_space);
    tti_access_map *to = content(checker, event->rank, step->to_space);
    for (size_t done = 0; done < step->bytes;) {
        const size_t a_at = step->from + done, b_at = step->to + done;
        const tti_interval a = from->at[tti_access_find(from, a_at)];
        const tti_interval b = to->at[tti_access_find(to, b_at)];
        if (a.value == 0 || b.value == 0) return unwritten(checker, event, a.value == 0 ? a_at : b_at);
        if (a_at + a.shift != b_at + b.shift || (a_at + a.shift) % checker->shape->element != 0)
            return tti_check_wrong(checker, "rank %d step %d combines byte %zu with byte %zu", event->rank,
                                   event->step, a_at + a.shift, b_at + b.shift);
        const size_t a_rest = a.high - a_at, b_rest = b.high - b_at, rest = step->bytes - done;
        size_t n = a_rest < b_rest ? a_rest : b_rest;
        if (n > rest) n = rest;
        const int made = combine(checker, event, a.value, b.value);
        if (made == 0) return false;
        put(to, b_at, b_at + n, made, b.shift);
        done += n;
    }
    return true;
}

static bool execute(tti_checker *checker, const tti_event *event)
{
    const tti_step *step = tti_check_step(checker, event->rank, event->step);
    tti_access_map *to = content(checker, event->rank, step->to_space);
    if (step->kind == TTI_STEP_REDUCE) return reduce(checker, event, step);
    if (step->kind == TTI_STEP_COPY)
        return move(checker, event, content(checker, event->rank, step->from_space), step->from, to, step->to,
                    step->bytes);
    const int send = checker->partner[checker->first[event->rank] + event->step];
    const int source = checker->owner[send];
    const tti_step *sent = tti_check_step(checker, source, send - checker->first[source]);
    return move(checker, event, content(checker, source, sent->from_space), sent->from, to, step->to,
                step->bytes);
}

/* OUTPUT [low, high) must hold bytes 0 … of the contribution of `rank`. */
static bool ends_with(tti_checker *checker, int owner, size_t low, size_t high, int rank)
{
    const tti_access_map *map = content(checker, owner, TTI_OUTPUT);
    for (size_t at = low; at < high;) {
        const tti_interval *here = &map->at[tti_access_find(map, at)];
        if (here->value != tti_values_of_rank(rank) || here->shift + low != 0)
            return tti_check_wrong(checker, "rank %d ends without the data of rank %d at byte %zu", owner,
                                   rank, at);
        at = here->high;
    }
    return true;
}

/* OUTPUT must hold everybody's contribution, combined as on rank `like`. */
static bool ends_combined(tti_checker *checker, int owner, int like)
{
    const tti_access_map *map = content(checker, owner, TTI_OUTPUT);
    const tti_access_map *other = content(checker, like, TTI_OUTPUT);
    for (int i = 0; i < map->count; i++) {
        const tti_interval *here = &map->at[i];
        if (here->value == 0 || here->shift != 0 ||
            tti_values_ranks(&checker->values, here->value) != checker->size)
            return tti_check_wrong(checker, "rank %d ends without the combination of all ranks at byte %zu",
                                   owner, here->low);
        for (size_t at = here->low; at < here->high;) {
            const tti_interval *there = &other->at[tti_access_find(other, at)];
            if (there->value != here->value)
                return tti_check_wrong(checker, "ranks %d and %d combine byte %zu in different ways", like,
                                       owner, at);
            at = there->high;
        }
    }
    return true;
}

static bool check_end(tti_checker *checker)
{
    const size_t bytes = tti_shape_bytes(checker->shape);
    const int root = checker->shape->root;
    if (checker->collective == TTI_REDUCE) return ends_combined(checker, root, root);
    for (int r = 0; r < checker->size; r++) {
        if (checker->collective == TTI_BCAST && !ends_with(checker, r, 0, bytes, root)) return false;
        if (checker->collective == TTI_ALLREDUCE && !ends_combined(checker, r, 0)) return false;
        for (int q = 0; checker->collective == TTI_ALLGATHER && q < checker->size; q++)
            if (!ends_with(checker, r, bytes * (size_t)q, bytes * (size_t)(q + 1), q)) return false;
    }
    return true;
}

bool tti_check_value(tti_checker *checker)
{
    if (!tti_values_reset(&checker->values, checker->size))
        return tti_check_wrong(checker, "no memory for %d values", checker->size);
    if (!fill_in(checker)) return false;
    for (int i = 0; i < checker->order_count; i++)
        if (!execute(checker, &checker->order[i])) return false;
    for (int i = 0; i < checker->size * TTI_SPACES; i++)
        if (checker->contents[i].failed) return tti_check_wrong(checker, "no memory for intervals");
    return check_end(checker);
}
