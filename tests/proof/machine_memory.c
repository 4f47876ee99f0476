/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker.h"
#include "tests/proof/machine_state.h"
#include "tests/unit/expect.h"

static void *room(size_t count, size_t width)
{
    void *made = calloc(count + 1, width);
    EXPECT(made != NULL);
    return made;
}

static cell contribution(const machine *m, int rank, size_t byte)
{
    const uint64_t key = random_mixed(((uint64_t)rank << 40 | byte) + 1);
    return (cell){m->job->shape->commutes ? 1 : key | 1, random_mixed(key), key};
}

static cell combined(cell left, cell right)
{
    return (cell){left.scale * right.scale, left.scale * right.add + left.add,
                  random_mixed(left.tree * 3 + random_mixed(right.tree))};
}

cell machine_digit(size_t number, size_t i)
{
    const uint64_t key = random_mixed(number * TTI_STEP_WORD + i);
    return (cell){key, key, key};
}

static cell garbage(machine *m)
{
    return (cell){random_next(&m->seed) | 1, random_next(&m->seed), random_next(&m->seed)};
}

/* Links both ends of each message. */
static void match(machine *m)
{
    for (int g = 0; g < m->total; g++) {
        const tti_step *step = machine_step(m, &m->steps[g]);
        m->steps[g].partner = -1;
        for (int i = 0; tti_step_is_message(step) && i < machine_schedule(m, step->peer)->count; i++) {
            const tti_step *other = &machine_schedule(m, step->peer)->steps[i];
            if (tti_step_is_message(other) && other->kind != step->kind && other->peer == m->steps[g].rank &&
                other->tag == step->tag)
                m->steps[g].partner = m->first[step->peer] + i;
        }
    }
}

/* The last to come has a WINDOW and no other memory. */
static void open_spaces(machine *m, int rank)
{
    const tti_schedule *schedule = machine_schedule(m, rank);
    const tti_shape shape = tti_checker_shape(m->job->collective, m->job->shape, rank);
    const tti_contract *contract = tti_collective_describe(m->job->collective);
    rank_state *own = &m->ranks[rank];
    own->spaces[TTI_INPUT] = room(tti_contract_input(contract, &shape), sizeof(cell));
    own->spaces[TTI_OUTPUT] = room(tti_contract_output(contract, &shape), sizeof(cell));
    own->spaces[TTI_SCRATCH] = room(schedule->scratch, sizeof(cell));
    own->begun[TTI_INPUT] = room(tti_contract_input(contract, &shape), sizeof(cell));
    own->begun[TTI_OUTPUT] = room(tti_contract_output(contract, &shape), sizeof(cell));
}

static void open_rank(machine *m, int rank)
{
    const tti_schedule *schedule = machine_schedule(m, rank);
    const size_t size = (size_t)m->size;
    rank_state *own = &m->ranks[rank];
    if (rank < m->callers) open_spaces(m, rank);
    own->log = room((size_t)m->total + 2, sizeof(written));
    own->seen = room(size, sizeof(int));
    for (int i = 0; i < schedule->count; i++)
        m->steps[m->first[rank] + i] = (step_state){.rank = rank, .step = i, .seen = room(size, sizeof(int))};
}

machine machine_open(const machine_job *job)
{
    const int size = job->shape->size + (job->schedules[0]->last != NULL);
    machine m = {
        .job = job, .callers = job->shape->size, .size = size, .first = room((size_t)size, sizeof(int))};
    for (int r = 0; r < size; r++) {
        m.first[r] = m.total;
        m.total += machine_schedule(&m, r)->count;
    }
    m.ranks = room((size_t)size, sizeof *m.ranks);
    m.steps = room((size_t)m.total, sizeof *m.steps);
    m.ready = room((size_t)m.total, sizeof *m.ready);
    for (int r = 0; r < size; r++)
        open_rank(&m, r);
    match(&m);
    return m;
}

void machine_forget(machine *m)
{
    for (int g = 0; g < m->total; g++) {
        free(m->steps[g].sent.cells);
        m->steps[g].sent.cells = NULL;
    }
    for (int r = 0; r < m->size; r++)
        while (m->ranks[r].logged > 0)
            free(m->ranks[r].log[--m->ranks[r].logged].cells);
}

void machine_close(machine *m)
{
    machine_forget(m);
    for (int g = 0; g < m->total; g++)
        free(m->steps[g].seen);
    for (int r = 0; r < m->size; r++) {
        for (int s = 0; s < TTI_WINDOW; s++)
            free(m->ranks[r].spaces[s]);
        for (int s = 0; s < TTI_SHOWN; s++)
            free(m->ranks[r].begun[s]);
        free(m->ranks[r].log);
        free(m->ranks[r].seen);
    }
    free(m->first);
    free(m->ranks);
    free(m->steps);
    free(m->ready);
}

void machine_fill(machine *m, int rank)
{
    const tti_contract *contract = tti_collective_describe(m->job->collective);
    const tti_shape shape = tti_checker_shape(m->job->collective, m->job->shape, rank);
    const size_t ends[] = {tti_contract_input(contract, &shape), tti_contract_output(contract, &shape),
                           m->job->schedules[rank]->scratch};
    for (int s = 0; s < TTI_WINDOW; s++)
        for (size_t i = 0; i < ends[s]; i++)
            m->ranks[rank].spaces[s][i] = garbage(m);
    tti_content own;
    for (int c = 0; c < contract->before(&shape, c, &own); c++)
        for (size_t i = 0; i < own.bytes; i++)
            m->ranks[rank].spaces[own.place.space][own.place.offset + i] =
                contribution(m, rank, own.from + i);
    for (int s = 0; s < TTI_SHOWN; s++)
        memcpy(m->ranks[rank].begun[s], m->ranks[rank].spaces[s], ends[s] * sizeof(cell));
    machine_note(m, rank, EVENT_BEGUN);
}

void machine_note(machine *m, int rank, enum event what)
{
    rank_state *own = &m->ranks[rank];
    own->log[own->logged++] = (written){.what = what};
}

/* The byte of a space of `owner`'s as others see it after so many events. */
static cell seen_byte(machine *m, int owner, int events, tti_place place)
{
    const rank_state *rank = &m->ranks[owner];
    const bool kept = place.space < TTI_SHOWN;
    while (--events >= 0) {
        const written *last = &rank->log[events];
        if (last->what == EVENT_ENDED && kept) break;
        if (last->what == EVENT_BEGUN && kept) return rank->begun[place.space][place.offset];
        if (last->what == EVENT_WRITTEN && last->space == (int)place.space && place.offset >= last->low &&
            place.offset - last->low < last->bytes)
            return last->cells[place.offset - last->low];
    }
    return garbage(m);
}

/* And as the rank itself sees it. */
static cell own_byte(machine *m, int rank, int space, size_t at)
{
    if (space == TTI_WINDOW) return seen_byte(m, rank, m->ranks[rank].logged, tti_place_at(TTI_WINDOW, at));
    return m->ranks[rank].spaces[space][at];
}

/* Byte `at` of what a step takes: of a peer's memory any of the states that it may see. */
static cell source_byte(machine *m, const step_state *state, size_t at)
{
    const tti_step *step = machine_step(m, state);
    const rank_state *rank = &m->ranks[state->rank];
    if (step->kind == TTI_STEP_TELL) return machine_digit(step->from, at - step->from);
    if (!tti_step_reads_peer(step)) return own_byte(m, state->rank, step->from_space, at);
    const int least = rank->seen[step->peer], most = m->ranks[step->peer].logged;
    tti_place place = tti_place_at((enum tti_space)step->from_space, at);
    if (tti_step_reaches(step)) {
        const tti_shown *shown = &machine_schedule(m, step->peer)->shown[step->from_space];
        place = tti_place_at((enum tti_space)shown->space, shown->at + at);
    }
    return seen_byte(m, step->peer, least + random_below(&m->seed, most - least + 1), place);
}

/* The number that is told somewhere and has such a first byte; garbage is as good as any. */
static size_t number_of(const machine *m, cell digit)
{
    for (int g = 0; g < m->total; g++) {
        const tti_step *step = machine_step(m, &m->steps[g]);
        if (step->kind == TTI_STEP_TELL && machine_digit(step->from, 0).tree == digit.tree) return step->from;
    }
    return (size_t)digit.tree;
}

static size_t needed(machine *m, const step_state *state)
{
    const tti_step *step = machine_step(m, state);
    const tti_need *need = tti_schedule_need(machine_schedule(m, state->rank), step);
    size_t used = 0;
    if (need == NULL || step->kind == TTI_STEP_RECV) return step->bytes;
    for (size_t i = 0; i < (size_t)need->count; i++)
        used = tti_need_take(
            need, used, number_of(m, source_byte(m, state, step->from - need->before + i * TTI_STEP_WORD)));
    return tti_need_bytes(need, step->bytes, used);
}

taken machine_take(machine *m, const step_state *state)
{
    const tti_step *step = machine_step(m, state);
    taken t = {.bytes = needed(m, state)};
    t.cells = room(t.bytes, sizeof *t.cells);
    for (size_t i = 0; i < t.bytes; i++)
        t.cells[i] = source_byte(m, state, step->from + i);
    return t;
}

static void write_to(machine *m, int rank, tti_place to, taken t)
{
    rank_state *owner = &m->ranks[rank];
    if (to.space != TTI_WINDOW)
        memcpy(owner->spaces[to.space] + to.offset, t.cells, t.bytes * sizeof *t.cells);
    owner->log[owner->logged++] = (written){EVENT_WRITTEN, to.space, to.offset, t.bytes, t.cells};
}

/* It must not come before the rank has begun, nor when it has ended. */
static void write_to_peer(machine *m, const step_state *state, taken t)
{
    const tti_step *step = machine_step(m, state);
    const tti_shown *shown = &machine_schedule(m, step->peer)->shown[TTI_OUTPUT];
    size_t at;
    tti_step_reached(step, &at);
    if (tti_step_is_told(step)) at = number_of(m, own_byte(m, state->rank, TTI_SCRATCH, step->to));
    m->differ = m->differ || at > shown->bytes || t.bytes > shown->bytes - at;
    m->differ = m->differ || m->ranks[state->rank].seen[step->peer] == 0 || m->ranks[step->peer].left == 0;
    write_to(m, step->peer, tti_place_at((enum tti_space)shown->space, shown->at + at), t);
}

void machine_put(machine *m, const step_state *state, taken t)
{
    const tti_step *step = machine_step(m, state);
    if (step->kind == TTI_STEP_PUT) {
        write_to_peer(m, state, t);
        return;
    }
    for (size_t i = 0; step->kind == TTI_STEP_REDUCE && i < t.bytes; i++)
        t.cells[i] = combined(t.cells[i], own_byte(m, state->rank, step->to_space, step->to + i));
    write_to(m, state->rank, tti_place_at((enum tti_space)step->to_space, step->to), t);
}

static bool same(cell a, cell b)
{
    return a.scale == b.scale && a.add == b.add;
}

/* Where rank 0 has the same combination, or NULL. */
static const cell *first_with(const machine *m, int index, const tti_content *mine)
{
    const tti_contract *contract = tti_collective_describe(m->job->collective);
    const tti_shape shape = tti_checker_shape(m->job->collective, m->job->shape, 0);
    tti_content theirs;
    if (index >= contract->after(&shape, index, &theirs) || theirs.first != mine->first ||
        theirs.last != mine->last || theirs.from != mine->from || theirs.bytes != mine->bytes)
        return NULL;
    return m->ranks[0].spaces[theirs.place.space] + theirs.place.offset;
}

static bool holds(const machine *m, int rank, int index, const tti_content *wanted)
{
    const cell *here = m->ranks[rank].spaces[wanted->place.space] + wanted->place.offset;
    const cell *first = first_with(m, index, wanted);
    for (size_t i = 0; i < wanted->bytes; i++) {
        cell right = contribution(m, wanted->last, wanted->from + i);
        for (int r = wanted->last - 1; r >= wanted->first; r--)
            right = combined(contribution(m, r, wanted->from + i), right);
        if (!same(here[i], right) || (first != NULL && first[i].tree != here[i].tree)) return false;
    }
    return true;
}

bool machine_ended_right(const machine *m, int rank)
{
    const tti_contract *contract = tti_collective_describe(m->job->collective);
    const tti_shape shape = tti_checker_shape(m->job->collective, m->job->shape, rank);
    tti_content wanted;
    for (int c = 0; c < contract->after(&shape, c, &wanted); c++)
        if (!holds(m, rank, c, &wanted)) return false;
    return true;
}
