/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm executes a call: the user's rules (TUTTI_ALLREDUCE and its like), else the default table.
 */
#ifndef TTI_SELECT_H
#define TTI_SELECT_H

#include "collectives/select/choice.h"
#include "tutti/info.h"

/* Reads the rules of all collectives from the options. TUTTI_ERR_OPTION with a detail that names the place.
 * Before it, and after tti_select_close(), the default table alone holds. */
int tti_select_open(void);
void tti_select_close(void);

/* What the choice depends on; the same at every rank. */
typedef struct {
    int size;       /* ranks */
    size_t bytes;   /* per rank */
    bool commutes;  /* the operation does */
    bool by_node;   /* there are several nodes, and some have several of the ranks */
    bool window;    /* all share memory */
    bool crowded;   /* all share memory, and are known to share processors */
    bool groups;    /* all share memory, and are known to be nearer to some than to others */
    bool reach;     /* all share memory, and can read in each other's buffers at little cost */
    bool both;      /* there are two ranks, and so many bytes that both should copy */
    bool offsets;   /* the neighbours are given by offsets */
    bool stencil;   /* the neighbours are given by offsets whose parts can share messages */
    bool twice;     /* they share processors, and a copy in and one out take less than the kernel's one */
    bool once;      /* the kernel's copy takes less than a copy in and one out, but for a few KiB */
    size_t message; /* a longer part that is read once had better be a message; 0: no part */
} tti_question;

tti_choice tti_select(enum tti_collective collective, const tti_question *question);
/* The same, and writes the reason into `why`. */
tti_choice tti_select_explain(enum tti_collective collective, const tti_question *question, char *why,
                              size_t room);

/* The next size beyond `bytes` from which on the choice may be another one: where a rule begins or ends, or a
 * row of the default table does. SIZE_MAX: none. */
size_t tti_select_next(enum tti_collective collective, size_t bytes);

/* What would be chosen for each collective, layout of `ranks` ranks on nodes and size, by the rules as
 * read. Returns 0. */
int tti_select_tell(int ranks, tutti_info_fn *tell, void *context);

#endif
