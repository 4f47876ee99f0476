/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/windows_payload.h"

#include <string.h>

#include "tests/explore/run.h"

static uint64_t word_of(int rank, int index, int post, int i)
{
    return (uint64_t)(rank * 1000 + index * 100 + post * 10 + i + 1);
}

static unsigned char *byte_of(const windows_passing *p, int rank, size_t offset)
{
    return (unsigned char *)tti_windows_read(p->windows, rank, p->use, offset);
}

static unsigned char *payload_of(const windows_passing *p, int rank, int post)
{
    const size_t behind = p->operation->pattern == BEHIND ? p->use->front : 0;
    return byte_of(p, rank, behind + (size_t)(post - 1) * WINDOWS_WORDS * 8);
}

static void put_payload(const windows_passing *p, int rank, int post)
{
    uint64_t words[WINDOWS_WORDS];
    unsigned char *to = payload_of(p, rank, post);
    for (int i = 0; i < WINDOWS_WORDS; i++)
        words[i] = word_of(rank, p->index, post, i);
    memcpy(to, words, sizeof words);
}

/* The same by words, as a schedule's COPY of few bytes does it. */
static void put_tiny(const windows_passing *p, int rank, int post)
{
    unsigned char *to = payload_of(p, rank, post);
    for (int i = 0; i < WINDOWS_WORDS; i++) {
        const uint64_t word = word_of(rank, p->index, post, i);
        memcpy(to + i * 8, &word, sizeof word);
    }
}

static void take_payload(const windows_passing *p, int of, int post, uint64_t *to)
{
    memcpy(to, payload_of(p, of, post), WINDOWS_WORDS * sizeof *to);
}

/* -- Parts: of each reader a size and behind it the part, the next rank's first (window_parts.h). */

static size_t share_of(const windows_passing *p, int owner, int reader)
{
    const int ranks = p->windows->size, share = (reader - owner - 1 + ranks) % ranks;
    return share == 0 ? 0 : TTI_NODE_WINDOW_BESIDE + (size_t)(share - 1) * WINDOWS_WORDS * 8;
}

static uint64_t part_bytes(const windows_passing *p)
{
    return p->index % 2 == 0 ? 8 : 4;
}

static uint64_t part_of(const windows_passing *p, int owner, int reader)
{
    return word_of(owner, p->index, 1, reader);
}

static void tell_size(unsigned char *size_at, uint64_t bytes)
{
    memcpy(size_at, &bytes, sizeof bytes);
}

static void put_part(unsigned char *part_at, const uint64_t *part, uint64_t bytes)
{
    memcpy(part_at, part, bytes);
}

static void put_parts(const windows_passing *p, int rank)
{
    for (int i = p->windows->size - 1; i > 0; i--) {
        const int reader = (rank + i) % p->windows->size;
        unsigned char *at = byte_of(p, rank, share_of(p, rank, reader));
        const uint64_t part = part_of(p, rank, reader);
        tell_size(at, part_bytes(p));
        put_part(at + 8, &part, part_bytes(p));
    }
}

static void take_part(const windows_passing *p, int of, uint64_t *got)
{
    const unsigned char *at = byte_of(p, of, share_of(p, of, p->windows->rank));
    uint64_t *size = &got[0], *part = &got[1];
    memcpy(size, at, sizeof *size);
    RUN_EXPECT(*size == part_bytes(p));
    memcpy(part, at + 8, *size);
}

void windows_put(const windows_passing *p, int rank, int post)
{
    if (p->use->kind == TTI_NODE_WINDOW_PARTS)
        put_parts(p, rank);
    else if (p->use->kind == TTI_NODE_WINDOW_TINY)
        put_tiny(p, rank, post);
    else
        put_payload(p, rank, post);
}

void windows_take(const windows_passing *p, int of, int post, uint64_t got[WINDOWS_WORDS])
{
    memset(got, 0, WINDOWS_WORDS * sizeof *got);
    if (p->use->kind == TTI_NODE_WINDOW_PARTS)
        take_part(p, of, got);
    else
        take_payload(p, of, post, got);
}

void windows_compare(const windows_passing *p, int of, int post, const uint64_t got[WINDOWS_WORDS])
{
    const bool parts = p->use->kind == TTI_NODE_WINDOW_PARTS;
    for (int i = 0; i < WINDOWS_WORDS && !parts; i++)
        RUN_EXPECT(got[i] == word_of(of, p->index, post, i));
    RUN_EXPECT(!parts || (got[0] == part_bytes(p) && got[1] == part_of(p, of, p->windows->rank)));
}
