/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/work.h"

#include "runtime/progress/progress.h"

static tti_link queue = {&queue, &queue};

/* It leaves the queue meanwhile: with its last piece it may go, and begin others. */
static int look(void)
{
    tti_keep_work *work = TTI_OWNER(queue.next, tti_keep_work, link);
    tti_list_remove(&work->link);
    if (work->step(work)) tti_list_append(&queue, &work->link);
    if (tti_list_empty(&queue)) tti_progress_look(TTI_LOOK_WORK, NULL);
    return 1;
}

void tti_keep_begin_work(tti_keep_work *work)
{
    if (!work->step(work)) return;
    tti_list_append(&queue, &work->link);
    tti_progress_look(TTI_LOOK_WORK, look);
}

void tti_keep_drop_work(void)
{
    while (!tti_list_empty(&queue))
        tti_list_remove(queue.next);
    tti_progress_look(TTI_LOOK_WORK, NULL);
}
