/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/hot.h"
#include "runtime/p2p/engine.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"
#include "tutti/error.h"

tti_engine tti_p2p_engine;

/* Ends the op for the engine: out of its queue, its number free, the communicator let go. */
static inline void retire(tti_p2p_op *op, int error)
{
    if (op->state == TTI_OP_QUEUED) tti_list_remove(&op->link);
    if (tti_op_is_taken_back(op)) tti_progress_due.withdrawals--;
    if (op->id != 0) {
        tti_ids_give(&tti_p2p_engine.ids, op->id);
        op->id = 0;
    }
    op->state = TTI_OP_OVER;
    if (__builtin_expect(error < 0, 0) && op->comm != NULL && op->comm->revoked) error = TUTTI_ERR_REVOKED;
    op->error = error;
    if (op->comm != NULL) tti_comm_release(op->comm);
    op->comm = NULL;
}

TTI_HOT void tti_op_finish(tti_p2p_op *op, int error)
{
    retire(op, error);
    op->done(op);
}

void tti_op_finish_later(tti_p2p_op *op, int error)
{
    retire(op, error);
    tti_list_append(&tti_progress_due.finished, &op->link);
    tti_sleep_notify();
}

TTI_HOT int tti_op_finish_now(tti_p2p_op *op, int error)
{
    retire(op, error);
    return TTI_P2P_DONE;
}

TTI_HOT int tti_ops_flush(void)
{
    tti_link *finished = &tti_progress_due.finished;
    int count = 0;
    for (; !tti_list_empty(finished); count++) {
        tti_p2p_op *op = TTI_OWNER(finished->next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        op->done(op);
    }
    return count;
}

int tti_op_number(tti_p2p_op *op)
{
    return tti_ids_take(&tti_p2p_engine.ids, op, &op->id);
}

tti_p2p_op *tti_op_find(uint32_t id, int peer, enum tti_op_state state)
{
    tti_p2p_op *op = tti_ids_find(&tti_p2p_engine.ids, id);
    return op != NULL && op->peer == peer && op->state == state ? op : NULL;
}

tti_p2p_op *tti_op_find_told(uint32_t id, int peer)
{
    tti_p2p_op *op = tti_op_find(id, peer, TTI_OP_AWAIT);
    if (op != NULL) return op;
    op = tti_op_find(id, peer, TTI_OP_QUEUED);
    return op != NULL && tti_op_is_taken_back(op) ? op : NULL;
}
