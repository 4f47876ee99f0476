/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* A rank's version v, as it counts them itself, in the room that its version v - 2 had:
 *
 *     rank                         buddy
 *     copy into own room
 *     head: bytes, memory  ---->   map it, or
 *     [data]               ---->   receive it
 *     agree: have I my own, and has my ward's come?
 *
 * The head of memory that is mapped goes when the copy is made, others at once, and data straight from the
 * program's buffer. A rank that dies while it copies cannot vote against the version; but then its head, or
 * its data, does not come, and its buddy votes. All survivors learn the same from the agreement: the version
 * counts, or the one before does. The agreement has its place among those of the communicator from the
 * beginning, since ranks are ready for it in any order. */
/* clang-format on */
#include "keep/keeping.h"

#include <string.h>

#include "keep/parity.h"
#include "runtime/base/digest.h"
#include "runtime/base/past.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"

#define TAGS (1U << 29) /* after so many keeps on a communicator the numbers begin again */

static int tag_of(uint32_t number)
{
    return (int)(number % TAGS) * 2;
}

/* Communicators of one split have one context, and no rank in common. */
static uint64_t stamp_of(const tutti_comm *comm, uint32_t number)
{
    const int first = tti_comm_job_rank(comm, 0);
    uint64_t digest = tti_digest(TTI_DIGEST_OF_NOTHING, &comm->context, sizeof comm->context);
    digest = tti_digest(digest, &first, sizeof first);
    digest = tti_digest(digest, &number, sizeof number);
    return 1 + digest % ((UINT64_C(1) << TTI_KEEP_STAMP_BITS) - 1);
}

static uint64_t hash_of(const char *name)
{
    return tti_digest(TTI_DIGEST_OF_NOTHING, name, strlen(name));
}

static tti_keep_room *own_room(const tti_keeping *r)
{
    return &r->keep->mine[(r->keep->version + 1) % 2];
}

static tti_keep_room *wards_room(const tti_keeping *r)
{
    return &r->keep->wards[(r->keep->version + 1) % 2];
}

static void send_head(tti_keeping *r)
{
    tti_keeping_send(&r->head_out, &r->own, sizeof r->own, r->keep->buddy[r->keep->rank], r->tag);
}

static void data_came(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    tti_keeping_fail(r, op->error);
    tti_keeping_let_go(r);
}

/* The message is taken in any case, or its sender would wait for ever. */
static void take_data(tti_keeping *r)
{
    tti_keep_room *room = wards_room(r);
    const int code = tti_keep_room_private(room, (size_t)r->wards.bytes);
    tti_keeping_fail(r, code);
    tti_keeping_take(&r->data_in, code == 0 ? room->memory : &r->wards, code == 0 ? room->bytes : 0,
                     r->keep->ward, r->tag + 1);
}

static void head_came(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    tti_keeping_fail(r, tti_keeping_check_head(r, op, &r->wards));
    if (op->error == 0 && tti_keep_is_shared(&r->wards.shared) && !r->wards.has_none)
        tti_keeping_fail(r, tti_keep_room_map(wards_room(r), r->keep->members[r->keep->ward],
                                              &r->wards.shared, (size_t)r->wards.bytes));
    else if (op->error == 0 && !r->wards.has_none)
        take_data(r);
    tti_keeping_let_go(r);
}

/* What others map is there when they hear of it. */
static void tell_of_copy(tti_keeping *r)
{
    if (!tti_keep_is_shared(&r->own.shared)) return;
    if (r->parity != NULL)
        tti_parity_begin(r);
    else
        send_head(r);
}

/* What is kept is not read soon: it need not be in a cache. */
static bool copy_piece(tti_keep_work *work)
{
    tti_keeping *r = TTI_OWNER(work, tti_keeping, copying);
    const size_t left = r->bytes - r->copied, bytes = left < TTI_KEEP_PIECE ? left : TTI_KEEP_PIECE;
    if (bytes > 0)
        tti_copy_past((unsigned char *)own_room(r)->memory + r->copied,
                      (const unsigned char *)r->buffer + r->copied, bytes);
    r->copied += bytes;
    if (r->copied < r->bytes) return true;
    tell_of_copy(r);
    tti_keeping_let_go(r);
    return false;
}

static void exchange(tti_keeping *r)
{
    tti_keeping_take(&r->head_in, &r->wards, sizeof r->wards, r->keep->ward, r->tag);
    if (tti_keep_is_shared(&r->own.shared)) return;
    send_head(r);
    if (!r->own.has_none)
        tti_keeping_send(&r->data_out, r->buffer, r->bytes, r->keep->buddy[r->keep->rank], r->tag + 1);
}

static void start(tti_keeping *r)
{
    tti_keep_room *own = own_room(r);
    const int code = tti_keep_room_for_own(r->keep, own, r->bytes);
    /* One rank alone has no messages that would fail. The others may not have heard, and need a vote. */
    tti_keeping_fail(r, tti_comm_check_revoked(r->comm));
    tti_keeping_fail(r, code);
    r->own = (tti_keep_head){.name = hash_of(r->keep->name), .bytes = r->bytes, .has_none = code < 0};
    if (code == 0) r->own.shared = own->shared;
    r->pending++;
    if (r->parity == NULL && r->keep->size > 1) exchange(r);
    if (r->parity != NULL && !tti_keep_is_shared(&r->own.shared)) tti_parity_begin(r);
    if (code == 0) {
        r->copying.step = copy_piece;
        r->pending++;
        tti_keep_begin_work(&r->copying);
    }
    tti_keeping_let_go(r);
}

/* What a version that did not come about leaves. */
static const char *what_is_left(const tti_keeping *r)
{
    return r->keep->version > 0 ? "the version before is kept" : "nothing is kept under the name";
}

static int explain(const tti_keeping *r, const char *left)
{
    return tti_fail(
        TUTTI_ERR_PEER_FAILED,
        "%s: a rank has died; of \"%s\" %s: go on, and keep, on a communicator of those that live "
        "(tutti_comm_shrink() or tutti_comm_restore())",
        r->name, r->keep->name, left);
}

/* Somebody was not able to, and it is no death. The detail of that is where it was. */
static int tell_broken(const tti_keeping *r)
{
    if (tti_keeping_is_broken(r->code)) return r->code;
    return tti_fail(TUTTI_ERR_SYSTEM, "%s: another rank was not able to keep \"%s\", and says why; %s",
                    r->name, r->keep->name, what_is_left(r));
}

static int tell_refused(const tti_keeping *r, uint64_t flags)
{
    if (r->comm->revoked) return tti_comm_check_revoked(r->comm);
    if ((flags & TTI_KEEP_SAME_NAME) == 0)
        return tti_fail(TUTTI_ERR_ARG, "%s: not all ranks keep something under the name \"%s\" now", r->name,
                        r->keep->name);
    if ((flags & TTI_KEEP_NONE_SHORT) == 0)
        return tti_fail(TUTTI_ERR_NO_MEMORY,
                        "%s: a rank has no memory for \"%s\", or may open no more files (ulimit -n); %s",
                        r->name, r->keep->name, what_is_left(r));
    if ((flags & TTI_KEEP_NONE_BROKEN) == 0 && r->base.status.source < 0) return tell_broken(r);
    return explain(r, what_is_left(r));
}

/* The version counts, or it does not, whatever deaths the program has not heard of yet. */
static int conclude(tti_keeping *r, const tti_agree_value *decision)
{
    const bool kept = (decision->flags & TTI_KEEP_ALL_HAVE) != 0;
    r->base.status.source = tti_lost_member(r->comm);
    if (!kept) return tell_refused(r, decision->flags);
    r->keep->version++;
    r->keep->stamp = r->stamp;
    return decision->noted ? 0 : explain(r, "this version is kept");
}

/* A first version that did not come about leaves nothing; a version takes the place of what the name had. */
static void tidy(tti_keep *k)
{
    k->busy = false;
    if (k->version == 0) {
        tti_keep_free(k);
        return;
    }
    tti_keep *former = tti_keep_find_former(k);
    if (former != NULL) tti_keep_free(former);
}

static void end(tti_keeping *r, int code)
{
    tidy(r->keep);
    tti_parity_free(r->parity);
    tti_comm_release(r->comm);
    tti_request_settle(&r->base, r->is_request, code);
}

static void decided(tti_agree_call *call, const tti_agree_value *decision)
{
    tti_keeping *r = TTI_OWNER(call, tti_keeping, call);
    int code = tti_agree_judge(r->name, r->comm, TTI_AGREE_KEEP, decision);
    if (code == 0) code = conclude(r, decision);
    end(r, code);
}

/* Ranks that make another call have no place for this version among their agreements: this one gives it back.
 */
static void withdraw(tti_keeping *r)
{
    if (r->parity != NULL) tti_parity_withdraw(r->parity);
    tti_agree_withdraw(r->comm, &r->call);
}

static void compared(tti_comparison *comparison, int code)
{
    tti_keeping *r = TTI_OWNER(comparison, tti_keeping, comparison);
    if (code == 0) {
        start(r);
    } else {
        withdraw(r);
        end(r, code);
    }
}

bool tti_keeping_is_done(const void *keeping)
{
    return ((const tti_keeping *)keeping)->base.state == TTI_REQUEST_COMPLETE;
}

/* Versions have numbers of their own. Ranks whose calls are compared may make others, and go on: they have
 * the communicator's in common. */
static uint32_t take_number(tutti_comm *comm)
{
    return tti_compares(comm) ? comm->sequence : comm->keeps++;
}

/* The one taken last. */
static void give_back_number(tutti_comm *comm)
{
    if (!tti_compares(comm)) comm->keeps--;
}

static void set_up(tti_keeping *r)
{
    tti_keep_message *messages[] = {&r->head_out, &r->head_in, &r->data_out, &r->data_in};
    for (int i = 0; i < 4; i++)
        messages[i]->of = r;
    r->head_out.op.done = r->data_out.op.done = tti_keeping_sent;
    r->head_in.op.done = head_came;
    r->data_in.op.done = data_came;
    const uint32_t number = take_number(r->comm);
    r->tag = tag_of(number);
    r->stamp = stamp_of(r->comm, number);
    r->comparison.over = compared;
    r->call = (tti_agree_call){.kind = TTI_AGREE_KEEP, .later = true, .done = decided};
}

int tti_keeping_begin(tti_keeping *r)
{
    tti_comm_hold(r->comm);
    set_up(r);
    int code = r->keep->others > 0 ? tti_parity_make(r) : 0;
    if (code == 0) code = tti_agree_start(r->comm, &r->call);
    if (code < 0) {
        give_back_number(r->comm);
        tidy(r->keep);
        tti_comm_release(r->comm);
        return code;
    }
    r->keep->busy = true;
    if (r->is_request)
        tti_compare_begin(r->comm, r->name, &r->comparison);
    else /* by this thread, which is to have the error's detail */
        compared(&r->comparison, tti_compare(r->comm, r->name));
    return 0;
}
