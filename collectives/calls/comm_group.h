/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ways to make a communicator share. A rank whose own arguments are wrong takes part all the same,
 * as one without a group, so that the others do not wait for it. */
#ifndef TTI_CALLS_COMM_GROUP_H
#define TTI_CALLS_COMM_GROUP_H

#include "runtime/comm/comm.h"

/* The group of the new communicator, of which the caller is one, or nothing; and what it is to carry. All is
 * owned. */
typedef struct {
    int *members; /* job ranks */
    int size, rank;
    tti_neighbours *neighbours;
    tti_grid *grid;
} tti_group;

/* Of a public function: the library is open, there are a communicator and an output, and all ranks make this
 * call (TUTTI_VERIFY): those inside of it are not compared any more. Not under the lock. */
int tti_group_begin(const char *name, tutti_comm *comm, tutti_comm **made);
/* Room for `count` ranks; NULL, with the error's detail, if memory is out. */
int *tti_group_list(const char *name, int count);
/* All ranks of `comm`, in their order. */
int tti_group_of_all(const char *name, const tutti_comm *comm, tti_group *group);
/* The group is on a grid, of so many places; with neighbours by offsets, or NULL: beside each other. */
int tti_group_on_grid(const char *name, const tti_grid *grid, const tti_stencil *stencil, tti_group *group);

/* What each rank says, `bytes` at `mine`: of all, by rank; the caller frees it. NULL on an error, *code;
 * others are told of a rank that cannot take part. Under the lock. */
void *tti_group_tell_all(const char *name, tutti_comm *comm, const void *mine, size_t bytes, int *code);
/* Agrees on a context and makes the communicator; takes over what the group owns. `wrong`: the error of a
 * rank that takes part only for the others. Under the lock. */
int tti_group_make(const char *name, tutti_comm *comm, tti_group *group, int wrong, tutti_comm **made);

#endif
