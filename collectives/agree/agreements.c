/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator that is freed leaves its agreements behind as long as others may ask for the last decision:
 * this rank says in one more agreement that it has freed it, and keeps all until that is decided, that is,
 * until all have said so. Whoever is asked about such a one that it has no longer answers that it is so. */
#include "collectives/agree/agreements.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/agree/agree_early.h"
#include "collectives/agree/agree_tree.h"
#include "collectives/agree/agree_wire.h"
#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"

#define BODY_MOST (TTI_AM_MAX - sizeof(tti_agree_head))

typedef struct {
    tti_link all; /* among all of this process */
    tutti_comm *comm;
    tutti_comm rest; /* of a freed one, instead: who its members were */
    tti_link calls;  /* that are not done; the first is under way if `busy` */
    bool busy, telling;
    tti_agree_call freeing; /* says that this rank has freed the communicator */
    tti_agree_state state;
    uint64_t *said; /* a set, of what is said or heard */
    tti_agree_branch *tree;
    uint64_t memory[];
} agreements;

static tti_link every = {&every, &every};

static void transmit(int job_rank, int size, tti_agree_head *head, const tti_agree_value *value)
{
    uint32_t body[BODY_MOST / sizeof(uint32_t)];
    const long bytes = tti_agree_pack(value, size, head, body, sizeof body);
    int code = TUTTI_ERR_LIMIT;
    if (bytes >= 0) code = tti_am_send(job_rank, TTI_AM_AGREE, head, sizeof *head, body, (size_t)bytes);
    /* It would wait for this for ever. */
    if (code < 0) tti_lost_hold_for_dead(job_rank);
}

static void send_for(void *context, int to, enum tti_agree_message message, uint64_t number,
                     const tti_agree_value *value)
{
    const agreements *a = context;
    tti_agree_head head = {.context = a->comm->context, .number = number, .message = message};
    transmit(tti_comm_job_rank(a->comm, to), a->comm->size, &head, value);
}

static void cast_out(void *context, int rank)
{
    const agreements *a = context;
    tti_lost_hold_for_dead(tti_comm_job_rank(a->comm, rank));
}

static void hear_of_the_gone(agreements *a)
{
    for (int r = 0; r < a->comm->size; r++)
        if (r != a->comm->rank && tti_lost_is_gone(tti_comm_job_rank(a->comm, r)))
            tti_agree_died(&a->state, r);
}

static void freed(tutti_comm *comm);

static agreements *make(tutti_comm *comm)
{
    const size_t words = tti_agree_memory(comm->size), set = tti_agree_words(comm->size),
                 tree = (size_t)comm->size * sizeof(tti_agree_branch);
    const tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache == NULL) return NULL;
    agreements *a = calloc(1, sizeof *a + (words + set) * sizeof a->memory[0] + tree);
    if (a == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for agreements of %d ranks", comm->size);
        return NULL;
    }
    a->comm = comm;
    a->said = a->memory + words;
    a->tree = (tti_agree_branch *)(a->said + set);
    tti_agree_plant(a->tree, comm->size, cache->nodes);
    tti_agree_open(&a->state, comm->rank, comm->size, a->tree, a->memory);
    a->state.send = send_for;
    a->state.cast_out = cast_out;
    a->state.context = a;
    tti_list_init(&a->calls);
    tti_list_append(&every, &a->all);
    comm->agreements = a;
    comm->agreements_end = freed;
    hear_of_the_gone(a);
    return a;
}

static agreements *get(tutti_comm *comm)
{
    return comm->agreements != NULL ? comm->agreements : make(comm);
}

static void destroy(agreements *a)
{
    tti_list_remove(&a->all);
    free(a->rest.members);
    free(a->rest.ranks_sorted);
    free(a);
}

/* Whether there may be ranks that have freed the communicator and say nothing in the agreement that has
 * begun. Of the first nobody knows; that none did all know from one before in which they made the same call.
 */
static bool may_be_silent(const agreements *a)
{
    const tti_agree_value *before = tti_agree_decision(&a->state, a->state.number - 1);
    return before == NULL || before->kind == TTI_AGREE_FREED || before->kind == TTI_AGREE_MIXED;
}

/* What this rank says: whom it knows to have failed, and whether its program does. */
static void begin(agreements *a, const tti_agree_call *call)
{
    tti_agree_value said = {.flags = call->flags, .kind = call->kind, .failed = a->said};
    int failed = 0;
    memcpy(a->said, a->state.dead, tti_agree_words(a->comm->size) * sizeof *a->said);
    for (size_t word = 0; word < tti_agree_words(a->comm->size); word++)
        failed += __builtin_popcountll(a->said[word]);
    said.noted = failed == 0 || failed == tti_lost_count_acknowledged(a->comm);
    if (call->kind == TTI_AGREE_MEMBERS || call->kind == TTI_AGREE_RESTORE)
        said.offer = tti_comm_new_context();
    a->busy = true;
    tti_agree_begin(&a->state, &said);
    if (may_be_silent(a)) tti_agree_ask_below(&a->state);
}

/* Ends the call under way if it is decided, and begins the next. What done() does may come back here: it is
 * left to the loop. The agreements may be gone at the end. */
static void go_on(agreements *a)
{
    if (a->telling) return;
    a->telling = true;
    while (!tti_list_empty(&a->calls)) {
        tti_agree_call *call = TTI_OWNER(a->calls.next, tti_agree_call, link);
        if (call->later) break;
        if (!a->busy) begin(a, call);
        const tti_agree_value *decision = tti_agree_decision(&a->state, a->state.number);
        if (decision == NULL) break;
        a->busy = false;
        tti_list_remove(&call->link);
        if (call == &a->freeing) {
            tti_agree_refuse(&a->state);
            destroy(a);
            return;
        }
        call->done(call, decision);
    }
    a->telling = false;
}

int tti_agree_check(const char *name, const tutti_comm *comm, const void *output)
{
    const int code = tti_check_open(name);
    if (code < 0) return code;
    if (comm != NULL && output != NULL) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL", name, comm == NULL ? "comm" : "an output");
}

int tti_agree_start(tutti_comm *comm, tti_agree_call *call)
{
    agreements *a = get(comm);
    if (a == NULL) return TUTTI_ERR_NO_MEMORY;
    tti_list_append(&a->calls, &call->link);
    go_on(a);
    return 0;
}

void tti_agree_again(tutti_comm *comm, tti_agree_call *call)
{
    agreements *a = comm->agreements;
    call->later = true;
    tti_list_append(a->calls.next, &call->link); /* in front */
}

void tti_agree_ready(tutti_comm *comm, tti_agree_call *call)
{
    call->later = false;
    go_on(comm->agreements);
}

void tti_agree_withdraw(tutti_comm *comm, tti_agree_call *call)
{
    tti_list_remove(&call->link);
    go_on(comm->agreements);
}

int tti_agree_judge(const char *name, const tutti_comm *comm, enum tti_agree_kind kind,
                    const tti_agree_value *decision)
{
    if (tti_lost_is_cast_out() || tti_agree_has(decision->failed, comm->rank))
        return tti_fail(
            TUTTI_ERR_PEER_FAILED,
            "%s: the other ranks hold this one, rank %d of %d, for dead and go on without it; end it", name,
            comm->rank, comm->size);
    if (decision->kind == (uint32_t)kind) return 0;
    return tti_fail(TUTTI_ERR_ARG,
                    "%s: the ranks of the communicator make different calls: some tutti_comm_agree(), some "
                    "tutti_comm_shrink(), tutti_comm_restore() or tutti_keep(), or have freed it",
                    name);
}

/* Takes the members over from the communicator, which goes. */
static void freed(tutti_comm *comm)
{
    agreements *a = comm->agreements;
    a->comm = &a->rest;
    a->rest = (tutti_comm){.context = comm->context,
                           .rank = comm->rank,
                           .size = comm->size,
                           .members = comm->members,
                           .ranks_sorted = comm->ranks_sorted};
    comm->members = comm->ranks_sorted = NULL;
    if (comm->context == 0 || a->state.number == 0) {
        if (comm->context != 0) tti_agree_refuse(&a->state);
        destroy(a);
        return;
    }
    a->freeing = (tti_agree_call){.flags = UINT64_MAX, .kind = TTI_AGREE_FREED};
    tti_list_append(&a->calls, &a->freeing.link);
    go_on(a);
}

static agreements *find(uint64_t context)
{
    tutti_comm *comm = tti_comm_find(context);
    if (comm != NULL) return get(comm);
    for (tti_link *at = every.next; at != &every; at = at->next) {
        agreements *a = TTI_OWNER(at, agreements, all);
        if (a->comm == &a->rest && a->rest.context == context) return a;
    }
    return NULL;
}

static bool take_in(agreements *a, int job_rank, const void *payload, size_t bytes)
{
    tti_agree_head head;
    tti_agree_value value = {.failed = a->said};
    const int rank = tti_comm_rank_of(a->comm, job_rank);
    if (rank < 0 || !tti_agree_peek(payload, bytes, &head)) return false;
    if (!tti_agree_unpack(payload, bytes, a->comm->size, &value)) return false;
    if (!tti_agree_heard(&a->state, rank, (enum tti_agree_message)head.message, head.number, &value))
        return false;
    go_on(a);
    return true;
}

/* This rank has freed the communicator, and so have all, or they hear of it now. */
static void answer_freed(int job_rank, const tti_agree_head *asked)
{
    const tti_agree_value value = {.flags = UINT64_MAX, .kind = TTI_AGREE_FREED};
    tti_agree_head head = {.context = asked->context, .number = asked->number};
    head.message = asked->message == TTI_AGREE_ASK ? TTI_AGREE_UP : TTI_AGREE_DOWN;
    if (asked->message == TTI_AGREE_UP || asked->message == TTI_AGREE_ASK)
        transmit(job_rank, 0, &head, &value);
}

static bool heard(int job_rank, const void *payload, size_t bytes)
{
    tti_agree_head head;
    if (!tti_agree_peek(payload, bytes, &head)) return false;
    agreements *a = find(head.context);
    if (a != NULL) return take_in(a, job_rank, payload, bytes);
    const bool unable = tti_comm_find(head.context) != NULL; /* for want of memory */
    if (unable || (tti_p2p_expects(head.context) && !tti_early_keep(heard, job_rank, payload, bytes)))
        tti_lost_hold_for_dead(job_rank);
    else if (!tti_p2p_expects(head.context))
        answer_freed(job_rank, &head);
    return true;
}

/* What calls do at their ends may make and end others. */
static void go_on_with_all(void)
{
    for (tti_link *at = every.next; at != &every; at = at->next) {
        agreements *a = TTI_OWNER(at, agreements, all);
        const bool decided = a->busy && tti_agree_decision(&a->state, a->state.number) != NULL;
        if (!decided || a->telling) continue;
        go_on(a);
        at = &every;
    }
}

static void rank_gone(int job_rank)
{
    for (tti_link *at = every.next; at != &every; at = at->next) {
        agreements *a = TTI_OWNER(at, agreements, all);
        const int rank = tti_comm_rank_of(a->comm, job_rank);
        if (rank >= 0) tti_agree_died(&a->state, rank);
    }
    go_on_with_all();
}

static void rank_failed(int job_rank, bool left)
{
    (void)left;
    rank_gone(job_rank);
}

static void leave(void)
{
    for (tti_link *at = every.next; at != &every; at = at->next) {
        tti_agree_leave(&TTI_OWNER(at, agreements, all)->state);
    }
}

void tti_agreements_open(void)
{
    tti_am_register(TTI_AM_AGREE, heard);
    tti_lost_watch(rank_failed);
    tti_p2p_watch_leaving(rank_gone, leave);
}

void tti_agreements_close(void)
{
    while (!tti_list_empty(&every))
        destroy(TTI_OWNER(every.next, agreements, all));
}
