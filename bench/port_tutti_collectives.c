/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to Tutti: collectives. */
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

void port_collective(const port_call *c)
{
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_barrier(bench_world), "tutti_barrier"); break;
    case PORT_BCAST: must(tutti_bcast(bench_world, c->recv, c->count, c->root), "tutti_bcast"); break;
    case PORT_REDUCE:
        must(tutti_reduce(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root),
             "tutti_reduce");
        break;
    case PORT_ALLREDUCE:
        must(tutti_allreduce(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
             "tutti_allreduce");
        break;
    case PORT_ALLGATHER:
        must(tutti_allgather(bench_world, c->send, c->recv, c->count), "tutti_allgather");
        break;
    }
}

void port_icollective(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_ibarrier(bench_world, request), "tutti_ibarrier"); break;
    case PORT_BCAST:
        must(tutti_ibcast(bench_world, c->recv, c->count, c->root, request), "tutti_ibcast");
        break;
    case PORT_REDUCE:
        must(tutti_ireduce(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root,
                           request),
             "tutti_ireduce");
        break;
    case PORT_ALLREDUCE:
        must(tutti_iallreduce(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op), request),
             "tutti_iallreduce");
        break;
    case PORT_ALLGATHER:
        must(tutti_iallgather(bench_world, c->send, c->recv, c->count, request), "tutti_iallgather");
        break;
    }
}

void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_barrier_init(bench_world, request), "tutti_barrier_init"); break;
    case PORT_BCAST:
        must(tutti_bcast_init(bench_world, c->recv, c->count, c->root, request), "tutti_bcast_init");
        break;
    case PORT_REDUCE:
        must(tutti_reduce_init(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root,
                               request),
             "tutti_reduce_init");
        break;
    case PORT_ALLREDUCE:
        must(tutti_allreduce_init(bench_world, c->send, c->recv, c->count, types[c->type], op_of(c->op),
                                  request),
             "tutti_allreduce_init");
        break;
    case PORT_ALLGATHER:
        must(tutti_allgather_init(bench_world, c->send, c->recv, c->count, request), "tutti_allgather_init");
        break;
    }
}
