/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/verify.h"

#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/p2p/compare.h"

/* What a rank found: it expects another size of part than `from` sends; -1: nothing. */
typedef struct {
    int64_t from;
    uint64_t sent, expected;
} finding;

/* The parts that a rank sends to another one, or expects of it. Of several edges between the two it is what
 * they carry together, and a number to which each adds its own. */
typedef struct {
    uint64_t bytes, edges;
} parcel;

/* The exchanges, one after the other; the last two where ranks have parts that the others do not know. */
enum stage { COMPARE_CALLS, COMPARE_PARTS, TELL_FINDINGS };
_Static_assert(TELL_FINDINGS + 1 == TTI_RUN_COMPARE_NUMBERS,
               "as many numbers are taken as there are exchanges");

/* A comparison under way, and who waits for it in progress, if anybody does. */
typedef struct {
    tti_run *waits;
    tti_comparison *comparison;
    tutti_comm *comm;
    const tti_shape *shape; /* of a collective, whose it stays; else NULL */
    uint32_t sequence;      /* of the first exchange */
    enum stage stage;
    tti_call_record mine, *calls; /* of all, by rank; as what follows is */
    parcel *given, *taken;        /* for each rank, from each */
    finding found, *findings;
    parcel memory[];
} verification;

static verification *make(tutti_comm *comm, const tti_call_record *mine, const tti_shape *shape)
{
    const size_t size = (size_t)comm->size;
    verification *v = malloc(sizeof *v + size * (sizeof *v->calls + 2 * sizeof *v->given + sizeof(finding)));
    if (v == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to compare the calls of %d ranks (TUTTI_VERIFY)",
                 comm->size);
        return NULL;
    }
    *v = (verification){.comm = comm,
                        .shape = shape,
                        .sequence = comm->sequence,
                        .mine = *mine,
                        .given = v->memory,
                        .taken = v->memory + size,
                        .found = {.from = -1}};
    v->findings = (finding *)(void *)(v->taken + size);
    v->calls = (tti_call_record *)(void *)(v->findings + size);
    return v;
}

static int compare_calls(const verification *v)
{
    char first[TTI_CALL_TEXT], other[TTI_CALL_TEXT];
    for (int r = 1; r < v->comm->size; r++)
        if (!tti_call_same(&v->calls[0], &v->calls[r]))
            return tti_fail(TUTTI_ERR_ARG, "the ranks make different calls: rank 0 %s, rank %d %s",
                            tti_call_text(&v->calls[0], first), r, tti_call_text(&v->calls[r], other));
    return 0;
}

static const tti_contract *contract_of(const verification *v)
{
    return tti_collective_describe((enum tti_collective)v->mine.collective);
}

/* Of the edge of that number, which both its ends know it by. */
static uint64_t number_of(int edge, uint64_t bytes)
{
    uint64_t number = (bytes + 1) * 0x9e3779b97f4a7c15U + (uint64_t)edge;
    number = (number ^ number >> 32) * 0xbf58476d1ce4e5b9U;
    return number ^ number >> 29;
}

/* Along all edges of the list that lead to `rank`, or come from it. */
static parcel along_edges(const tti_shape *shape, const tti_neighbour_list *list, const tti_table *table,
                          int rank)
{
    parcel all = {0, 0};
    for (int i = 0; i < list->count; i++) {
        if (list->ranks[i] != rank) continue;
        const uint64_t bytes =
            table->counts != NULL ? table->counts[i] * shape->element : tti_shape_own_bytes(shape);
        all.bytes += bytes;
        all.edges += number_of(list->numbers[i], bytes);
    }
    return all;
}

/* For `rank`, or from it: of a table, or the part that goes to the root or comes from it. */
static parcel parcel_of(const tti_shape *shape, enum tti_knows who, const tti_table *table, int rank)
{
    const bool sent = table == &shape->send;
    if (shape->neighbours != NULL)
        return along_edges(shape, sent ? &shape->neighbours->targets : &shape->neighbours->sources, table,
                           rank);
    if (who == TTI_NO_TABLE) return (parcel){rank == shape->root ? tti_shape_own_bytes(shape) : 0, 0};
    return (parcel){table->counts != NULL ? table->counts[rank] * shape->element : 0, 0};
}

static void list_given(const verification *v)
{
    for (int r = 0; r < v->comm->size; r++)
        v->given[r] = parcel_of(v->shape, contract_of(v)->sent, &v->shape->send, r);
}

static void compare_parts(verification *v)
{
    for (int r = 0; r < v->comm->size && v->found.from < 0; r++) {
        const parcel sent = v->taken[r],
                     expected = parcel_of(v->shape, contract_of(v)->received, &v->shape->recv, r);
        if (sent.bytes != expected.bytes || sent.edges != expected.edges)
            v->found = (finding){r, sent.bytes, expected.bytes};
    }
}

static int tell_findings(const verification *v)
{
    int r = 0;
    while (r < v->comm->size && v->findings[r].from < 0)
        r++;
    if (r == v->comm->size) return 0;
    const finding *f = &v->findings[r];
    return tti_fail(TUTTI_ERR_ARG,
                    "the ranks name different parts in tutti_%s: rank %d sends %llu bytes to rank %d, which "
                    "expects %llu of it%s",
                    contract_of(v)->name, (int)f->from, (unsigned long long)f->sent, r,
                    (unsigned long long)f->expected,
                    f->sent == f->expected ? ", but not along the same edges" : "");
}

/* What an exchange has brought; then it is the next one's turn, unless it was the last. */
static int judge(verification *v, bool *over)
{
    int code = 0;
    *over = false;
    if (v->stage == COMPARE_CALLS) {
        code = compare_calls(v);
        *over = code < 0 || v->shape == NULL || !v->shape->parted || tti_contract_sized(contract_of(v));
        if (!*over) list_given(v);
    } else if (v->stage == COMPARE_PARTS) {
        compare_parts(v);
    } else {
        code = tell_findings(v);
        *over = true;
    }
    v->stage++;
    return code;
}

static int describe_exchange(verification *v, tti_call *call)
{
    tti_arguments with = {.comm = v->comm, .send = &v->mine, .recv = v->calls, .count = sizeof v->mine};
    if (v->stage == COMPARE_PARTS)
        with =
            (tti_arguments){.comm = v->comm, .send = v->given, .recv = v->taken, .count = sizeof v->given[0]};
    if (v->stage == TELL_FINDINGS)
        with = (tti_arguments){
            .comm = v->comm, .send = &v->found, .recv = v->findings, .count = sizeof v->found};
    return tti_call_make(call, "TUTTI_VERIFY", v->stage == COMPARE_PARTS ? TTI_ALLTOALL : TTI_ALLGATHER,
                         &with);
}

/* The error that an exchange has ended with. What is no collective may go on after deaths, and where no
 * collective is possible any more. */
static int error_of(const verification *v, int code)
{
    return v->shape != NULL ? code : 0;
}

/* Returns when all ranks have come. */
static int verify(verification *v)
{
    bool over = false;
    int code = 0;
    while (code == 0 && !over) {
        tti_call exchange;
        code = describe_exchange(v, &exchange);
        code = tti_call_by_schedule(code, &exchange);
        if (code < 0) return error_of(v, code);
        code = judge(v, &over);
    }
    return code;
}

int tti_verify_call(const tti_call *call)
{
    const tti_call_record mine =
        tti_call_record_of(call->collective, &call->shape, call->data.type, call->data.op, TTI_FORM_BLOCKING);
    verification *v = make(call->comm, &mine, &call->shape);
    if (v == NULL) return tti_run_drop_out(call->comm, TUTTI_ERR_NO_MEMORY);
    const int code = verify(v);
    /* And the call's own, which a request has taken already. */
    call->comm->sequence = v->sequence + TTI_RUN_COMPARE_NUMBERS + (code < 0 ? 1 : 0);
    free(v);
    return code;
}

static void end(verification *v, int code)
{
    tti_run *waits = v->waits;
    tti_comparison *comparison = v->comparison;
    free(v);
    if (waits != NULL)
        tti_run_compared(waits, code);
    else
        comparison->over(comparison, code);
}

static void exchange_over(tti_run *exchange, int code, void *context);

/* With the number that was kept for it; other collectives may have taken theirs meanwhile. */
static int start_exchange(verification *v)
{
    tutti_comm *comm = v->comm;
    const uint32_t now = comm->sequence;
    tti_call call;
    tti_run *exchange;
    int code = describe_exchange(v, &call);
    if (code == 0) code = tti_call_open(&call, NULL, &exchange);
    if (code < 0) return code;
    tti_run_then(exchange, exchange_over, v);
    comm->sequence = v->sequence + (uint32_t)v->stage;
    code = tti_run_start(exchange); /* which may be its end, and the next one's */
    comm->sequence = now;
    if (code < 0) tti_run_close(exchange);
    return code;
}

static void exchange_over(tti_run *exchange, int code, void *context)
{
    verification *v = context;
    bool over = true;
    tti_run_close(exchange);
    code = code == 0 ? judge(v, &over) : error_of(v, code);
    if (code == 0 && !over) {
        code = start_exchange(v);
        if (code == 0) return;
    }
    end(v, code);
}

int tti_verify_run(tti_run *run, const tti_call_record *mine, const tti_shape *shape)
{
    verification *v = make(tti_run_comm(run), mine, shape);
    if (v == NULL) return TUTTI_ERR_NO_MEMORY;
    v->waits = run;
    const int code = start_exchange(v);
    if (code < 0) free(v);
    return code;
}

/* Of a call that is no collective; NULL where it is not to be compared, or cannot. Its caller takes as many
 * numbers for it as a collective has: ranks that differ in this stay in step. */
static verification *make_named(tutti_comm *comm, const char *call)
{
    const tti_call_record mine = {.function = tti_call_function(call)};
    if (!tti_calls_are_compared(comm->size)) return NULL;
    verification *v = make(comm, &mine, NULL);
    if (v == NULL) tti_run_drop_out(comm, TUTTI_ERR_NO_MEMORY);
    return v;
}

static int compare(tutti_comm *comm, const char *call)
{
    verification *v = make_named(comm, call);
    if (v == NULL) return 0;
    const int code = verify(v);
    comm->sequence = v->sequence + TTI_RUN_COMPARE_NUMBERS + 1;
    free(v);
    return code;
}

static void begin(tutti_comm *comm, const char *call, tti_comparison *comparison)
{
    verification *v = make_named(comm, call);
    if (v != NULL) {
        v->comparison = comparison;
        comm->sequence += TTI_RUN_COMPARE_NUMBERS + 1;
        if (start_exchange(v) == 0) return;
        free(v);
    }
    comparison->over(comparison, 0);
}

void tti_verify_open(void)
{
    static const tti_comparing comparing = {tti_calls_are_compared, compare, begin};
    tti_compare_by(&comparing);
}
