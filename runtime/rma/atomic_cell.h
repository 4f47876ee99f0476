/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic combination of one element in memory.
 *
 * An element is native if it is 1, 2, 4 or 8 bytes long and aligned to that: whoever maps it, in any process,
 * combines it by C11 atomics. Any other element is combined by the process that owns it alone, under its
 * lock. Which of the two depends on size and address, so that all who reach one element go the same way. */
#ifndef TTI_RMA_ATOMIC_CELL_H
#define TTI_RMA_ATOMIC_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tutti/types.h"

/* Largest element of an atomic operation, in bytes (opaque ones can be replaced). */
#define TTI_RMA_ELEMENT_MAX 1024

/* Alignment of an element as C lays it out; 0 for an unknown type. */
size_t tti_rma_alignment_of(tutti_type type);
/* What a request from afar may ask for: `op`, or TUTTI_REPLACE or TUTTI_NO_OP, on an element of `type` at
 * `offset` of a window. All three may be any bits. */
bool tti_rma_admits(tutti_type type, const tutti_op *op, uint64_t offset);
bool tti_rma_is_native(size_t bytes, uint64_t address);

/* *old = *cell; *cell = *operand op *cell. `old` may be NULL, or the operand; this is not read for
 * TUTTI_NO_OP. Buffers of the caller need no alignment. Of a cell that is not native: by its owner, under the
 * lock. */
void tti_rma_cell_combine(void *cell, const void *operand, void *old, size_t bytes, tutti_type type,
                          const tutti_op *op);
/* The same for `count` elements without results. */
void tti_rma_cells_combine(void *cells, const void *operands, size_t count, tutti_type type,
                           const tutti_op *op);
/* *old = *cell; if that is *compare, *cell = *desired. */
void tti_rma_cell_swap(void *cell, const void *compare, const void *desired, void *old, size_t bytes);

#endif
