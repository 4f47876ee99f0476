/* SPDX-License-Identifier: BSD-3-Clause */
/* Which words there are. */
#include "tests/explore/memory.h"

#include <string.h>

#define BUCKETS 1024

const memory_machine *memory;

static struct {
    const volatile void *at[MEMORY_MOST_WORDS];
    uint32_t used[MEMORY_MOST_WORDS]; /* the last run that used it */
    int16_t next[MEMORY_MOST_WORDS];  /* in its bucket */
    int16_t first[BUCKETS];           /* 1 + number */
    int count;
    uint32_t run;
} words;

void memory_open(enum memory_model model)
{
    memory = model == MEMORY_X86 ? &memory_x86 : &memory_arm;
    memset(&words, 0, sizeof words);
}

void memory_reset(void)
{
    words.run++;
    memory->reset();
}

void memory_settle(void)
{
    memory->settle();
}

uint64_t memory_get(const volatile void *at, size_t bytes)
{
    switch (bytes) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)at;
    case 4: return *(const volatile uint32_t *)at;
    default: return *(const volatile uint64_t *)at;
    }
}

void memory_put(const volatile void *at, size_t bytes, uint64_t value)
{
    void *word = (void *)(uintptr_t)at;
    switch (bytes) {
    case 1: *(volatile uint8_t *)word = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)word = (uint16_t)value; break;
    case 4: *(volatile uint32_t *)word = (uint32_t)value; break;
    default: *(volatile uint64_t *)word = value; break;
    }
}

int memory_word(const volatile void *at, size_t bytes)
{
    int16_t *bucket = &words.first[((uintptr_t)at >> 2 ^ (uintptr_t)at >> 12) % BUCKETS];
    int word = *bucket - 1;
    while (word >= 0 && words.at[word] != at)
        word = words.next[word] - 1;
    if (word < 0) {
        if (words.count == MEMORY_MOST_WORDS) run_fail("more than %d words", MEMORY_MOST_WORDS);
        word = words.count++;
        words.at[word] = at;
        words.next[word] = *bucket;
        *bucket = (int16_t)(word + 1);
    }
    if (words.used[word] != words.run) {
        words.used[word] = words.run;
        memory->first(word, memory_get(at, bytes));
    }
    return word;
}
