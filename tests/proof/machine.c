/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "tests/proof/machine_state.h"

/* A step that waits for nothing more of its rank can be made, but for a RECV whose message is not there. */
static void make_ready(machine *m, int global)
{
    const step_state *state = &m->steps[global];
    if (state->rank == m->late) return;
    if (machine_step(m, state)->kind == TTI_STEP_RECV && !m->steps[state->partner].started) return;
    m->ready[m->ready_count++] = global;
}

static void begin(machine *m, int late)
{
    machine_forget(m);
    m->late = late;
    m->differ = false;
    m->ready_count = 0;
    m->order = (enum order)random_below(&m->seed, ORDERS);
    for (int r = 0; r < m->size; r++) {
        m->ranks[r].made = 0;
        m->ranks[r].left = machine_schedule(m, r)->count;
        m->ranks[r].priority = random_next(&m->seed);
        memset(m->ranks[r].seen, 0, (size_t)m->size * sizeof(int));
        if (r < m->callers) machine_fill(m, r);
    }
    for (int g = 0; g < m->total; g++) {
        step_state *state = &m->steps[g];
        state->started = state->done = false;
        state->priority = random_next(&m->seed);
        state->waits = machine_schedule(m, state->rank)->waits[state->step];
    }
    for (int g = 0; g < m->total; g++)
        if (m->steps[g].waits == 0) make_ready(m, g);
}

/* The rank sees what `seen` says was seen. */
static void hear(const machine *m, int rank, const int *seen)
{
    for (int r = 0; r < m->size; r++)
        if (m->ranks[rank].seen[r] < seen[r]) m->ranks[rank].seen[r] = seen[r];
}

/* For others to see by a message or post of this step. */
static void tell(const machine *m, step_state *state)
{
    rank_state *rank = &m->ranks[state->rank];
    rank->seen[state->rank] = rank->logged;
    memcpy(state->seen, rank->seen, (size_t)m->size * sizeof(int));
}

static void finish(machine *m, step_state *state)
{
    const tti_schedule *schedule = machine_schedule(m, state->rank);
    state->done = true;
    if (--m->ranks[state->rank].left == 0) machine_note(m, state->rank, EVENT_ENDED);
    for (int n = schedule->next_start[state->step]; n < schedule->next_start[state->step + 1]; n++) {
        const int next = m->first[state->rank] + schedule->next[n];
        if (--m->steps[next].waits == 0) make_ready(m, next);
    }
}

static bool awaits(const machine *m, const step_state *state, int peer)
{
    const int named = machine_step(m, state)->peer;
    if (peer == m->callers || state->rank == m->callers)
        return peer != state->rank && (named == peer || (named == TTI_ALL && peer < m->callers));
    return tti_shape_shares(m->job->shape, state->rank, peer) && (named == TTI_ALL || named == peer);
}

/* Whether a ready step can be made: all but an AWAIT of posts that are not there. */
static bool may_go_on(const machine *m, const step_state *state)
{
    const tti_step *step = machine_step(m, state);
    for (int r = 0; step->kind == TTI_STEP_AWAIT && r < m->size; r++)
        if (awaits(m, state, r) && (m->ranks[r].made < step->tag || r == m->late)) return false;
    return true;
}

static void await(machine *m, const step_state *state)
{
    const int number = machine_step(m, state)->tag;
    for (int g = 0; g < m->total; g++) {
        const tti_step *other = machine_step(m, &m->steps[g]);
        if (other->kind == TTI_STEP_POST && other->tag == number && awaits(m, state, m->steps[g].rank))
            hear(m, state->rank, m->steps[g].seen);
    }
    int *seen = m->ranks[state->rank].seen;
    for (int r = 0; number == 0 && r < m->callers; r++)
        if (seen[r] == 0 && awaits(m, state, r)) seen[r] = 1;
}

/* A message may be taken at once (and is, where it is asked who can leave), or when it is received. */
static bool send(machine *m, step_state *state)
{
    state->started = true;
    tell(m, state);
    if (m->steps[state->partner].waits == 0) make_ready(m, state->partner);
    if (m->late < 0 && random_below(&m->seed, 2) == 0) return false;
    state->sent = machine_take(m, state);
    return true;
}

static void receive(machine *m, const step_state *state)
{
    step_state *from = &m->steps[state->partner];
    const taken t = from->sent.cells != NULL ? from->sent : machine_take(m, from);
    from->sent.cells = NULL;
    hear(m, state->rank, from->seen);
    machine_put(m, state, t);
    if (!from->done) finish(m, from);
}

static void post(machine *m, step_state *state)
{
    tell(m, state);
    m->ranks[state->rank].made++;
}

static void compare(machine *m, const step_state *state)
{
    const size_t number = machine_step(m, state)->to;
    const taken found = machine_take(m, state);
    for (size_t i = 0; i < TTI_STEP_WORD; i++)
        m->differ = m->differ || found.cells[i].tree != machine_digit(number, i).tree;
    free(found.cells);
}

/* Makes a step; true: it is complete. */
static bool make(machine *m, step_state *state)
{
    switch (machine_step(m, state)->kind) {
    case TTI_STEP_SEND: return send(m, state);
    case TTI_STEP_RECV: receive(m, state); break;
    case TTI_STEP_POST: post(m, state); break;
    case TTI_STEP_AWAIT: await(m, state); break;
    case TTI_STEP_COMPARE: compare(m, state); break;
    default: machine_put(m, state, machine_take(m, state)); break;
    }
    return true;
}

static uint64_t priority_of(const machine *m, int global)
{
    if (m->order == ORDER_BY_RANK) return m->ranks[m->steps[global].rank].priority;
    return m->steps[global].priority;
}

/* Of the first `count` of ready[] the one whose turn it is. */
static int choose(machine *m, int count)
{
    if (m->order == ORDER_ANY) return random_below(&m->seed, count);
    int best = 0;
    for (int i = 1; i < count; i++)
        if (priority_of(m, m->ready[i]) > priority_of(m, m->ready[best])) best = i;
    return best;
}

/* Makes one of the steps that can be made; false if there is none. */
static bool move(machine *m)
{
    for (int count = m->ready_count; count > 0; count--) {
        const int best = choose(m, count), global = m->ready[best];
        step_state *state = &m->steps[global];
        /* An AWAIT whose posts are not there stands behind the others for this turn. */
        m->ready[best] = m->ready[count - 1];
        m->ready[count - 1] = global;
        if (!may_go_on(m, state)) continue;
        m->ready[count - 1] = m->ready[--m->ready_count];
        if (make(m, state)) finish(m, state);
        return true;
    }
    return false;
}

static bool run_right(machine *m)
{
    begin(m, -1);
    while (move(m))
        continue;
    if (m->differ) return false;
    for (int r = 0; r < m->size; r++)
        if (m->ranks[r].left > 0 || (r < m->callers && !machine_ended_right(m, r))) return false;
    return true;
}

static bool somebody_leaves(machine *m, int late)
{
    begin(m, late);
    while (move(m))
        continue;
    for (int r = 0; r < m->callers; r++)
        if (r != late && m->ranks[r].left == 0) return true;
    return false;
}

bool machine_right(const machine_job *job, int runs, uint64_t seed)
{
    machine m = machine_open(job);
    m.seed = seed;
    bool right = true;
    for (int i = 0; right && i < runs; i++)
        right = run_right(&m);
    const bool meets = tti_collective_describe(job->collective)->meets;
    for (int late = 0; right && meets && late < m.callers; late++)
        right = !somebody_leaves(&m, late);
    machine_close(&m);
    return right;
}
