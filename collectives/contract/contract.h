/* SPDX-License-Identifier: BSD-3-Clause */
/* What a collective is: one row each, in its folder's <name>.c. What all the rest needs to know of it follows
 * from the row: the sizes of buffers, the checks of arguments, what the checker starts from and proves, rules
 * and defaults, the three public forms (forms.h), how errors and tutti-info speak of it. */
#ifndef TTI_CONTRACT_H
#define TTI_CONTRACT_H

#include "collectives/contract/algorithm.h"
#include "collectives/contract/contents.h"
#include "collectives/contract/defaults.h"
#include "runtime/machine/crossings.h"
#include "tutti/types.h"

struct tti_call;

/* Where parts differ from rank to rank: who knows a table of a buffer that has a part for each. */
enum tti_knows {
    TTI_NO_TABLE,      /* the buffer has one part, or parts do not differ */
    TTI_TABLE_OF_ALL,  /* every rank knows the same counts */
    TTI_TABLE_OF_ROOT, /* the root, which alone has the buffer; the others know their own part */
    TTI_TABLE_OF_EACH  /* every rank has counts of its own */
};

/* What a caller gives, whichever of it the collective takes; the rest is zero. */
typedef struct {
    tutti_comm *comm;
    const void *send; /* or TUTTI_IN_PLACE */
    void *recv;       /* the only buffer, where the collective has but one */
    size_t count;     /* elements; bytes where the collective moves bytes */
    tutti_type type;
    tutti_op *op;
    int root;
    tti_table sent, received;
} tti_arguments;

typedef struct {
    enum tti_collective number;
    const char *name; /* "allreduce" */
    bool counted;     /* has a count; without it there is no data */
    bool sends; /* has a buffer to send from, for which TUTTI_IN_PLACE may stand where there is an OUTPUT */
    bool keeps; /* TUTTI_IN_PLACE stands for the buffer to receive in: what is the caller's own stays in that
                   to send from, which is then its OUTPUT, and not written */
    bool reduces;                  /* has a type and an operation; without them it moves bytes */
    bool typed;                    /* has a type */
    bool rooted;                   /* has a root */
    bool neighbours;               /* exchanges with the neighbours that the communicator carries, never in
                                      place; of tables each rank has one of its own for them */
    bool meets;                    /* no rank ends before each has begun, even where there is no data */
    enum tti_knows sent, received; /* of the buffers to send from and to receive in */
    tti_contents_fn *before;       /* each rank's contribution, before it begins */
    tti_contents_fn *after;        /* what is in its OUTPUT at the end */
    const tti_algorithm *algorithms;
    int count; /* of them */
    const tti_default_row *defaults;
    enum tti_crossing_collective crossing; /* by which of the kernel's copies between two ranks is judged */
    /* Checks a caller's arguments and fills in *call; `function` is what the caller called. 0 or an error
     * with its detail. Under no lock. */
    int (*check)(struct tti_call *call, const char *function, const tti_arguments *arguments);
} tti_contract;

#define COLLECTIVE(NAME, name, ...) extern const tti_contract tti_contract_##name;
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE

/* The two fields of an array of algorithms. */
#define TTI_ALGORITHMS(array) .algorithms = (array), .count = (int)(sizeof(array) / sizeof((array)[0]))

/* By number. */
extern const tti_contract *const tti_contracts[TTI_COLLECTIVES];
static inline const tti_contract *tti_collective_describe(enum tti_collective collective)
{
    return tti_contracts[collective];
}

/* Whether a rank of this shape has a choice to be in place: both a contribution and an OUTPUT, then. */
TTI_CONTENTS bool tti_contract_in_place(const tti_contract *contract, const tti_shape *shape)
{
    tti_content any;
    tti_shape there = *shape;
    there.in_place = true;
    return contract->sends && !contract->neighbours && contract->before(&there, 0, &any) > 0 &&
           contract->after(&there, 0, &any) > 0;
}
/* Whether parts differ; and whether the size that all ranks know says anything of the data. */
static inline bool tti_contract_parted(const tti_contract *contract)
{
    return contract->sent != TTI_NO_TABLE || contract->received != TTI_NO_TABLE;
}
static inline bool tti_contract_sized(const tti_contract *contract)
{
    return contract->counted && contract->sent <= TTI_TABLE_OF_ALL && contract->received <= TTI_TABLE_OF_ALL;
}

/* Bytes of INPUT and OUTPUT that a call of this shape has at shape->rank. */
TTI_CONTENTS size_t tti_contract_end(const tti_contract *contract, tti_contents_fn *contents,
                                     const tti_shape *shape, enum tti_space space)
{
    return tti_contract_parted(contract) || contract->neighbours
               ? tti_contents_furthest(contents, shape, space)
               : tti_contents_end(contents, shape, space);
}
TTI_CONTENTS size_t tti_contract_input(const tti_contract *contract, const tti_shape *shape)
{
    return tti_contract_end(contract, contract->before, shape, TTI_INPUT);
}
TTI_CONTENTS size_t tti_contract_output(const tti_contract *contract, const tti_shape *shape)
{
    const size_t before = tti_contract_end(contract, contract->before, shape, TTI_OUTPUT);
    const size_t after = tti_contract_end(contract, contract->after, shape, TTI_OUTPUT);
    return before > after ? before : after;
}

#endif
