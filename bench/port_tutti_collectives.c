/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to Tutti: collectives. */
#include <stdlib.h>

#include "bench/port_tutti.h"

static const tutti_type types[PORT_TYPES] = {TUTTI_INT32, TUTTI_INT64, TUTTI_FLOAT, TUTTI_DOUBLE};

/* Not a table: the handles are casts, which C does not take for constants. */
static tutti_op *op_of(enum port_op op)
{
    switch (op) {
    case PORT_PROD: return TUTTI_PROD;
    case PORT_MIN: return TUTTI_MIN;
    case PORT_MAX: return TUTTI_MAX;
    default: return TUTTI_SUM;
    }
}

bool port_has(enum port_form form)
{
    return form < PORT_FORMS;
}

/* Drops the parentheses of a list of arguments. */
#define BARE(...) __VA_ARGS__

void port_collective(const port_call *c)
{
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        must(tutti_##name(BARE tutti), "tutti_" #name);                                                      \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}

void port_icollective(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        must(tutti_i##name(BARE tutti, request), "tutti_i" #name);                                           \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}

void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        must(tutti_##name##_init(BARE tutti, request), "tutti_" #name "_init");                              \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}

void port_grid_open(int rows)
{
    const int extents[] = {rows, port_size() / rows}, around[] = {1, 1};
    if (bench_grid == NULL)
        must(tutti_comm_grid(bench_world, 2, extents, around, 0, &bench_grid), "tutti_comm_grid");
}

port_parts *port_parts_open(int number, size_t count)
{
    const size_t size = (size_t)number;
    port_parts *parts = malloc(sizeof *parts + 2 * size * sizeof parts->numbers[0]);
    if (!parts) tutti_abort(1, "tutti-bench: no memory for a table of parts");
    parts->counts = parts->numbers;
    parts->offsets = parts->numbers + size;
    for (size_t r = 0; r < size; r++) {
        parts->counts[r] = count;
        parts->offsets[r] = r * count;
    }
    return parts;
}

void port_parts_close(port_parts *parts)
{
    free(parts);
}
