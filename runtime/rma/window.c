/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: made, flushed, ended. */
#include "runtime/rma/rma.h"

#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/base/pages.h"
#include "runtime/base/status.h"
#include "runtime/node/arena.h"
#include "runtime/p2p/compare.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_doubt.h"
#include "runtime/rma/rma_memory.h"
#include "runtime/rma/rma_op.h"
#include "runtime/rma/rma_transfer.h"
#include "runtime/rma/window_end.h"
#include "runtime/rma/window_exchange.h"
#include "runtime/rma/window_reach.h"
#include "runtime/rma/window_table.h"

/* How long survivors of a death may take to answer when a window ends, in ns: one that was told first may
 * have left. */
#define LAST_ANSWERS_NS TTI_NS_PER_SECOND

static void destroy(tutti_window *window)
{
    tti_list_remove(&window->link);
    for (int i = 0; window->states != NULL && i < window->comm->size; i++) {
        if (window->states[i].mapped)
            tti_node_mem_unmap(tti_ways_node(),
                               window->states[i].direct - tti_rma_part_of(window, i)->memory_offset);
    }
    if (window->region != NULL) tti_fabric_conceal(window->region);
    free(window->parts);
    free(window->states);
    tti_comm_release(window->comm);
    free(window);
}

static tutti_window *make(tutti_comm *comm, void *base, size_t bytes)
{
    tutti_window *window = calloc(1, sizeof *window);
    if (window == NULL) return NULL;
    window->comm = comm;
    tti_comm_hold(comm);
    window->base = base;
    window->bytes = bytes;
    tti_rma_window_enter(window);
    window->parts = calloc((size_t)comm->size, sizeof *window->parts);
    window->states = calloc((size_t)comm->size, sizeof *window->states);
    for (int i = 0; window->states != NULL && i < comm->size; i++)
        tti_list_init(&window->states[i].pending);
    if (window->parts != NULL && window->states != NULL) return window;
    destroy(window);
    return NULL;
}

/* The caller's own part. */
static int describe(tutti_window *window, tti_rma_part *own)
{
    tti_fabric *fabric = tti_ways_fabric();
    own->address = (uint64_t)(uintptr_t)window->base;
    own->window = window->number;
    tti_rma_memory_find(window->base, window->bytes, &own->memory, &own->memory_offset);
    if (fabric == NULL || window->bytes == 0 || !tti_fabric_limits_of(fabric)->has_rma) return 0;
    const int code = tti_fabric_expose(fabric, window->base, window->bytes, &window->region, &own->remote);
    own->exposed = code == 0;
    return code;
}

static int prepare(tutti_comm *comm, void *base, size_t bytes, tutti_window **made, tti_rma_part *own)
{
    if (base == NULL && bytes > 0)
        return tti_fail(TUTTI_ERR_ARG, "tutti_window_create: base is NULL with %zu bytes", bytes);
    if (bytes > PTRDIFF_MAX)
        return tti_fail(TUTTI_ERR_ARG, "tutti_window_create: %zu bytes are more than memory can hold", bytes);
    if (!tti_pages_mapped_at_ends(base, bytes))
        return tti_fail(TUTTI_ERR_ARG,
                        "tutti_window_create: %zu bytes at %p begin or end where nothing is mapped", bytes,
                        base);
    *made = make(comm, base, bytes);
    if (*made == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_window_create: no memory for %d parts", comm->size);
    return describe(*made, own);
}

/* A rank that cannot make its part tells the others, who would wait for it. */
static int create(tutti_comm *comm, void *base, size_t bytes, tutti_window **made)
{
    tutti_window *window = NULL;
    tti_rma_part own = {.bytes = bytes};
    own.error = prepare(comm, base, bytes, &window, &own);
    if (own.error < 0) own.failed = 1 + (uint32_t)comm->rank;
    const int code = tti_rma_exchange(comm, &own, window != NULL ? window->parts : NULL);
    if (code == 0) {
        *made = window;
        tti_rma_made(window);
    } else if (window != NULL) {
        if (own.error == 0) tti_rma_end_part(window, (int)own.failed - 1, "tutti_window_create");
        destroy(window);
    }
    return code;
}

int tutti_window_create(tutti_comm *comm, void *base, size_t bytes, tutti_window **window)
{
    int code = tti_check_open("tutti_window_create");
    if (code < 0) return tti_answer(code);
    if (comm == NULL || window == NULL)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_window_create: %s is NULL", comm == NULL ? "comm" : "window"));
    tti_lock();
    code = tti_compare(comm, "tutti_window_create");
    if (code == 0) code = create(comm, base, bytes, window);
    tti_unlock();
    return tti_answer(code);
}

int tutti_window_direct(tutti_window *window, int rank, void **pointer)
{
    int code = tti_rma_check("tutti_window_direct", window, rank, 0, 0, NULL);
    if (code < 0) return tti_answer(code);
    if (pointer == NULL || rank == TUTTI_PROC_NULL)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_window_direct: pointer is NULL or the rank is TUTTI_PROC_NULL"));
    tti_lock();
    code = tti_rma_direct("tutti_window_direct", window, rank, pointer);
    tti_unlock();
    return tti_answer(code);
}

typedef struct {
    const tutti_window *window;
    int target;
    uint64_t last; /* number of the last operation that it is to see the end of */
} flushing;

static bool is_flushed(const void *argument)
{
    const flushing *f = argument;
    return tti_rma_ops_over(f->window, f->target, f->last);
}

/* Takes the error of operations that nobody was told of. */
static int take_error(tutti_window *window, int target, const char *call)
{
    const int error = window->states[target].error;
    window->states[target].error = 0;
    return error < 0 ? tti_rma_explain(call, window, target, error) : 0;
}

static int flush(tutti_window *window, int target, uint64_t last, const char *call)
{
    const flushing f = {window, target, last};
    tti_wait_until(is_flushed, &f, call, tti_comm_job_rank(window->comm, target));
    return take_error(window, target, call);
}

static int flush_all(tutti_window *window, const char *call)
{
    const uint64_t last = window->begun;
    int first = 0;
    for (int i = 0; i < window->comm->size; i++) {
        const int code = flush(window, i, last, call);
        if (first == 0) first = code;
    }
    return first;
}

int tutti_flush(tutti_window *window, int target)
{
    const char *call = "tutti_flush";
    int code = tti_rma_check(call, window, target == TUTTI_ALL ? TUTTI_PROC_NULL : target, 0, 0, NULL);
    if (code == 0 && target == TUTTI_ALL) code = tti_comm_check_revoked(window->comm);
    if (code < 0 || target == TUTTI_PROC_NULL) return tti_answer(code);
    tti_lock();
    code = target == TUTTI_ALL ? flush_all(window, call) : flush(window, target, window->begun, call);
    tti_unlock();
    return tti_answer(code);
}

static bool is_over(const void *argument)
{
    return ((const tutti_window *)argument)->pending == 0;
}

static bool is_settled(const void *argument)
{
    const tutti_window *window = argument;
    return is_over(window) || tti_lost_check_alive(window->comm) < 0;
}

/* All operations are over, and so are questions about them: what the fabric has of a living rank's part may
 * take as long as that computes. */
static void settle(tutti_window *window)
{
    tti_wait_until(is_settled, window, "tutti_window_free", TUTTI_ANY_SOURCE);
    if (tti_wait_for(is_over, window, "tutti_window_free", LAST_ANSWERS_NS) == 0) return;
    tti_rma_abandon(window);
    tti_wait_until(is_over, window, "tutti_window_free", TUTTI_ANY_SOURCE);
}

static int end(tutti_window *window)
{
    settle(window);
    const int code = flush_all(window, "tutti_window_free");
    const int met = tti_rma_barrier(window->comm);
    if (met < 0) tti_rma_end_part(window, -1, "tutti_window_free");
    destroy(window);
    return code < 0 ? code : met;
}

int tutti_window_free(tutti_window **window)
{
    int code = tti_check_open("tutti_window_free");
    if (code < 0) return tti_answer(code);
    if (window == NULL || *window == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_window_free: there is no window"));
    tti_lock();
    code = tti_compare((*window)->comm, "tutti_window_free");
    if (code == 0) {
        code = end(*window);
        *window = NULL;
    }
    tti_unlock();
    return tti_answer(code);
}

void tti_rma_revoke(const tutti_comm *comm)
{
    for (tti_link *at = tti_rma_windows.next; at != &tti_rma_windows; at = at->next) {
        const tutti_window *window = TTI_OWNER(at, tutti_window, link);
        if (window->comm == comm) tti_rma_abandon(window);
    }
}

int tti_rma_open(const tti_job *job)
{
    tti_rma_ends_open();
    return tti_rma_transfers_open(job->size);
}

void tti_rma_close(void)
{
    tti_rma_doubts_close();
    while (!tti_list_empty(&tti_rma_windows))
        destroy(TTI_OWNER(tti_rma_windows.next, tutti_window, link));
    tti_rma_ends_close();
    tti_rma_memory_close();
    tti_rma_transfers_close();
}
