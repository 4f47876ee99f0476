/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a window may be unmapped while the window is open. What a target's provider cannot read then it
 * drops: it tells its own log, and neither the target nor the origin, which would wait for ever. So an origin
 * asks the target by a message whether the memory is there, after a time in which most operations are over by
 * far, and again after as long. */
#include "runtime/rma/rma_doubt.h"

#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_transfer.h"
#include "tutti/error.h"

#define ASK_AFTER_NS TTI_NS_PER_SECOND

static tti_link held = {&held, &held}; /* what the fabric has */

/* Nobody can answer otherwise than by yes or no: other errors are of the way there. */
static void answered(tti_rma_op *question, int error)
{
    tti_rma_op *op = question->other;
    free(question);
    if (op == NULL) return;
    op->other = NULL;
    op->since_ns = tti_clock_ns();
    if (error != TUTTI_ERR_ARG) return;
    op->unmapped = true;
    tti_fabric_bulk_give_up(tti_ways_fabric(), &op->fabric);
}

static void ask(tti_rma_op *op)
{
    tti_rma_op *question =
        tti_rma_op_make("tutti_get", op->window, op->target, TTI_RMA_ASK, TTI_RMA_DOUBT, 0);
    if (question == NULL) return; /* the next round tries again */
    question->ended = answered;
    question->offset = op->offset;
    question->bytes = op->bytes;
    question->other = op;
    op->other = question;
    tti_rma_start_messages(question);
}

/* All are looked at once in a while, whatever is older than that. */
static int look(void)
{
    static int64_t next_ns;
    const int64_t now = tti_clock_ns();
    if (tti_list_empty(&held)) tti_progress_look(TTI_LOOK_DOUBT, NULL);
    if (now < next_ns) return 0;
    next_ns = now + ASK_AFTER_NS / 4;
    for (tti_link *at = held.next; at != &held; at = at->next) {
        tti_rma_op *op = TTI_OWNER(at, tti_rma_op, waiting);
        if (op->other == NULL && !op->unmapped && now - op->since_ns >= ASK_AFTER_NS) ask(op);
    }
    return 0;
}

void tti_rma_doubt(tti_rma_op *op)
{
    op->since_ns = tti_clock_ns();
    tti_list_append(&held, &op->waiting);
    tti_progress_look(TTI_LOOK_DOUBT, look);
}

void tti_rma_doubts_close(void)
{
    while (!tti_list_empty(&held))
        tti_list_remove(held.next);
    tti_progress_look(TTI_LOOK_DOUBT, NULL);
}
