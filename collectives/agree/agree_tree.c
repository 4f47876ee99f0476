/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/agree_tree.h"

/* Few steps for few ranks; at most so many messages one after the other for many, inside a node and between
 * nodes. */
#define ARITY 16

void tti_agree_grow(tti_agree_branch *tree, int size)
{
    for (int rank = size - 1; rank >= 0; rank--)
        tree[rank].first = tree[rank].next = -1;
    for (int rank = size - 1; rank > 0; rank--) {
        tti_agree_branch *parent = &tree[tree[rank].parent];
        tree[rank].next = parent->first;
        parent->first = rank;
    }
}

/* Between nodes only their first ranks talk: what a message costs there others on the node need not pay. */
static int parent_of(const tti_node_map *nodes, int rank)
{
    if (nodes == NULL) return (rank - 1) / ARITY;
    const int node = nodes->node_of[rank], place = nodes->place_of[rank];
    if (place > 0) return tti_node_member(nodes, node, (place - 1) / ARITY);
    return tti_node_member(nodes, (node - 1) / ARITY, 0);
}

void tti_agree_plant(tti_agree_branch *tree, int size, const tti_node_map *nodes)
{
    tree[0].parent = -1;
    for (int rank = 1; rank < size; rank++)
        tree[rank].parent = parent_of(nodes, rank);
    tti_agree_grow(tree, size);
}

int tti_agree_parent(const tti_agree_state *s)
{
    int at = s->rank;
    while (at > 0) {
        at = s->tree[at].parent;
        if (!tti_agree_has(s->dead, at)) return at;
    }
    while (at < s->rank && tti_agree_has(s->dead, at))
        at++;
    return at < s->rank ? at : -1;
}

bool tti_agree_covers(const tti_agree_state *s, const tti_agree_round *r, int rank)
{
    if (rank != s->rank && !tti_agree_has(s->dead, rank)) return tti_agree_has(r->heard, rank);
    for (int child = s->tree[rank].first; child >= 0; child = s->tree[child].next)
        if (!tti_agree_covers(s, r, child)) return false;
    return true;
}

static void ask(const tti_agree_state *s, tti_agree_round *r, int rank)
{
    const tti_agree_value dead = {.kind = r->value.kind, .failed = s->dead};
    if (tti_agree_has(r->heard, rank) || tti_agree_has(r->asked, rank)) return;
    tti_agree_put(r->asked, rank);
    s->send(s->context, rank, TTI_AGREE_ASK, r->number, &dead);
}

void tti_agree_ask(const tti_agree_state *s, tti_agree_round *r, int rank)
{
    if (rank == s->rank || tti_agree_has(s->dead, rank)) {
        for (int child = s->tree[rank].first; child >= 0; child = s->tree[child].next)
            tti_agree_ask(s, r, child);
        return;
    }
    if (s->tree[rank].parent != s->rank) ask(s, r, rank);
}

void tti_agree_ask_below(tti_agree_state *s)
{
    tti_agree_round *r = &s->rounds[s->number % TTI_AGREE_ROUNDS];
    if (r->decided || s->size == 2) return;
    for (int child = s->tree[s->rank].first; child >= 0; child = s->tree[child].next)
        if (!tti_agree_has(s->dead, child)) ask(s, r, child);
}
