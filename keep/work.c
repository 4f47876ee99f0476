/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/work.h"

#include "runtime/base/past.h"
#include "runtime/p2p/progress.h"

/* So long a call that waits for something else does not look: some 50 microseconds. */
#define PIECE ((size_t)512 * 1024)

static tti_link queue = {&queue, &queue};

/* What is kept is not read soon: it need not be in a cache. */
static void do_piece(tti_keep_work *work)
{
    const size_t bytes = work->left < PIECE ? work->left : PIECE;
    tti_copy_past(work->to, work->from, bytes);
    work->to += bytes;
    work->from += bytes;
    work->left -= bytes;
}

static int look(void)
{
    tti_keep_work *work = TTI_OWNER(queue.next, tti_keep_work, link);
    do_piece(work);
    if (work->left > 0) return 1;
    tti_list_remove(&work->link);
    if (tti_list_empty(&queue)) tti_progress_work(NULL);
    work->done(work);
    return 1;
}

void tti_keep_begin_work(tti_keep_work *work)
{
    if (work->left <= PIECE) {
        if (work->left > 0) do_piece(work);
        work->done(work);
        return;
    }
    tti_list_append(&queue, &work->link);
    tti_progress_work(look);
}

void tti_keep_drop_work(void)
{
    while (!tti_list_empty(&queue))
        tti_list_remove(queue.next);
    tti_progress_work(NULL);
}
