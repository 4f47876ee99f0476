/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/call_tables.h"

#include <stdint.h>
#include <stdlib.h>

#include "collectives/calls/call_buffers.h"
#include "collectives/calls/call_wrong.h"
#include "runtime/base/element.h"
#include "runtime/base/status.h"

int tti_call_set_type(tti_call *call, tutti_type type)
{
    call->shape.element = tti_element_bytes(type);
    if (call->shape.element > 0) return 0;
    return tti_fail(TUTTI_ERR_TYPE, "%s: %llu is no element type", call->name, (unsigned long long)type);
}

/* Whether the caller knows a table. */
static bool has_table(const tti_call *call, enum tti_knows who)
{
    return who != TTI_NO_TABLE && (who != TTI_TABLE_OF_ROOT || call->shape.rank == call->shape.root);
}

/* Whose the parts of one of the call's tables are, if neighbours'; else NULL. */
static const int *neighbours_of(const tti_call *call, const tti_table *table)
{
    const tti_neighbours *all = call->shape.neighbours;
    if (all == NULL) return NULL;
    return table == &call->shape.send ? all->targets.ranks : all->sources.ranks;
}

/* Places and sizes that memory can have. Where a part is that is empty, or nobody's, does not matter: what
 * its offset says may be anything. Without offsets others are behind that of nobody. */
static int check_sizes(const tti_call *call, const tti_table *table, int parts, const char *which)
{
    const int *neighbours = table->offsets != NULL ? neighbours_of(call, table) : NULL;
    size_t end = 0;
    if (table->counts == NULL && parts > 0)
        return tti_fail(TUTTI_ERR_ARG, "%s: the counts of the parts of %s are NULL", call->name, which);
    for (int r = 0; r < parts; r++) {
        const size_t at = table->offsets != NULL ? table->offsets[r] : end;
        size_t bytes;
        if (!tti_table_has(table, neighbours, r)) continue;
        if (__builtin_add_overflow(at, table->counts[r], &end) ||
            __builtin_mul_overflow(end, call->shape.element, &bytes) || bytes > PTRDIFF_MAX)
            return tti_fail(TUTTI_ERR_ARG,
                            "%s: part %d of %s, %zu elements of %zu bytes behind %zu others, is more than "
                            "memory can hold",
                            call->name, r, which, table->counts[r], call->shape.element, at);
    }
    return 0;
}

typedef struct {
    size_t at, count;
    int rank;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static bool is_ascending(const tti_table *table, const int *neighbours, int parts)
{
    size_t end = 0;
    for (int r = 0; r < parts; r++) {
        if (!tti_table_has(table, neighbours, r)) continue;
        if (table->offsets[r] < end) return false;
        end = table->offsets[r] + table->counts[r];
    }
    return true;
}

/* Those that come, by their places, to be freed; NULL if memory is out. */
static placed *sort_parts(const tti_call *call, int *count)
{
    const tti_table *table = &call->shape.recv;
    const int size = tti_shape_parts_received(&call->shape), *neighbours = neighbours_of(call, table);
    placed *parts = malloc((size_t)size * sizeof *parts);
    *count = 0;
    if (parts == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory to look at %d parts", call->name, size);
        return NULL;
    }
    for (int r = 0; r < size; r++)
        if (tti_table_has(table, neighbours, r))
            parts[(*count)++] = (placed){table->offsets[r], table->counts[r], r};
    if (!is_ascending(table, neighbours, size)) qsort(parts, (size_t)*count, sizeof *parts, by_place);
    return parts;
}

/* What comes from two ranks, or neighbours, must not go to one place. */
static int check_targets(const tti_call *call)
{
    const tti_table *table = &call->shape.recv;
    const int size = tti_shape_parts_received(&call->shape);
    int count, code = 0;
    if (table->offsets == NULL || is_ascending(table, neighbours_of(call, table), size)) return 0;
    placed *parts = sort_parts(call, &count);
    if (parts == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 1; i < count && code == 0; i++)
        if (parts[i].at < parts[i - 1].at + parts[i - 1].count)
            code = tti_fail(TUTTI_ERR_ARG, "%s: parts %d and %d of recv overlap", call->name,
                            parts[i - 1].rank, parts[i].rank);
    free(parts);
    return code;
}

static int set_table(tti_call *call, enum tti_knows who, const tti_table *given, const char *which,
                     tti_table *table)
{
    const bool sent = table == &call->shape.send;
    if (!has_table(call, who)) return 0;
    *table = *given;
    return check_sizes(call, table,
                       sent ? tti_shape_parts_sent(&call->shape) : tti_shape_parts_received(&call->shape),
                       which);
}

/* The part that the caller has, or gets, alone: given, or in a table. At the root both, and in place of
 * neither it is the table's. */
static int set_own(tti_call *call, const tti_contract *contract, const tti_arguments *given)
{
    const tti_table *table = call->shape.send.counts != NULL ? &call->shape.send : &call->shape.recv;
    const bool in_table = table->counts != NULL && !contract->neighbours;
    const size_t listed = in_table ? table->counts[call->shape.rank] : 0;
    const bool counts = contract->sent == TTI_TABLE_OF_ROOT || contract->received == TTI_TABLE_OF_ROOT ||
                        contract->neighbours;
    const bool in_place = (contract->keeps ? given->recv : given->send) == TUTTI_IN_PLACE;
    size_t bytes;
    call->shape.own = in_table ? listed : given->count;
    if (!counts || (in_table && in_place)) return 0;
    if (__builtin_mul_overflow(given->count, call->shape.element, &bytes) || bytes > PTRDIFF_MAX)
        return tti_call_wrong_count(call->name, given->count, call->shape.element);
    if (!in_table || given->count == listed) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: count is %zu, but of the caller's own part counts[%d] says %zu",
                    call->name, given->count, call->shape.rank, listed);
}

/* The mean, where all know it: sizes by which ranks choose must be the same at all. */
static void set_mean(tti_call *call, const tti_contract *contract)
{
    const size_t size = (size_t)call->shape.size;
    const tti_table *table = contract->sent == TTI_TABLE_OF_ALL ? &call->shape.send : &call->shape.recv;
    if (tti_contract_sized(contract))
        call->shape.count = (tti_table_total(table, call->shape.size) + size - 1) / size;
}

static size_t bytes_of(const tti_call *call, enum tti_knows who, const tti_table *table)
{
    const bool sent = table == &call->shape.send;
    if (who == TTI_NO_TABLE) return tti_shape_own_bytes(&call->shape);
    if (!has_table(call, who)) return 0;
    return tti_table_end(table, neighbours_of(call, table),
                         sent ? tti_shape_parts_sent(&call->shape) : tti_shape_parts_received(&call->shape)) *
           call->shape.element;
}

/* Whether a part of send meets one of recv, which lie apart. */
static bool meets_one(const tti_call *call, tti_extent sent, const placed *parts, int count)
{
    const size_t element = call->shape.element;
    const uintptr_t low = (uintptr_t)call->data.input + sent.at, out = (uintptr_t)call->data.output;
    int first = 0, end = count;
    while (first < end) {
        const int middle = first + (end - first) / 2;
        if (out + (parts[middle].at + parts[middle].count) * element <= low)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && out + parts[first].at * element < low + sent.bytes;
}

/* Parts of one buffer may lie between those of the other; both tables have offsets then. */
static int check_parts_apart(const tti_call *call)
{
    const tti_shape *s = &call->shape;
    const int *targets = neighbours_of(call, &s->send);
    int count, code = 0;
    placed *parts = sort_parts(call, &count);
    if (parts == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 0; i < tti_shape_parts_sent(s) && code == 0; i++)
        if (tti_table_has(&s->send, targets, i) && meets_one(call, tti_shape_sent(s, i), parts, count))
            code = tti_call_wrong_overlap(call);
    free(parts);
    return code;
}

static int check_apart(const tti_call *call, size_t in, size_t out)
{
    if (!tti_call_meet(call->data.input, in, call->data.output, out)) return 0;
    if (call->shape.send.offsets != NULL && call->shape.recv.offsets != NULL) return check_parts_apart(call);
    return tti_call_wrong_overlap(call);
}

static int check_self_part(const tti_call *call, size_t given, size_t taken)
{
    if (given == taken) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: rank %d sends itself %zu elements, but expects %zu of itself",
                    call->name, call->shape.rank, given, taken);
}

/* The same along each edge that leads back. */
static int check_self_edges(const tti_call *call)
{
    const tti_shape *s = &call->shape;
    const tti_neighbour_list *to = &s->neighbours->targets, *from = &s->neighbours->sources;
    int code = 0, source = -1; /* those of equal ranks mostly stand in one order in both lists */
    for (int i = 0; i < to->count && code == 0; i++) {
        if (to->ranks[i] != s->rank) continue;
        source = tti_neighbours_find_from(from, source + 1, s->rank, to->numbers[i]);
        code = check_self_part(call, s->send.counts != NULL ? s->send.counts[i] : s->own,
                               s->recv.counts[source]);
    }
    return code;
}

/* What a rank sends itself is what it gets of itself. */
static int check_self(const tti_call *call)
{
    const tti_shape *s = &call->shape;
    if (s->neighbours != NULL) return check_self_edges(call);
    if (s->send.counts == NULL || s->recv.counts == NULL) return 0;
    return check_self_part(call, s->send.counts[s->rank], s->recv.counts[s->rank]);
}

static int set_buffers(tti_call *call, const tti_contract *contract, const tti_arguments *given)
{
    tti_call_place(call, contract, given->send, given->recv);
    if (call->shape.in_place && contract->sent == TTI_TABLE_OF_EACH) call->shape.send = call->shape.recv;
    size_t in = bytes_of(call, contract->sent, &call->shape.send);
    size_t out = bytes_of(call, contract->received, &call->shape.recv);
    if (call->shape.in_place) {
        if (out < in || contract->keeps) out = in;
        in = 0;
    }
    const int code = tti_call_need_buffers(call, contract, given, in, out);
    return code < 0 ? code : check_apart(call, in, out);
}

int tti_call_set_tables(tti_call *call, const tti_contract *contract, const tti_arguments *given)
{
    tti_shape *shape = &call->shape;
    const bool sends = contract->sent != TTI_TABLE_OF_EACH || contract->neighbours ||
                       given->send != TUTTI_IN_PLACE; /* else as it receives */
    shape->parted = true;
    int code = sends ? set_table(call, contract->sent, &given->sent, "send", &shape->send) : 0;
    if (code == 0) code = set_table(call, contract->received, &given->received, "recv", &shape->recv);
    if (code == 0) code = shape->recv.counts != NULL ? check_targets(call) : 0;
    if (code == 0) code = set_own(call, contract, given);
    if (code == 0) code = check_self(call);
    if (code < 0) return code;
    set_mean(call, contract);
    return set_buffers(call, contract, given);
}
