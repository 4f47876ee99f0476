/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/keeping_state.h"

#include "runtime/base/status.h"

void tti_keeping_fail(tti_keeping *r, int code)
{
    if (r->code == 0) r->code = code;
}

static bool is_short(int code)
{
    return code == TUTTI_ERR_NO_MEMORY || code == TUTTI_ERR_LIMIT;
}

bool tti_keeping_is_broken(int code)
{
    return code < 0 && !is_short(code) && code != TUTTI_ERR_ARG && code != TUTTI_ERR_PEER_FAILED &&
           code != TUTTI_ERR_REVOKED;
}

/* The last one that lets go votes. The machine may be gone then. */
void tti_keeping_let_go(tti_keeping *r)
{
    if (--r->pending > 0) return;
    r->call.flags = (r->code == 0 ? TTI_KEEP_ALL_HAVE : 0) | (is_short(r->code) ? 0 : TTI_KEEP_NONE_SHORT) |
                    (r->code == TUTTI_ERR_ARG ? 0 : TTI_KEEP_SAME_NAME) |
                    (tti_keeping_is_broken(r->code) ? 0 : TTI_KEEP_NONE_BROKEN);
    tti_agree_ready(r->comm, &r->call);
}

/* Takes the result of a start: what is over already, or could not begin, ends at once. */
static void under_way(tti_keep_message *message, int started)
{
    message->of->pending++;
    if (started < 0) message->op.error = started;
    if (started != 0) message->op.done(&message->op);
}

/* Whether a dead buddy gets it is no matter, for this rank lives. */
void tti_keeping_sent(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    if (op->error != TUTTI_ERR_PEER_FAILED) tti_keeping_fail(r, op->error);
    tti_keeping_let_go(r);
}

void tti_keeping_send(tti_keep_message *message, const void *from, size_t bytes, int to, int tag)
{
    under_way(message, tti_p2p_send(&message->op, message->of->comm, TTI_SPACE_KEEP, TTI_SEND_STANDARD, from,
                                    bytes, to, tag));
}

void tti_keeping_take(tti_keep_message *message, void *to, size_t bytes, int from, int tag)
{
    under_way(message, tti_p2p_recv(&message->op, message->of->comm, TTI_SPACE_KEEP, to, bytes, from, tag));
}

int tti_keeping_check_head(const tti_keeping *r, const tti_p2p_op *op, const tti_keep_head *head)
{
    if (op->error < 0) return op->error;
    if (op->bytes != sizeof *head || head->name != r->own.name)
        return tti_fail(TUTTI_ERR_ARG, "%s: rank %d keeps something under another name than \"%s\"", r->name,
                        op->source, r->keep->name);
    return head->has_none ? TUTTI_ERR_NO_MEMORY : 0;
}
