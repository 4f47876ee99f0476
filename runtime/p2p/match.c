/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/match.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"

#define FIRST_BUCKETS 256

enum { ANY_SOURCE_BIT = TTI_MATCH_ANY_SOURCE, ANY_TAG_BIT = TTI_MATCH_ANY_TAG, PATTERNS = 4 };

static uint32_t hash_key(uint64_t context, uint64_t ends)
{
    return (uint32_t)((context * UINT64_C(0x9e3779b97f4a7c15) ^ ends * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32);
}

static void set_key(tti_match_node *node, uint64_t context, int source, int tag)
{
    node->context = context;
    node->ends = (uint64_t)(uint32_t)source << 32 | (uint32_t)tag;
    node->hash = hash_key(context, node->ends);
}

static bool same_key(const tti_match_node *a, const tti_match_node *b)
{
    return a->hash == b->hash && a->context == b->context && a->ends == b->ends;
}

static bool is_leader(const tti_match_node *node)
{
    return node->prev->next == NULL;
}

/* The place in the bucket's chain that points to the leader of the key, or where a new one goes. */
static tti_match_node **find_slot(const tti_match_table *table, const tti_match_node *key)
{
    tti_match_node **slot = &table->buckets[key->hash & (table->count - 1)];
    while (*slot != NULL && !same_key(*slot, key))
        slot = &(*slot)->chain;
    return slot;
}

static inline tti_match_node **find_key(const tti_match_table *table, uint64_t context, int source, int tag)
{
    tti_match_node key;
    set_key(&key, context, source, tag);
    return find_slot(table, &key);
}

static void move_chain(tti_match_node *leader, tti_match_node **buckets, size_t count)
{
    while (leader != NULL) {
        tti_match_node *rest = leader->chain;
        tti_match_node **bucket = &buckets[leader->hash & (count - 1)];
        leader->chain = *bucket;
        *bucket = leader;
        leader = rest;
    }
}

static void grow(tti_match_table *table)
{
    const size_t count = table->count * 2;
    tti_match_node **buckets = calloc(count, sizeof *buckets);
    if (buckets == NULL) return; /* longer chains still work */
    for (size_t i = 0; i < table->count; i++)
        move_chain(table->buckets[i], buckets, count);
    free(table->buckets);
    table->buckets = buckets;
    table->count = count;
}

static inline void insert(tti_match_table *table, tti_match_node *node)
{
    tti_match_node **slot = find_slot(table, node), *leader = *slot;
    node->chain = node->next = NULL;
    if (leader != NULL) {
        node->prev = leader->prev;
        leader->prev->next = node;
        leader->prev = node;
        return;
    }
    node->prev = node;
    *slot = node;
    if (++table->keys > table->count) grow(table);
}

/* `slot` is the place that points to the leader. */
static inline void remove_leader(tti_match_table *table, tti_match_node **slot)
{
    tti_match_node *node = *slot, *heir = node->next;
    if (heir == NULL) {
        *slot = node->chain;
        table->keys--;
        return;
    }
    heir->chain = node->chain;
    heir->prev = node->prev;
    *slot = heir;
}

static void remove_node(tti_match_table *table, tti_match_node *node)
{
    if (is_leader(node)) {
        remove_leader(table, find_slot(table, node));
        return;
    }
    node->prev->next = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    else
        (*find_slot(table, node))->prev = node->prev;
}

static int open_table(tti_match_table *table)
{
    *table = (tti_match_table){calloc(FIRST_BUCKETS, sizeof *table->buckets), FIRST_BUCKETS, 0};
    return table->buckets != NULL ? 0 : tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the matching table");
}

int tti_match_open(tti_match *match)
{
    memset(match, 0, sizeof *match);
    const int code = open_table(&match->posted);
    if (code < 0) return code;
    const int second = open_table(&match->waiting);
    if (second < 0) free(match->posted.buckets);
    return second;
}

void tti_match_close(tti_match *match)
{
    free(match->posted.buckets);
    free(match->waiting.buckets);
    memset(match, 0, sizeof *match);
}

static int pattern_of(const tti_match_node *node)
{
    return ((uint32_t)(node->ends >> 32) == (uint32_t)TTI_MATCH_ANY ? ANY_SOURCE_BIT : 0) |
           ((uint32_t)node->ends == (uint32_t)TTI_MATCH_ANY ? ANY_TAG_BIT : 0);
}

static int source_under(int pattern, int source)
{
    return (pattern & ANY_SOURCE_BIT) != 0 ? TTI_MATCH_ANY : source;
}

static int tag_under(int pattern, int tag)
{
    return (pattern & ANY_TAG_BIT) != 0 ? TTI_MATCH_ANY : tag;
}

TTI_HOT void tti_match_post(tti_match *match, tti_match_receive *receive, uint64_t context, int source,
                            int tag)
{
    set_key(&receive->node, context, source, tag);
    receive->order = match->posts++;
    match->posted_by[pattern_of(&receive->node)]++;
    insert(&match->posted, &receive->node);
}

void tti_match_unpost(tti_match *match, tti_match_receive *receive)
{
    match->posted_by[pattern_of(&receive->node)]--;
    remove_node(&match->posted, &receive->node);
}

/* The same where receives with wildcards are posted too. */
static tti_match_receive *arrive_among_all(tti_match *match, uint64_t context, int source, int tag)
{
    tti_match_receive *oldest = NULL;
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        if (match->posted_by[pattern] == 0) continue;
        tti_match_receive *first = (tti_match_receive *)*find_key(
            &match->posted, context, source_under(pattern, source), tag_under(pattern, tag));
        if (first != NULL && (oldest == NULL || first->order < oldest->order)) oldest = first;
    }
    if (oldest != NULL) tti_match_unpost(match, oldest);
    return oldest;
}

TTI_HOT tti_match_receive *tti_match_arrive(tti_match *match, uint64_t context, int source, int tag)
{
    const size_t *by = match->posted_by;
    if (__builtin_expect((by[1] | by[2] | by[3]) != 0, 0))
        return arrive_among_all(match, context, source, tag);
    tti_match_node **slot = find_key(&match->posted, context, source, tag), *first = *slot;
    if (first == NULL) return NULL;
    match->posted_by[0]--;
    remove_leader(&match->posted, slot);
    return (tti_match_receive *)first;
}

TTI_HOT void tti_match_keep(tti_match *match, tti_match_message *message, uint64_t context, int source,
                            int tag)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        set_key(&message->by[pattern], context, source_under(pattern, source), tag_under(pattern, tag));
        insert(&match->waiting, &message->by[pattern]);
    }
    match->messages_waiting++;
}

TTI_HOT tti_match_message *tti_match_find(const tti_match *match, uint64_t context, int source, int tag)
{
    if (match->messages_waiting == 0) return NULL;
    tti_match_node *first = *find_key(&match->waiting, context, source, tag);
    return first != NULL ? (tti_match_message *)(first - pattern_of(first)) : NULL;
}

TTI_HOT void tti_match_drop(tti_match *match, tti_match_message *message)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        remove_node(&match->waiting, &message->by[pattern]);
    match->messages_waiting--;
}

void tti_match_each_posted(const tti_match *match, void (*visit)(tti_match_receive *, void *), void *context)
{
    for (size_t i = 0; i < match->posted.count; i++) {
        for (tti_match_node *leader = match->posted.buckets[i]; leader != NULL; leader = leader->chain) {
            for (tti_match_node *node = leader; node != NULL; node = node->next)
                visit((tti_match_receive *)node, context);
        }
    }
}

void tti_match_each_waiting(const tti_match *match, void (*visit)(tti_match_message *, void *), void *context)
{
    for (size_t i = 0; match->messages_waiting > 0 && i < match->waiting.count; i++) {
        for (tti_match_node *leader = match->waiting.buckets[i]; leader != NULL; leader = leader->chain) {
            for (tti_match_node *node = leader; node != NULL && pattern_of(node) == 0; node = node->next)
                visit((tti_match_message *)node, context);
        }
    }
}

tti_match_message *tti_match_any_waiting(const tti_match *match)
{
    for (size_t i = 0; match->messages_waiting > 0 && i < match->waiting.count; i++) {
        tti_match_node *first = match->waiting.buckets[i];
        if (first != NULL) return (tti_match_message *)(first - pattern_of(first));
    }
    return NULL;
}
