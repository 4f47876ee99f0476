/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine with queues of stores (memory.h); after P. Sewell et al., "x86-TSO", 2010. */
#include <string.h>

#include "tests/explore/memory.h"

#define MOST_WAITING 64

typedef struct {
    int word;
    uint64_t value;
    memory_clock shown;
} waiting;

typedef struct {
    waiting entries[MOST_WAITING];
    int count;
} queue;

static struct {
    uint64_t value[MEMORY_MOST_WORDS];
    memory_clock shown[MEMORY_MOST_WORDS];
    queue queues[RUN_MOST_RANKS];
    memory_clock now[RUN_MOST_RANKS];
} x86;

static void reset(void)
{
    memset(x86.now, 0, sizeof x86.now);
    for (int r = 0; r < RUN_MOST_RANKS; r++) {
        x86.queues[r].count = 0;
        x86.now[r][r] = 1;
    }
}

static void first(int word, uint64_t value)
{
    x86.value[word] = value;
    memset(x86.shown[word], 0, sizeof x86.shown[word]);
}

/* The first `count` entries of a queue come out. */
static void empty(queue *q, int count)
{
    for (int i = 0; i < count; i++) {
        const waiting *w = &q->entries[i];
        x86.value[w->word] = w->value;
        memcpy(x86.shown[w->word], w->shown, sizeof w->shown);
    }
    q->count -= count;
    memmove(q->entries, q->entries + count, (size_t)q->count * sizeof *q->entries);
}

static const waiting *own_entry(int rank, int word)
{
    const queue *q = &x86.queues[rank];
    for (int i = q->count; i-- > 0;)
        if (q->entries[i].word == word) return &q->entries[i];
    return NULL;
}

/* Entries of others for the word. */
static unsigned pending(int rank, int word)
{
    unsigned count = 0;
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        for (int i = 0; r != rank && i < x86.queues[r].count; i++)
            count += x86.queues[r].entries[i].word == word;
    return count;
}

/* So many of them, of lower ranks first, come out with all that stands before them. */
static void let_out(int rank, int word, unsigned count)
{
    for (int r = 0; r < RUN_MOST_RANKS; r++) {
        queue *q = &x86.queues[r];
        int out = 0;
        for (int i = 0; r != rank && i < q->count && count > 0; i++) {
            if (q->entries[i].word != word) continue;
            out = i + 1;
            count--;
        }
        empty(q, out);
    }
}

static unsigned values(int rank, int word, memory_order order, bool update)
{
    (void)order;
    if (update) empty(&x86.queues[rank], x86.queues[rank].count);
    return own_entry(rank, word) != NULL ? 1 : 1 + pending(rank, word);
}

static uint64_t load(int rank, int word, memory_order order, unsigned which)
{
    const waiting *own = own_entry(rank, word);
    (void)order;
    if (own != NULL) return own->value;
    let_out(rank, word, pending(rank, word) - which);
    memory_join_clocks(x86.now[rank], x86.shown[word]);
    return x86.value[word];
}

static void store(int rank, int word, memory_order order, uint64_t value)
{
    queue *q = &x86.queues[rank];
    if (q->count == MOST_WAITING) empty(q, 1);
    waiting *w = &q->entries[q->count++];
    w->word = word;
    w->value = value;
    memcpy(w->shown, x86.now[rank], sizeof w->shown);
    x86.now[rank][rank]++;
    if (order == memory_order_seq_cst) empty(q, q->count);
}

static void fence(int rank, memory_order order)
{
    if (order == memory_order_seq_cst) empty(&x86.queues[rank], x86.queues[rank].count);
}

static void update(int rank, int word, memory_order order, uint64_t value)
{
    (void)order;
    x86.value[word] = value;
    memcpy(x86.shown[word], x86.now[rank], sizeof x86.now[rank]);
    x86.now[rank][rank]++;
}

static void settle(void)
{
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        empty(&x86.queues[r], x86.queues[r].count);
}

static const uint32_t *clock_of(int rank)
{
    return x86.now[rank];
}

const memory_machine memory_x86 = {reset, first, values, load, store, update, fence, settle, clock_of, false};
