/* SPDX-License-Identifier: BSD-3-Clause */
/* Bootstrap: who am I, who else is there and where, and an exchange of small records, over the launcher's
 * PMIx; a job of one where there is no launcher. Nothing above knows PMIx. One job per process. */
#ifndef TTI_PMI_H
#define TTI_PMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The job as this process sees it; valid and constant from tti_pmi_open() to tti_pmi_close(). */
typedef struct {
    int rank, size;  /* in the job */
    int reserve;     /* the last so many of `size` are none of the world's ranks, but processes that may
                        take the places of dead ones (tuttirun's --spares and --respawn); most of them may
                        not run */
    int node, nodes; /* index of this rank's node, and their number */
    int local_index; /* place of this rank in local_ranks */
    int local_size;  /* ranks on this node, this one and those in reserve included */
    const int *local_ranks; /* their job ranks, ascending */
    const int *allies; /* of a process in reserve that has been called: who lived of those that need it, and
                          behind them who of the job has died */
    int allies_count;  /* how many of `allies` lived */
    int allies_dead;   /* how many of `allies` have died */
    char name[256];    /* unique name of the job (PMIx namespace); "" for a job of one */
    const char *launcher; /* for people: "tuttirun", "mpirun", "srun", "pmix", "none" */
    /* The launcher loses requests for records of ranks on other nodes, or holds them up for seconds: get them
     * only after a fence that collects. Open MPI's mpirun, prterun. */
    bool needs_fence;
    /* The launcher may lose the connection of a rank that joins while others leave: none leaves before all
     * have come to the end. prterun. */
    bool leaves_together;
} tti_job;

/* Ranks that the world has; and those of them that are on this node. */
static inline int tti_job_world(const tti_job *job)
{
    return job->size - job->reserve;
}
static inline int tti_job_local_world(const tti_job *job)
{
    int count = job->local_size;
    while (count > 0 && job->local_ranks[count - 1] >= tti_job_world(job))
        count--;
    return count;
}

/* Called on a thread of PMIx's own, once per rank that died or was aborted; it may only set flags and wake.
 */
typedef void tti_pmi_failure_fn(int rank, void *context);

/* Joins the job. `failed` is called for each peer that dies from now on. Returns TUTTI_ERR_LAUNCH where a
 * launcher is visible in the environment but its PMIx cannot be reached, and where another process has joined
 * as this rank; TUTTI_ERR_STATE where this one has joined a job of several before. *job points to static
 * memory. */
int tti_pmi_open(tti_pmi_failure_fn *failed, void *context, const tti_job **job);

/* launcher.c: the error that another process is, or was, the rank that this one would be. */
int tti_pmi_fail_taken(int rank, pid_t by);

/* Leaves the job: no fence beyond PMIx's own. */
void tti_pmi_close(void);
/* The same where tutti_init() has failed: tuttirun hears that others wait for this rank in vain. */
void tti_pmi_give_up(void);

/* Index (0 … nodes-1) of the node on which `rank` runs; negative TUTTI_ERR_* if the launcher cannot tell. */
int tti_pmi_node_of(int rank);

/* Publishes `bytes` (at most 4096) under `key` for the other ranks; local only: nothing is waited for. */
int tti_pmi_put(const char *key, const void *value, size_t bytes);

/* Fetches what `rank` published under `key`, waiting for it at most `timeout_ns`. *bytes is in: room, out:
 * size. TUTTI_ERR_TIMEOUT if it never came, TUTTI_ERR_PEER_FAILED if the rank died, TUTTI_ERR_LIMIT if it is
 * larger. */
int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns);

/* The same without waiting: ask (0 and *question, or an error), then look for the answer until that is not
 * TTI_PMI_NOT_YET; the question is gone then. Or forget it. */
#define TTI_PMI_NOT_YET 1
typedef struct tti_pmi_question tti_pmi_question;
int tti_pmi_ask(int rank, const char *key, int64_t timeout_ns, tti_pmi_question **question);
int tti_pmi_answer(tti_pmi_question *question, void *value, size_t *bytes);
void tti_pmi_forget(tti_pmi_question *question);

/* Waits for all ranks; with `collect` everything published so far is at hand locally afterwards. */
int tti_pmi_fence(bool collect);

/* A fence that is not waited in: begin (0; or TTI_PMI_FAREWELL_OVER where there is nobody to wait for, or an
 * error: then neither of the others is called), test until it says true (all have begun it, or somebody died
 * or the launcher is gone, so that it will not end), end. `notify` is called on a thread of PMIx's own when
 * testing may pay. */
#define TTI_PMI_FAREWELL_OVER 1
int tti_pmi_farewell_begin(void (*notify)(void));
bool tti_pmi_farewell_test(void);
void tti_pmi_farewell_end(void);

/* -- claims.c: processes that take the places of dead ranks -- */
/* In such a one: sleeps until it is needed, and sets the job's `allies`. The launcher ends it if it never is.
 * TUTTI_ERR_LAUNCH. */
int tti_pmi_await_call(void);
/* Asks the launcher for processes in the places of those of `members` (of the job) of which lost() is true,
 * for a communicator of this context; all who ask for that get the same. `instead`: the context of a claim
 * that came to nothing, or 0. `notify` is called on a thread of PMIx's own when testing may pay. One at a
 * time. */
typedef struct {
    uint64_t context, instead;
    const int *members;
    int count;
    bool (*is_lost)(const void *of, int rank);
    const void *of;
} tti_pmi_claim;
int tti_pmi_check_reserve(const char *call); /* 0, or TUTTI_ERR_UNSUPPORTED: there are none */
int tti_pmi_claim_begin(const tti_pmi_claim *claim, void (*notify)(void));
/* TTI_PMI_NOT_YET, an error, TUTTI_ERR_LIMIT if there are not enough processes, or 0 and the members as they
 * are to be, with `count` of them, and the ranks of the job that are known to be dead behind them, `dead` of
 * them; the caller frees *members. Ends the claim, but for TTI_PMI_NOT_YET. */
int tti_pmi_claim_test(int **members, int *count, int *dead);
/* The claim of that context came to nothing for all who made it: its processes are free for other claims.
 * Each of them says so, since others may die before they do. In turn with claims. 0, or TUTTI_ERR_LAUNCH,
 * without a detail: it cannot be said. */
int tti_pmi_return_begin(uint64_t context, void (*notify)(void));
/* TTI_PMI_NOT_YET, or 0: the launcher has heard it, or will not any more. */
int tti_pmi_return_test(void);
/* The answer that others had: as above, waits for it. */
int tti_pmi_claim_recall(uint64_t context, int **members, int *count, int *dead);
/* A rank in reserve has become one that counts: its death is told from now on, or now. */
void tti_pmi_introduce(int rank);

/* The first rank of which the launcher has said that it died; -1 if there is none. Any thread. */
int tti_pmi_dead_rank(void);
/* Whether it has said so of this one. */
bool tti_pmi_has_died(int rank);

/* Asks the launcher to end the whole job with exit status `code`, and returns (the caller exits). */
void tti_pmi_abort(int code, const char *why);

/* Version of the PMIx library in use, as it calls itself; a static string. */
const char *tti_pmi_version(void);

#endif
