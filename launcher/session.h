/* SPDX-License-Identifier: BSD-3-Clause */
/* The job's private directory (0700) in $TMPDIR or /tmp, and the guardian: a process that cleans up after the
 * job if the launcher itself is killed. */
#ifndef TTI_LAUNCHER_SESSION_H
#define TTI_LAUNCHER_SESSION_H

#include <limits.h>
#include <sys/types.h>
#include <time.h>

typedef struct {
    char directory[PATH_MAX];
    char name[64]; /* the job's name, its PMIx namespace; a secret, not to be shown */
    time_t since;  /* when it was opened */
    int ranks;     /* entries of the two tables */
    pid_t *groups; /* process group of each rank that may still have members, else 0; seen by the guardian */
    pid_t *pids;   /* process of each rank, kept after its end; seen by the guardian */
    pid_t *guardian; /* its process */
    int leash;       /* connection to the guardian, which waits while it is open */
} tti_session;

/* Makes the directory in `parent` and starts the guardian. To be called before any thread is started.
 * Returns 0 or an exit status. */
int tti_session_open(const char *parent, int ranks, tti_session *session);
/* Kills what is left of the ranks' process groups, removes directory and shared memory, ends the guardian. */
void tti_session_close(tti_session *session);

#endif
