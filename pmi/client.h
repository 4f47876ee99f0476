/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of pmi/ share: the connection to the launcher and the facts of the job. Written by
 * tti_pmi_open() and tti_pmi_close() alone, constant between them, hence read without a lock. */
#ifndef TTI_PMI_CLIENT_H
#define TTI_PMI_CLIENT_H

#include <pmix.h>

#include "pmi/pmi.h"

/* Answers with a value that is the caller's (PMIX_VALUE_FREE), or NULL. */
typedef pmix_value_t *tti_pmi_fact_fn(pmix_rank_t rank, const char *key);

typedef struct {
    bool open;
    bool attached;         /* to a PMIx server; else a job of one */
    bool seated;           /* if attached: this process is its rank, and no other is */
    pmix_proc_t me;        /* if attached */
    pmix_proc_t server;    /* that serves this process; its namespace is "" where PMIx does not tell */
    tti_pmi_fact_fn *fact; /* asks the launcher; tests have recorded answers */
    tti_job job;           /* what tti_pmi_open() hands out */
    int *local_ranks;      /* job.local_ranks, owned */
    int *allies;           /* job.allies, owned */
} tti_pmi_client;

extern tti_pmi_client tti_pmi_self;

/* The process of `rank` as PMIx names it; PMIX_RANK_WILDCARD for the job. */
pmix_proc_t tti_pmi_process(pmix_rank_t rank);

/* facts.c: a fact that the launcher gave at start; never asks another process. NULL if it did not. */
pmix_value_t *tti_pmi_fact_ask(pmix_rank_t rank, const char *key);
/* The same by type, from tti_pmi_self.fact. False if there is none of this type. */
bool tti_pmi_fact_number(pmix_rank_t rank, const char *key, uint32_t *number);
/* As above; *text is the caller's to free(). */
bool tti_pmi_fact_text(pmix_rank_t rank, const char *key, char **text);

/* launcher.c: is a PMIx server announced in the environment? Negative TUTTI_ERR_LAUNCH where the environment
 * shows a launcher of several ranks without PMIx, else 0 and *announced. */
int tti_pmi_launcher_find(bool *announced);
/* launcher.c: name for people of the launcher we are attached to. */
const char *tti_pmi_launcher_name(void);
/* launcher.c: are we attached to a tuttirun? */
bool tti_pmi_launcher_is_tuttirun(void);
/* launcher.c: job.needs_fence, job.leaves_together. */
bool tti_pmi_launcher_needs_fence(void);
bool tti_pmi_launcher_leaves_together(void);

/* place.c: fills job.rank, size and what is known of this node, for tti_pmi_self.me. */
int tti_pmi_place_read(void);

/* nodes.c: fills job.node and job.nodes; frees the map. */
int tti_pmi_nodes_open(void);
void tti_pmi_nodes_close(void);

/* events.c: from now on `failed` hears of dying peers. */
int tti_pmi_events_open(tti_pmi_failure_fn *failed, void *context);
void tti_pmi_events_close(void);
/* Has the launcher said that this rank died? Any rank at all that counts, if negative. */
bool tti_pmi_events_failed(int rank);
/* Has the launcher itself gone? */
bool tti_pmi_events_orphaned(void);

/* orphan.c: on PMIx's thread, when the launcher is gone: says so and asks this process to end, which has a
 * second for that. Comes back, but where no thread can be had for the second. */
void tti_pmi_orphan_end(void);

/* leave.c: tells tuttirun by which of the two words (runtime/base/claim_wire.h) this process leaves the job,
 * in order (TTI_CLAIM_LEAVE) or as it could not take part (TTI_CLAIM_FAILED), and waits until that is heard,
 * tuttirun is gone or ten seconds are over; nothing under other launchers. Before tti_pmi_events_close(). */
void tti_pmi_take_leave(const char *word);

/* seat.c: this process becomes its rank, unless another one has. */
int tti_pmi_take_seat(void);
/* seat.c: this process has been the rank of a job of several before, and cannot be that again, since the
 * others may know it by what it published then. Its own process id in the seat does not show that: processes
 * of two containers may have the same one. */
bool tti_pmi_has_had_seat(void);

/* exchange.c: begins a fence of the world's ranks. */
pmix_status_t tti_pmi_fence_begin(const pmix_info_t *directives, size_t count, pmix_op_cbfunc_t done,
                                  void *context);
/* exchange.c: 0 if a record may have the key. */
int tti_pmi_check_key(const char *key);

/* singleton.c: the records of a job of one. */
int tti_pmi_singleton_put(const char *key, const void *value, size_t bytes);
int tti_pmi_singleton_get(const char *key, void *value, size_t *bytes);
void tti_pmi_singleton_close(void);

#endif
