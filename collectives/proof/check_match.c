/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "collectives/proof/checker_state.h"

typedef struct {
    int source, dest, tag;
} key;

static key key_of(const tti_checker *checker, int global)
{
    const int rank = checker->owner[global];
    const tti_step *step = tti_check_global(checker, global);
    if (step->kind == TTI_STEP_SEND) return (key){rank, step->peer, step->tag};
    return (key){step->peer, rank, step->tag};
}

/* The slot of the send with this key, or the empty one where it belongs. */
static int slot_of(const tti_checker *checker, key k)
{
    const uint64_t mixed = (((uint64_t)(uint32_t)k.source << 32 | (uint32_t)k.dest) * 0x9e3779b97f4a7c15U) ^
                           ((uint64_t)k.tag * 0xc2b2ae3d27d4eb4fU);
    int slot = (int)((mixed >> 24) & (uint64_t)(checker->table_size - 1));
    for (;; slot = (slot + 1) & (checker->table_size - 1)) {
        if (checker->table[slot] < 0) return slot;
        const key held = key_of(checker, checker->table[slot]);
        if (held.source == k.source && held.dest == k.dest && held.tag == k.tag) return slot;
    }
}

static bool open_table(tti_checker *checker)
{
    int wanted = 16;
    while (wanted < 2 * checker->total)
        wanted *= 2;
    if (wanted > checker->table_room) {
        free(checker->table);
        checker->table = malloc((size_t)wanted * sizeof *checker->table);
        checker->table_room = checker->table == NULL ? 0 : wanted;
    }
    if (checker->table == NULL) return tti_check_wrong(checker, "no memory for %d messages", wanted);
    checker->table_size = wanted;
    for (int i = 0; i < wanted; i++)
        checker->table[i] = -1;
    return true;
}

static bool add_send(tti_checker *checker, int global)
{
    const key k = key_of(checker, global);
    const int slot = slot_of(checker, k);
    if (checker->table[slot] >= 0)
        return tti_check_wrong(checker, "rank %d sends to rank %d twice with tag %d", k.source, k.dest,
                               k.tag);
    checker->table[slot] = global;
    return true;
}

/* Both ends mean the same lengths. */
static bool needs_agree(const tti_checker *checker, int send, int receive)
{
    const tti_need *a = tti_check_need_of(checker, send), *b = tti_check_need_of(checker, receive);
    if (a == NULL || b == NULL) return a == b;
    return a->most == b->most && a->over == b->over && a->head == b->head && a->slots == b->slots;
}

static bool add_receive(tti_checker *checker, int global)
{
    const key k = key_of(checker, global);
    const int send = checker->table[slot_of(checker, k)];
    if (send < 0)
        return tti_check_wrong(checker, "rank %d awaits tag %d from rank %d, which does not send it", k.dest,
                               k.tag, k.source);
    if (checker->partner[send] >= 0)
        return tti_check_wrong(checker, "rank %d awaits tag %d from rank %d twice", k.dest, k.tag, k.source);
    if (tti_check_global(checker, send)->bytes != tti_check_global(checker, global)->bytes)
        return tti_check_wrong(checker, "rank %d sends %zu bytes with tag %d, rank %d awaits %zu", k.source,
                               tti_check_global(checker, send)->bytes, k.tag, k.dest,
                               tti_check_global(checker, global)->bytes);
    if (!needs_agree(checker, send, global))
        return tti_check_wrong(checker, "rank %d sends as much with tag %d as is needed, rank %d awaits else",
                               k.source, k.tag, k.dest);
    checker->partner[send] = global;
    checker->partner[global] = send;
    return true;
}

/* Each number that is told has a step that compares it, or goes by it: which one, check_value.c says. */
static bool check_numbers(tti_checker *checker)
{
    int told = 0, taken = 0;
    for (int g = 0; g < checker->total; g++) {
        const tti_step *step = tti_check_global(checker, g);
        told += step->kind == TTI_STEP_TELL;
        taken += step->kind == TTI_STEP_COMPARE || tti_step_is_told(step);
    }
    return told == taken || tti_check_wrong(checker, "%d numbers are told, %d taken", told, taken);
}

bool tti_check_match(tti_checker *checker)
{
    if (!open_table(checker) || !check_numbers(checker)) return false;
    for (int g = 0; g < checker->total; g++) {
        checker->partner[g] = -1;
        if (tti_check_global(checker, g)->kind == TTI_STEP_SEND && !add_send(checker, g)) return false;
    }
    for (int g = 0; g < checker->total; g++)
        if (tti_check_global(checker, g)->kind == TTI_STEP_RECV && !add_receive(checker, g)) return false;
    for (int g = 0; g < checker->total; g++)
        if (tti_check_global(checker, g)->kind == TTI_STEP_SEND && checker->partner[g] < 0) {
            const key k = key_of(checker, g);
            return tti_check_wrong(checker, "rank %d sends tag %d to rank %d, which does not await it",
                                   k.source, k.tag, k.dest);
        }
    return true;
}
