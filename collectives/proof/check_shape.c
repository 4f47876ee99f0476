/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call is at one of its ranks. */
#include "collectives/proof/checker.h"

/* Those of `rank`, where the tables of all stand one after the other. */
static tti_table table_of(enum tti_knows who, const tti_table *all, const tti_shape *own)
{
    const size_t row = who == TTI_TABLE_OF_EACH ? (size_t)own->rank * (size_t)own->size : 0;
    if (who == TTI_NO_TABLE || (who == TTI_TABLE_OF_ROOT && own->rank != own->root)) return (tti_table){0};
    return (tti_table){all->counts + row, all->offsets + row};
}

/* Those of `rank`, which has as many parts as neighbours. */
static tti_table rows_of(enum tti_knows who, const tti_table *all, const tti_shape *own, bool sent)
{
    size_t row = 0;
    if (who == TTI_NO_TABLE) return (tti_table){0};
    for (int r = 0; r < own->rank; r++)
        row += (size_t)(sent ? own->neighbours[r].targets.count : own->neighbours[r].sources.count);
    return (tti_table){all->counts + row, all->offsets + row};
}

static void take_neighbours(const tti_contract *contract, tti_shape *own)
{
    if (own->parted) {
        own->own = contract->sent == TTI_NO_TABLE ? own->send.counts[own->rank] : 0;
        own->send = rows_of(contract->sent, &own->send, own, true);
        own->recv = rows_of(contract->received, &own->recv, own, false);
    }
    own->neighbours += own->rank;
}

static void take_tables(const tti_contract *contract, tti_shape *own)
{
    const tti_table *listed = contract->sent != TTI_NO_TABLE ? &own->send : &own->recv;
    own->own = listed->counts[own->rank];
    own->send = table_of(contract->sent, &own->send, own);
    own->recv = table_of(contract->received, &own->recv, own);
}

tti_shape tti_checker_shape(enum tti_collective collective, const tti_shape *shape, int rank)
{
    tti_shape own = *shape;
    own.rank = rank;
    if (shape->neighbours != NULL)
        take_neighbours(tti_collective_describe(collective), &own);
    else if (shape->parted)
        take_tables(tti_collective_describe(collective), &own);
    own.in_place = shape->in_place && tti_contract_in_place(tti_collective_describe(collective), &own);
    if (own.in_place && own.recv.counts != NULL && own.send.counts != NULL) own.send = own.recv;
    return own;
}
