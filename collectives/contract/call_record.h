/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call in the few numbers in which all ranks must agree: what ranks compare with each other, and
 * how they tell people about it. */
#ifndef TTI_CONTRACT_CALL_RECORD_H
#define TTI_CONTRACT_CALL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectives/contract/algorithm.h"
#include "collectives/contract/op.h"
#include "runtime/base/element.h"

enum tti_call_form { TTI_FORM_BLOCKING, TTI_FORM_NONBLOCKING, TTI_FORM_PERSISTENT };

/* Laid out without padding: it travels. */
typedef struct {
    uint64_t bytes; /* that each rank contributes, or the root sends; of all, where all know each one's */
    uint64_t parts; /* in a few bits, where parts differ and all ranks know them; else 0 */
    uint64_t type;  /* tutti_type of a reduction; else 0 */
    uint32_t root;  /* 0 where there is none */
    uint8_t collective, form;
    uint8_t op; /* number of the built-in operation, one of the user's below, or 0 */
    uint8_t
        function; /* that the program called, where this is but a part of it (tti_call_function()); else 0 */
} tti_call_record;

/* Operations of the user's have no number that ranks share; but all must know whether the operation commutes.
 */
#define TTI_CALL_USER_OP 0xff
#define TTI_CALL_USER_OP_ORDERED 0xfe

static inline uint8_t tti_call_op_number(const tutti_op *op)
{
    if (op == NULL) return 0;
    if (tti_element_is_builtin(op)) return (uint8_t)(uintptr_t)op;
    return tti_op_commutes(op) ? TTI_CALL_USER_OP : TTI_CALL_USER_OP_ORDERED;
}

/* All but the size in 16 bits. Different roots below 65536 of otherwise equal calls differ. */
static inline uint16_t tti_call_signature(const tti_call_record *record)
{
    const uint64_t kind =
        record->type * 0x9e37U + record->op * 0x85ebU + record->form * 0xc2b2U + record->parts;
    return (uint16_t)(record->root + kind + (kind >> 16));
}

tti_call_record tti_call_record_of(enum tti_collective collective, const tti_shape *shape, tutti_type type,
                                   const tutti_op *op, enum tti_call_form form);
/* Number of a function that all ranks call, "tutti_comm_dup" or a blocking collective; 0: of no other. */
uint8_t tti_call_function(const char *name);
bool tti_call_same(const tti_call_record *a, const tti_call_record *b);

/* Whether the ranks of a communicator of that size tell each other their calls first (TUTTI_VERIFY). */
bool tti_calls_are_compared(int size);

#define TTI_CALL_TEXT 192
/* "tutti_ireduce of 24 bytes (int64, sum) to root 3", of a part the function alone; returns `text`. */
const char *tti_call_text(const tti_call_record *record, char text[TTI_CALL_TEXT]);

#endif
