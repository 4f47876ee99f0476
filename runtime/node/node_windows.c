/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory in the segment for the collectives of communicators: sets of windows, given out and taken back.
 * Where they lie, behind a head for each set, computes windows_layout.c. */
#include "runtime/node/node_windows.h"

#include "runtime/node/segment.h"
#include "runtime/node/single_copy.h"

#define USER_WORDS 5

/* The head of a set: a line. Who leaves goes from `who` and then from `users`: where both count the same,
 * nobody is in between. Of a node with more ranks than `who` has bits it is not known who the users are. */
typedef struct {
    _Atomic uint64_t users;      /* times taken << 32 | how many use it */
    _Atomic uint64_t of, number; /* its name; `of` is 0 while that changes */
    _Atomic uint64_t who[USER_WORDS];
} set_head;

#define TAKEN_ONCE (UINT64_C(1) << 32)
/* In `users`, while `who` is of the users before. */
#define BEING_TAKEN (UINT64_C(1) << 31)

_Static_assert(sizeof(set_head) <= TTI_NODE_LINE, "the head of a set has a line");

static set_head *head_of(const tti_node *node, int set)
{
    return (set_head *)(void *)(node->windows + (size_t)set * TTI_NODE_LINE);
}

static void clear(const tti_node *node, int set, int peer)
{
    const tti_node_windows_layout l = tti_node_windows_lie(node, set);
    tti_node_window_counts *counts = (void *)(l.first + (size_t)peer * l.of_peer);
    atomic_store_explicit(&counts->wanted, 0, memory_order_relaxed);
    atomic_store_explicit(&counts->withdrawn, 0, memory_order_relaxed);
    for (int word = 0; word < TTI_NODE_WINDOW_CALL; word++)
        atomic_store_explicit(&counts->call[word], 0, memory_order_relaxed);
    for (int kind = 0; kind < TTI_NODE_WINDOW_KINDS; kind++) {
        char *at = (char *)counts + l.at[kind];
        atomic_store_explicit(&counts->finished[kind], 0, memory_order_relaxed);
        for (unsigned w = 0; w < tti_node_windows_count((enum tti_node_window_kind)kind);
             w++, at += l.stride[kind]) {
            atomic_store_explicit(&((tti_node_window *)(void *)at)->posted, 0, memory_order_relaxed);
            if (peer == tti_node_windows_of_last(node))
                atomic_store_explicit(tti_node_window_come(at), 0, memory_order_relaxed);
        }
    }
}

/* Not of a set that nobody has had before: its memory is 0 where nobody has touched it, and takes no pages
 * until somebody does. */
static void clear_all(const tti_node *node, int set, const int *peers, int count)
{
    for (int i = 0; i < count; i++)
        clear(node, set, peers[i]);
    clear(node, set, tti_node_windows_of_last(node));
}

static bool knows_users(const tti_node *node)
{
    return node->shape.ranks <= USER_WORDS * 64;
}

/* Whether all that use the set have died: nobody else gives back what they were in. */
static bool is_abandoned(tti_node *node, set_head *head, uint64_t users)
{
    uint32_t count = 0;
    for (int word = 0; word < USER_WORDS; word++)
        for (uint64_t left = atomic_load(&head->who[word]); left != 0; left &= left - 1, count++) {
            const int peer = word * 64 + __builtin_ctzll(left);
            if (peer == node->index || !tti_node_has_ended(node, peer)) return false;
        }
    return count == (uint32_t)users;
}

static void note_users(const tti_node *node, set_head *head, const int *peers, int count)
{
    uint64_t who[USER_WORDS] = {0};
    for (int i = 0; i < count && knows_users(node); i++)
        who[peers[i] / 64] |= UINT64_C(1) << (peers[i] % 64);
    for (int word = 0; word < USER_WORDS; word++)
        atomic_store(&head->who[word], who[word]);
}

/* After all numbers there are they go on from 2: 1 says that nobody has had the set before. */
static uint64_t times_behind(uint64_t users)
{
    const uint64_t times = users / TAKEN_ONCE + 1;
    return times < TAKEN_ONCE ? times : 2;
}

static bool take(tti_node *node, int set, int count, bool abandoned)
{
    set_head *head = head_of(node, set);
    uint64_t users = atomic_load(&head->users);
    const uint64_t mine = times_behind(users) * TAKEN_ONCE + BEING_TAKEN + (uint64_t)count;
    if (abandoned ? !is_abandoned(node, head, users) : (uint32_t)users != 0) return false;
    return atomic_compare_exchange_strong(&head->users, &users, mine);
}

static int find_free(tti_node *node, int count)
{
    for (int abandoned = 0; abandoned < (knows_users(node) ? 2 : 1); abandoned++)
        for (int set = TTI_NODE_WINDOWS_OF_ALL + 1; set < (int)node->shape.window_sets; set++)
            if (take(node, set, count, abandoned != 0)) return set;
    return -1;
}

int tti_node_windows_take(tti_node *node, const int *peers, int count, const tti_node_windows_name *name)
{
    const int set = find_free(node, count);
    if (set < 0) return -1;
    set_head *head = head_of(node, set);
    atomic_store(&head->of, 0);
    note_users(node, head, peers, count);
    const uint64_t times = atomic_fetch_and(&head->users, ~BEING_TAKEN) / TAKEN_ONCE;
    if (times > 1) clear_all(node, set, peers, count);
    atomic_store(&head->number, name->number);
    atomic_store(&head->of, name->of);
    return set;
}

/* The set that is looked for is there, or was never taken; others may be named meanwhile. */
int tti_node_windows_find(const tti_node *node, const tti_node_windows_name *name)
{
    for (int set = TTI_NODE_WINDOWS_OF_ALL + 1; set < (int)node->shape.window_sets; set++) {
        const set_head *head = head_of(node, set);
        if (atomic_load(&head->of) == name->of && atomic_load(&head->number) == name->number &&
            atomic_load(&head->of) == name->of)
            return set;
    }
    return -1;
}

static uint64_t bit_of(const tti_node *node)
{
    return UINT64_C(1) << (node->index % 64);
}

/* Whoever takes a rank's bit counts it off: a set that has been given back is not left once more. */
static bool take_bit(const tti_node *node, set_head *head)
{
    return !knows_users(node) ||
           (atomic_fetch_and(&head->who[node->index / 64], ~bit_of(node)) & bit_of(node)) != 0;
}

void tti_node_windows_leave(tti_node *node, int set)
{
    if (set == TTI_NODE_WINDOWS_OF_ALL) return;
    set_head *head = head_of(node, set);
    if (take_bit(node, head)) atomic_fetch_sub(&head->users, 1);
}

/* Between two looks at its name the set is not given away. After that it may be, to this rank with others:
 * then the bit that was taken is of those, and is put back. */
void tti_node_windows_leave_unused(tti_node *node, const tti_node_windows_name *name)
{
    const int set = tti_node_windows_find(node, name);
    if (set < 0) return;
    set_head *head = head_of(node, set);
    uint64_t users = atomic_load(&head->users);
    const uint64_t times = users / TAKEN_ONCE;
    if (tti_node_windows_find(node, name) != set || !take_bit(node, head)) return;
    while (users / TAKEN_ONCE == times && (uint32_t)users != 0)
        if (atomic_compare_exchange_strong(&head->users, &users, users - 1)) return;
    if (knows_users(node)) atomic_fetch_or(&head->who[node->index / 64], bit_of(node));
}

/* From now on nobody finds it; who just has may leave it meanwhile. */
void tti_node_windows_give_back(tti_node *node, int set)
{
    set_head *head = head_of(node, set);
    uint64_t count = 0;
    atomic_store(&head->of, 0);
    if (!knows_users(node)) {
        atomic_fetch_and(&head->users, ~(TAKEN_ONCE - 1));
        return;
    }
    for (int word = 0; word < USER_WORDS; word++)
        count += (uint64_t)__builtin_popcountll(atomic_exchange(&head->who[word], 0));
    atomic_fetch_sub(&head->users, count);
}
