/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the other process: puts and fetch-and-add, by the provider's calls, and by messages that its
 * owner acts on. */
#include <rdma/fi_atomic.h>
#include <rdma/fi_rma.h>
#include <stdint.h>
#include <string.h>

#include "ways.h"

#define FLUSHED 32
#define FLUSHES 1000
#define ADDS 3000

typedef struct {
    uint64_t address, key;
} place;

/* Where the other's memory for remote access is. */
static place exchange(concept_side *side)
{
    unsigned char *memory = side->memory + (size_t)ROOM * 2 * DEPTH;
    const bool absolute = (side->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
    const place mine = {absolute ? (uintptr_t)memory : (uintptr_t)(memory - side->memory),
                        fi_mr_key(side->region)};
    place theirs;
    side_swap(side, &mine, &theirs, sizeof mine);
    return theirs;
}

static void put(concept_side *side, place there, int number)
{
    const struct iovec piece = {side->sends[number].buffer, side->asked.bytes};
    const struct fi_rma_iov at = {there.address + (uint64_t)number * side->asked.bytes, side->asked.bytes,
                                  there.key};
    const struct fi_msg_rma message = {.msg_iov = &piece,
                                       .desc = &side->descriptor,
                                       .iov_count = 1,
                                       .addr = side->peer,
                                       .rma_iov = &at,
                                       .rma_iov_count = 1,
                                       .context = &side->sends[number]};
    const uint64_t flags = FI_DELIVERY_COMPLETE | (side->asked.way == 0 ? FI_COMPLETION : 0);
    ssize_t result;
    while ((result = fi_writemsg(side->endpoint, &message, flags)) == -FI_EAGAIN)
        side_progress(side);
    if (result != 0) die("fi_writemsg", result);
    if (side->asked.way == 0) side->sent++;
}

static void flush_writes(concept_side *side, place there, uint64_t done)
{
    for (int i = 0; i < FLUSHED; i++)
        put(side, there, i);
    if (side->asked.way == 0)
        side_wait_sent(side);
    else
        while (fi_cntr_read(side->counter) < done + FLUSHED)
            side_progress(side);
}

static void flush_messages(concept_side *side, uint64_t done)
{
    for (int i = 0; i < FLUSHED; i++)
        side_send(side, side->asked.bytes);
    side_wait_received(side, done / FLUSHED + 1);
}

static double put_and_flush(concept_side *side)
{
    double start = 0;
    const place there = exchange(side);
    side_post_receives(side);
    for (uint64_t i = 0; i < 2 * FLUSHES; i++) {
        if (i == FLUSHES) start = now_us();
        if (side->asked.way == 2)
            flush_messages(side, i * FLUSHED);
        else
            flush_writes(side, there, i * FLUSHED);
    }
    return (now_us() - start) / FLUSHES;
}

/* The owner makes progress, and copies where puts are messages. */
static void be_put_into(concept_side *side)
{
    unsigned char *memory = side->memory + (size_t)ROOM * 2 * DEPTH;
    exchange(side);
    side_post_receives(side);
    for (uint64_t copied = 0; !side_is_called(side);) {
        for (int i = 0; i < 64; i++)
            side_progress(side);
        if (side->asked.way != 2) continue;
        for (; copied < side->received; copied++)
            memcpy(memory, side->receives[copied % DEPTH].buffer, side->asked.bytes);
        while (side->sent < copied / FLUSHED)
            side_send(side, 1);
    }
}

double way_flush(const concept_settings *asked)
{
    return pair_run(asked, put_and_flush, be_put_into);
}

static void add(concept_side *side, place there)
{
    uint64_t *operand = (uint64_t *)(void *)side->sends[0].buffer;
    *operand = 1;
    const struct fi_ioc piece = {operand, 1};
    const struct fi_rma_ioc at = {there.address, 1, there.key};
    struct fi_ioc result = {side->sends[1].buffer, 1};
    const struct fi_msg_atomic message = {.msg_iov = &piece,
                                          .desc = &side->descriptor,
                                          .iov_count = 1,
                                          .addr = side->peer,
                                          .rma_iov = &at,
                                          .rma_iov_count = 1,
                                          .datatype = FI_UINT64,
                                          .op = FI_SUM,
                                          .context = &side->sends[0]};
    ssize_t code;
    while ((code = fi_fetch_atomicmsg(side->endpoint, &message, &result, &side->descriptor, 1,
                                      FI_COMPLETION)) == -FI_EAGAIN)
        side_progress(side);
    if (code != 0) die("fi_fetch_atomicmsg", code);
    side->sent++;
    side_wait_sent(side);
}

static double add_often(concept_side *side)
{
    double start = 0;
    const place there = exchange(side);
    side_post_receives(side);
    for (uint64_t i = 0; i < 2 * ADDS; i++) {
        if (i == ADDS) start = now_us();
        if (side->asked.way == 0) {
            add(side, there);
        } else {
            side_send(side, sizeof(uint64_t));
            side_wait_received(side, i + 1);
        }
    }
    return (now_us() - start) / ADDS;
}

static void be_added_to(concept_side *side)
{
    uint64_t *memory = (uint64_t *)(void *)(side->memory + (size_t)ROOM * 2 * DEPTH);
    exchange(side);
    side_post_receives(side);
    while (!side_is_called(side)) {
        for (int i = 0; i < 64; i++) {
            side_progress(side);
            while (side->asked.way == 1 && side->sent < side->received) {
                ++*memory;
                side_send(side, sizeof(uint64_t));
            }
        }
    }
}

double way_add(const concept_settings *asked)
{
    return pair_run(asked, add_often, be_added_to);
}
