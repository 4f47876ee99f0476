/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/counted.h"

#include <string.h>

#include "collectives/contract/op.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"

/* How often all come. */
TTI_HOT static int times(const tti_schedule *last)
{
    int times = 0;
    for (int i = 0; i < last->count; i++)
        times += last->steps[i].kind == TTI_STEP_AWAIT;
    return times;
}

TTI_HOT static void work(const tti_counted *m, const tti_step *step)
{
    const int place = step->peer >= 0 ? tti_windows_place(m->windows, step->peer) : m->windows->size;
    const unsigned char *from = tti_windows_at(m->windows, place, m->use)->data + step->from;
    unsigned char *to = tti_windows_at(m->windows, m->windows->size, m->use)->data + step->to;
    if (step->kind == TTI_STEP_COPY)
        tti_copy_short(to, from, step->bytes);
    else
        tti_op_apply(m->data->op, from, to, step->bytes / m->last->element, m->data->type);
}

/* The count is ended before the last post: after that the others may come to the next operation there. */
TTI_HOT static void post(const tti_counted *m, const tti_step *step, int time)
{
    if (time == 1) tti_windows_at(m->windows, m->windows->size, m->use)->mark = m->mark;
    if (time == times(m->last)) tti_windows_come_no_more(m->windows, m->use);
    tti_windows_post_last(m->windows, m->use, step->tag);
}

/* The steps between the AWAIT of that number and the next. */
TTI_HOT static void play(const tti_counted *m, int time)
{
    int now = 0;
    for (int i = 0; i < m->last->count; i++) {
        const tti_step *step = &m->last->steps[i];
        now += step->kind == TTI_STEP_AWAIT;
        if (now != time || step->kind == TTI_STEP_AWAIT) continue;
        if (step->kind == TTI_STEP_POST)
            post(m, step, time);
        else
            work(m, step);
    }
}

TTI_HOT void tti_counted_come(const tti_counted *meeting, int time)
{
    bool agreed;
    if (tti_windows_come(meeting->windows, meeting->use, meeting->mark, time, &agreed) && agreed)
        play(meeting, time);
}
