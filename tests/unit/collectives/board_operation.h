/* SPDX-License-Identifier: BSD-3-Clause */
/* A random operation on a board: what each rank brings, what it must get. The same at every rank that draws
 * it from the same state. */
#ifndef TESTS_UNIT_BOARD_OPERATION_H
#define TESTS_UNIT_BOARD_OPERATION_H

#include "tests/unit/collectives/board_ranks.h"

typedef struct {
    tutti_type type;
    tutti_op *op;
    size_t element;
    void (*fill)(unsigned char *element, uint64_t random);
} reducer;

typedef struct {
    enum tti_collective kind;
    size_t small; /* bytes that go by a cell */
    int root;
    const reducer *by;
    size_t count;      /* elements; of bcast and allgather they are bytes */
    int odd;           /* rank that calls otherwise, or -1: with */
    size_t odd_count;  /* so many elements, */
    int odd_root;      /* this root, */
    bool odd_kind;     /* or an allgather in the place of an allreduce, or the other way round */
    uint64_t seed;     /* of what the ranks bring */
    uint64_t in_place; /* bit set of ranks, where the operation has that */
} operation;

/* Before and after all drawing. */
void open_reducers(void);
void close_reducers(void);

/* `small` bytes go by a cell. */
operation draw_operation(uint64_t *random, const tti_board_shape *shape, size_t small);

/* What the rank calls. */
enum tti_collective own_kind(const operation *o, int rank);
int own_root(const operation *o, int rank);
size_t own_bytes(const operation *o, int rank);
/* What the rank brings, `bytes` of it. */
void contribute(const operation *o, int rank, unsigned char *to, size_t bytes);
/* What the rank must get where nobody is odd, or its root is as odd as itself; returns its bytes (0: nothing
 * is written). */
size_t expected_result(const operation *o, int rank, int ranks, unsigned char *to);
/* Whether the call may return `code` (node_collectives.h has the promise). */
bool is_expected(int code, const operation *o, int rank);

#endif
