/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/draft.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/expect.h"

void draft_take_needs(draft *d, const tti_schedule *schedule)
{
    d->need_count = schedule->need_count;
    d->needs = malloc(((size_t)d->need_count + 1) * sizeof *d->needs);
    EXPECT(d->needs != NULL);
    if (d->need_count > 0) memcpy(d->needs, schedule->needs, (size_t)d->need_count * sizeof *d->needs);
}

draft draft_of(const tti_schedule *schedule)
{
    draft d = {.count = schedule->count,
               .scratch = schedule->scratch,
               .window = schedule->window,
               .element = schedule->element,
               .last = schedule->last};
    memcpy(d.shown, schedule->shown, sizeof d.shown);
    draft_take_needs(&d, schedule);
    const int edges = schedule->next_start[schedule->count];
    d.steps = malloc(((size_t)schedule->count + 1) * sizeof *d.steps);
    d.edges = malloc(((size_t)edges * 2 + (size_t)schedule->count + 1) * sizeof *d.edges);
    EXPECT(d.steps != NULL && d.edges != NULL);
    memcpy(d.steps, schedule->steps, (size_t)schedule->count * sizeof *d.steps);
    for (int i = 0; i < schedule->count; i++)
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++)
            d.edges[d.edge_count++] = (draft_edge){i, schedule->next[n]};
    return d;
}

void draft_free(draft *d)
{
    free(d->steps);
    free(d->edges);
    free(d->needs);
}

/* Successor lists from edges in any order. */
static void link_steps(const draft *d, tti_schedule *s)
{
    for (int e = 0; e < d->edge_count; e++) {
        s->next_start[d->edges[e].before + 1]++;
        s->waits[d->edges[e].after]++;
    }
    for (int i = 0; i < d->count; i++)
        s->next_start[i + 1] += s->next_start[i];
    int *fill = malloc(((size_t)d->count + 1) * sizeof *fill);
    EXPECT(fill != NULL);
    memcpy(fill, s->next_start, (size_t)d->count * sizeof *fill);
    for (int e = 0; e < d->edge_count; e++)
        s->next[fill[d->edges[e].before]++] = d->edges[e].after;
    free(fill);
}

tti_schedule *draft_schedule(const draft *d)
{
    tti_schedule *s = tti_schedule_make(d->count, d->edge_count);
    EXPECT(s != NULL);
    const size_t count = (size_t)d->count;
    s->scratch = d->scratch;
    s->window = d->window;
    s->element = d->element;
    memcpy(s->shown, d->shown, sizeof s->shown);
    memcpy(s->steps, d->steps, count * sizeof *s->steps);
    s->need_count = d->need_count;
    s->needs = malloc(((size_t)d->need_count + 1) * sizeof *s->needs);
    EXPECT(s->needs != NULL);
    if (d->need_count > 0) memcpy(s->needs, d->needs, (size_t)d->need_count * sizeof *s->needs);
    for (int i = 0; i < d->count; i++) {
        s->messages += tti_step_is_message(&s->steps[i]);
        s->posts += s->steps[i].kind == TTI_STEP_POST;
    }
    link_steps(d, s);
    if (d->last != NULL) {
        draft last = draft_of(d->last);
        s->last = draft_schedule(&last);
        draft_free(&last);
    }
    return s;
}

bool draft_leads(const draft *d, int from, int to)
{
    bool *reached = calloc((size_t)d->count, sizeof *reached);
    EXPECT(reached != NULL);
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int e = 0; e < d->edge_count; e++) {
            if (!reached[d->edges[e].before] || reached[d->edges[e].after]) continue;
            reached[d->edges[e].after] = more = true;
        }
    }
    const bool leads = reached[to];
    free(reached);
    return leads;
}
