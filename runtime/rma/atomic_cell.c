/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/rma/atomic_cell.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/element.h"

size_t tti_rma_alignment_of(tutti_type type)
{
    switch (type) {
    case TUTTI_LONG_DOUBLE: return _Alignof(long double);
    case TUTTI_FLOAT_COMPLEX:
    case TUTTI_FLOAT_INT:
    case TUTTI_INT32_INT: return 4;
    case TUTTI_DOUBLE_COMPLEX:
    case TUTTI_DOUBLE_INT:
    case TUTTI_INT64_INT: return 8;
    default: return (type & 0xff) == 0xff ? 1 : tti_element_bytes(type);
    }
}

bool tti_rma_admits(tutti_type type, const tutti_op *op, uint64_t offset)
{
    const size_t bytes = tti_element_bytes(type);
    if (bytes == 0 || bytes > TTI_RMA_ELEMENT_MAX || offset % tti_rma_alignment_of(type) != 0) return false;
    return op == TUTTI_REPLACE || op == TUTTI_NO_OP || tti_element_combines(type, op);
}

bool tti_rma_is_native(size_t bytes, uint64_t address)
{
    const bool sized = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    return sized && address % bytes == 0;
}

static uint64_t load(const void *cell, size_t bytes)
{
    switch (bytes) {
    case 1: return atomic_load((const _Atomic uint8_t *)cell);
    case 2: return atomic_load((const _Atomic uint16_t *)cell);
    case 4: return atomic_load((const _Atomic uint32_t *)cell);
    default: return atomic_load((const _Atomic uint64_t *)cell);
    }
}

#define SWAP_CASE(type)                                                                                      \
    {                                                                                                        \
        type seen = (type)*expected;                                                                         \
        const bool done = atomic_compare_exchange_strong((_Atomic type *)cell, &seen, (type)desired);        \
        *expected = seen;                                                                                    \
        return done;                                                                                         \
    }

static bool swap(void *cell, uint64_t *expected, uint64_t desired, size_t bytes)
{
    switch (bytes) {
    case 1: SWAP_CASE(uint8_t)
    case 2: SWAP_CASE(uint16_t)
    case 4: SWAP_CASE(uint32_t)
    default: SWAP_CASE(uint64_t)
    }
}

/* Values live in the low bytes of a uint64_t as a number, in memory in the machine's order. */
static uint64_t widen(const void *value, size_t bytes)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1: return memcpy(&one, value, 1), one;
    case 2: return memcpy(&two, value, 2), two;
    case 4: return memcpy(&four, value, 4), four;
    default: return memcpy(&eight, value, 8), eight;
    }
}

static void narrow(uint64_t wide, void *value, size_t bytes)
{
    const uint8_t one = (uint8_t)wide;
    const uint16_t two = (uint16_t)wide;
    const uint32_t four = (uint32_t)wide;
    const void *from = bytes == 1   ? (const void *)&one
                       : bytes == 2 ? &two
                       : bytes == 4 ? (const void *)&four
                                    : &wide;
    memcpy(value, from, bytes);
}

/* value = operand op value. */
static void combine(void *value, const void *operand, size_t bytes, tutti_type type, const tutti_op *op)
{
    if (op == TUTTI_NO_OP) return;
    if (op == TUTTI_REPLACE)
        memcpy(value, operand, bytes);
    else
        tti_element_reduce(operand, value, 1, type, op);
}

static uint64_t combine_native(void *cell, const void *operand, size_t bytes, tutti_type type,
                               const tutti_op *op)
{
    /* The one that matters most, without a loop: counters. */
    if (op == TUTTI_SUM && (type == TUTTI_INT64 || type == TUTTI_UINT64))
        return atomic_fetch_add((_Atomic uint64_t *)cell, widen(operand, 8));
    uint64_t seen = load(cell, bytes), wanted;
    if (op == TUTTI_NO_OP) return seen;
    do {
        unsigned char value[8];
        narrow(seen, value, bytes);
        combine(value, operand, bytes, type, op);
        wanted = widen(value, bytes);
    } while (!swap(cell, &seen, wanted, bytes));
    return seen;
}

void tti_rma_cell_combine(void *cell, const void *operand, void *old, size_t bytes, tutti_type type,
                          const tutti_op *op)
{
    if (tti_rma_is_native(bytes, (uintptr_t)cell)) {
        const uint64_t seen = combine_native(cell, operand, bytes, type, op);
        if (old != NULL) narrow(seen, old, bytes);
        return;
    }
    unsigned char before[TTI_RMA_ELEMENT_MAX];
    if (old != NULL) memcpy(before, cell, bytes);
    combine(cell, operand, bytes, type, op);
    if (old != NULL) memcpy(old, before, bytes);
}

void tti_rma_cells_combine(void *cells, const void *operands, size_t count, tutti_type type,
                           const tutti_op *op)
{
    const size_t bytes = tti_element_bytes(type);
    if (op == TUTTI_NO_OP) return;
    for (size_t i = 0; i < count; i++)
        tti_rma_cell_combine((char *)cells + i * bytes, (const char *)operands + i * bytes, NULL, bytes, type,
                             op);
}

void tti_rma_cell_swap(void *cell, const void *compare, const void *desired, void *old, size_t bytes)
{
    if (tti_rma_is_native(bytes, (uintptr_t)cell)) {
        uint64_t seen = widen(compare, bytes);
        swap(cell, &seen, widen(desired, bytes), bytes);
        narrow(seen, old, bytes);
        return;
    }
    memcpy(old, cell, bytes);
    if (memcmp(old, compare, bytes) == 0) memcpy(cell, desired, bytes);
}
