/* SPDX-License-Identifier: BSD-3-Clause */
/* The waits of this rank that the watchdog looks at, and what each is for. Under the lock but where it is
 * said. */
#ifndef TTI_PROGRESS_WATCHED_H
#define TTI_PROGRESS_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/comm/comm.h"

/* Ranks that a report names at most. */
#define TTI_WATCHDOG_RANKS 8
/* In place of a job rank: nobody in particular. */
#define TTI_NO_PEER (-2)

/* What a wait is for. */
typedef struct {
    int ranks[TTI_WATCHDOG_RANKS]; /* of the job, that have not come: the first ones of */
    int count;                     /* so many; 0: it is not known for whom */
    const tutti_comm *comm;        /* of a collective; else NULL */
    uint64_t number;               /* of it, on its communicator: who has begun so many has come */
} tti_awaited;
typedef void tti_awaits_fn(const void *argument, tti_awaited *awaited);

static inline void tti_awaited_add(tti_awaited *awaited, int job_rank)
{
    if (awaited->count < TTI_WATCHDOG_RANKS) awaited->ranks[awaited->count] = job_rank;
    awaited->count++;
}

/* What a rank that was asked has answered. */
typedef struct {
    int rank;
    bool answered;
    bool come;     /* it has begun the collective */
    bool inside;   /* and waits in it */
    int peer;      /* whom it waits for, of the job, or TTI_NO_PEER */
    int64_t ns;    /* since when */
    bool lists;    /* it knows where it waits */
    char call[40]; /* in which call it waits; "": it makes progress, but waits in none that it knows of */
} tti_answered;

/* A wait, as the watchdog sees it. The waiter fills in the first part. */
typedef struct tti_watched tti_watched;
struct tti_watched {
    const char *what;      /* the call */
    int peer;              /* job rank, TUTTI_ANY_SOURCE or TTI_NO_PEER */
    tti_awaits_fn *awaits; /* NULL: for the peer */
    const void *argument;
    bool listed; /* the rest is in use; tti_watchdog_forget() ends that */
    bool reported;
    unsigned signals;   /* SIGUSR1s heeded */
    int64_t began;      /* ns */
    int64_t asked_ns;   /* when others were asked; 0: not yet */
    bool by_signal;     /* because of SIGUSR1 */
    uint32_t serial;    /* of the question */
    int count, missing; /* who were asked; answers still to come */
    tti_answered *answers;
    tti_watched *next;
};

/* The waits that are listed, the latest first. */
extern tti_watched *tti_watchdog_waits;
/* It is looked at from now on / no more. */
void tti_watched_list(tti_watched *w);
void tti_watched_unlist(tti_watched *w);
/* Whether any is listed. Any thread, without the lock; or a signal's handler. */
bool tti_watched_any(void);
/* Whom and what a wait is for now. */
void tti_watched_describe(const tti_watched *w, tti_awaited *awaited);

#endif
