/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a rank's part where others may still use it: a rank has died, the window, or the try to make it,
 * ends with an error here, and those who have not heard of it yet write on. The memory is the program's again
 * when the call returns; and a provider that finds it closed breaks the connection between two that live.
 * So this rank tells all others that its part ends, and waits until each has answered that nothing of its own
 * from before is under way there. They do in progress, whatever call they are in, and go on by messages,
 * which find the window, or an error. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/window_end.h"
#include "runtime/rma/window_table.h"

/* How long the launcher may take to give the address of a rank that has come, in ns: who has none by then
 * comes later, and may wait for what the caller does next. */
#define ADDRESS_NS (2 * TTI_NS_PER_SECOND)

/* Of an owner's part: its window's number there, and the communicator's context. */
typedef struct {
    uint64_t context;
    uint32_t number, reserved;
} end_head;

/* A part that ended before its window was made here; or after that was freed, which nobody can tell from the
 * first while there is the communicator. */
typedef struct {
    tti_link link;
    int owner; /* job rank */
    end_head of;
} ended_part;

static tti_link ended = {&ended, &ended};

static void answer(int job_rank, uint32_t number)
{
    tti_am_tell(job_rank, TTI_AM_RMA_ENDED, &number, sizeof number, NULL, 0);
}

void tti_rma_part_over(tutti_window *window, int target)
{
    window->states[target].ending = false;
    answer(tti_comm_job_rank(window->comm, target), tti_rma_part_of(window, target)->window);
}

/* What is mapped stays so, but nothing is read or written there any more. */
static void note_end(tti_rma_peer_state *state)
{
    state->way = TTI_RMA_MESSAGES;
    state->ended = true;
}

static bool keep(int job_rank, const end_head *of)
{
    ended_part *part = malloc(sizeof *part);
    if (part == NULL) return false;
    *part = (ended_part){.owner = job_rank, .of = *of};
    tti_list_append(&ended, &part->link);
    return true;
}

static void drop(ended_part *part)
{
    tti_list_remove(&part->link);
    free(part);
}

/* Of a communicator that was freed here nobody makes a window any more. */
static void end_of_none(int job_rank, const end_head *of)
{
    if (!tti_p2p_expects(of->context) || keep(job_rank, of))
        answer(job_rank, of->number);
    else
        tti_lost_hold_for_dead(job_rank);
}

/* The owner says that its part ends. What begins from now on goes by messages, and is not waited for: there
 * may be more of it for ever. */
static bool end_told(int job_rank, const void *payload, size_t bytes)
{
    end_head of;
    int rank;
    if (bytes != sizeof of) return false;
    memcpy(&of, payload, sizeof of);
    tutti_window *window = tti_rma_window_of(job_rank, of.number, &rank);
    if (window == NULL) {
        end_of_none(job_rank, &of);
        return true;
    }
    note_end(&window->states[rank]);
    window->states[rank].ending = true;
    window->states[rank].last = window->begun;
    if (tti_list_empty(&window->states[rank].pending)) tti_rma_part_over(window, rank);
    return true;
}

/* Also one that nobody waits for answers, such as came after the end, and by then the window may be freed. */
static bool end_answered(int job_rank, const void *payload, size_t bytes)
{
    uint32_t number;
    if (bytes != sizeof number) return false;
    memcpy(&number, payload, sizeof number);
    const tutti_window *window = tti_rma_window(number);
    const int rank = window != NULL ? tti_comm_rank_of(window->comm, job_rank) : -1;
    if (rank >= 0) window->states[rank].awaited = false;
    return tti_rma_window_was(number);
}

static bool is_of(const ended_part *part, const tutti_window *window, int *rank)
{
    if (part->of.context != window->comm->context) return false;
    *rank = tti_comm_rank_of(window->comm, part->owner);
    return *rank >= 0 && tti_rma_part_of(window, *rank)->window == part->of.number;
}

void tti_rma_made(tutti_window *window)
{
    window->made = true;
    for (tti_link *at = ended.next, *next; at != &ended; at = next) {
        ended_part *part = TTI_OWNER(at, ended_part, link);
        int rank;
        next = at->next;
        const bool ends = is_of(part, window, &rank);
        if (ends) note_end(&window->states[rank]);
        if (ends || !tti_p2p_expects(part->of.context)) drop(part);
    }
}

static bool have_all_answered(const void *argument)
{
    const tutti_window *window = argument;
    for (int r = 0; r < window->comm->size; r++)
        if (window->states[r].awaited && !tti_lost_is_gone(tti_comm_job_rank(window->comm, r))) return false;
    return true;
}

/* One that comes later has no way to this part before it hears of the end: it knows of the window when it has
 * heard from all ranks, and of the death sooner. Or it has failed at its start, and never comes. */
static void await_those_that_have_come(tutti_window *window)
{
    for (int r = 0; r < window->comm->size; r++) {
        tti_rma_peer_state *state = &window->states[r];
        state->awaited = state->awaited && tti_ways_has_come(tti_comm_job_rank(window->comm, r));
    }
}

static void tell(tutti_window *window, int rank)
{
    const int peer = tti_comm_job_rank(window->comm, rank);
    if (rank == window->comm->rank || tti_lost_is_gone(peer)) return;
    window->states[rank].awaited = window->made || tti_ways_node_index(peer) < 0 || tti_ways_has_come(peer);
    const end_head of = {.context = window->comm->context, .number = window->number};
    tti_am_tell(peer, TTI_AM_RMA_END, &of, sizeof of, NULL, 0);
}

/* A window that was made all ranks have come for. */
void tti_rma_end_part(tutti_window *window, int failed, const char *call)
{
    for (int r = 0; r < window->comm->size && window->bytes > 0; r++)
        if (r != failed) tell(window, r);
    if (!window->made && tti_wait_for(have_all_answered, window, call, ADDRESS_NS) != 0)
        await_those_that_have_come(window);
    tti_wait_until(have_all_answered, window, call, TUTTI_ANY_SOURCE);
}

void tti_rma_ends_open(void)
{
    tti_am_register(TTI_AM_RMA_END, end_told);
    tti_am_register(TTI_AM_RMA_ENDED, end_answered);
}

void tti_rma_ends_close(void)
{
    while (!tti_list_empty(&ended))
        drop(TTI_OWNER(ended.next, ended_part, link));
}
