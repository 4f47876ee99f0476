/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/contract/call_record.h"

#include <stdio.h>
#include <string.h>

#include "collectives/contract/contract.h"
#include "runtime/base/options.h"

/* What is known to all of parts that differ. */
static void set_parts(tti_call_record *record, const tti_contract *contract, const tti_shape *shape)
{
    const tti_table *table = contract->sent == TTI_TABLE_OF_ALL ? &shape->send : &shape->recv;
    record->bytes = 0;
    if (!tti_contract_sized(contract)) return;
    record->bytes = tti_table_total(table, shape->size) * shape->element;
    record->parts = tti_table_hash(table, shape->size);
}

tti_call_record tti_call_record_of(enum tti_collective collective, const tti_shape *shape, tutti_type type,
                                   const tutti_op *op, enum tti_call_form form)
{
    tti_call_record record = {.bytes = tti_shape_bytes(shape),
                              .type = op != NULL ? type : 0,
                              .root = (uint32_t)shape->root,
                              .collective = (uint8_t)collective,
                              .form = (uint8_t)form,
                              .op = tti_call_op_number(op)};
    if (shape->parted) set_parts(&record, tti_collective_describe(collective), shape);
    return record;
}

/* Calls of all ranks that are no collectives. Numbers of functions are those of collectives, from 1, and then
 * these. */
static const char *const others[] = {
    "comm_create",  "comm_dup",        "comm_graph", "comm_grid",     "comm_split",
    "comm_stencil", "comm_split_node", "grid_part",  "window_create", "window_free",
    "keep",         "ikeep",           "recall"};
#define FUNCTIONS (TTI_COLLECTIVES + (int)(sizeof others / sizeof others[0]))
_Static_assert(FUNCTIONS < 256, "a record has eight bits for the function");

static const char *name_of(int function)
{
    return function <= TTI_COLLECTIVES ? tti_collective_describe((enum tti_collective)(function - 1))->name
                                       : others[function - TTI_COLLECTIVES - 1];
}

uint8_t tti_call_function(const char *name)
{
    int function = FUNCTIONS;
    while (function > 0 && strcmp(name + strlen("tutti_"), name_of(function)) != 0)
        function--;
    return (uint8_t)function;
}

bool tti_calls_are_compared(int size)
{
    return tti_option_value(TTI_OPTION_VERIFY) != 0 && size > 1;
}

bool tti_call_same(const tti_call_record *a, const tti_call_record *b)
{
    return a->bytes == b->bytes && a->parts == b->parts && a->type == b->type && a->root == b->root &&
           a->collective == b->collective && a->form == b->form && a->op == b->op &&
           a->function == b->function;
}

static const char *op_name(uint8_t op)
{
    if (op == TTI_CALL_USER_OP) return "user operation";
    if (op == TTI_CALL_USER_OP_ORDERED) return "user operation that does not commute";
    return tti_element_op_name((const tutti_op *)(uintptr_t)op);
}

static const char *text_of_collective(const tti_call_record *record, char text[TTI_CALL_TEXT])
{
    const tti_contract *contract = record->collective < TTI_COLLECTIVES
                                       ? tti_collective_describe((enum tti_collective)record->collective)
                                       : NULL;
    char size[64] = "", kind[64] = "", root[32] = "";
    if (contract == NULL || tti_contract_sized(contract))
        snprintf(size, sizeof size, " of %llu bytes", (unsigned long long)record->bytes);
    if (record->parts != 0)
        snprintf(size, sizeof size, " of %llu bytes in parts numbered %04x",
                 (unsigned long long)record->bytes, (unsigned)(record->parts & 0xffff));
    if (record->op != 0)
        snprintf(kind, sizeof kind, " (%s, %s)", tti_element_type_name(record->type), op_name(record->op));
    if (contract != NULL && contract->rooted) snprintf(root, sizeof root, ", root %u", record->root);
    snprintf(text, TTI_CALL_TEXT, "tutti_%s%s%s%s%s%s", record->form == TTI_FORM_NONBLOCKING ? "i" : "",
             contract != NULL ? contract->name : "?", record->form == TTI_FORM_PERSISTENT ? "_init" : "",
             size, kind, root);
    return text;
}

const char *tti_call_text(const tti_call_record *record, char text[TTI_CALL_TEXT])
{
    const int function = record->function;
    if (function == 0) return text_of_collective(record, text);
    snprintf(text, TTI_CALL_TEXT, "tutti_%s", function <= FUNCTIONS ? name_of(function) : "?");
    return text;
}
