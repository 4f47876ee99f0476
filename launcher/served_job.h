/* SPDX-License-Identifier: BSD-3-Clause */
/* The job that the PMIx server serves (job_server.h), and what it hears of its ranks. */
#ifndef TTI_LAUNCHER_SERVED_JOB_H
#define TTI_LAUNCHER_SERVED_JOB_H

#include <stdbool.h>

/* Strings and table stay the caller's until tti_server_close(). */
typedef struct {
    const char *name;      /* of the namespace, a secret */
    const char *directory; /* private, for whatever PMIx writes */
    int words;             /* descriptor that the server's words to the user go to, line by line */
    int ranks, programs;
    int world;  /* the first so many of `ranks` are the job's; the others may take their places */
    int spares; /* so many of the others are started at once, the rest when they are needed (reserve.h) */
    const int *program_of; /* of each rank and spare */
} tti_server_job;

/* VANISHED: joined, and its connection ended before it left. FAILED: joined, and left as its tutti_init()
 * failed after that. */
enum tti_server_member {
    TTI_MEMBER_NEVER,
    TTI_MEMBER_JOINED,
    TTI_MEMBER_LEFT,
    TTI_MEMBER_VANISHED,
    TTI_MEMBER_FAILED
};

typedef struct {
    int rank, code;
    char text[1024];
} tti_server_abort;

/* -- job_answers.c: for the main thread -- */
/* Whether the rank called PMIx_Init and PMIx_Finalize, as far as PMIx's thread has read what it said. */
enum tti_server_member tti_server_member_of(int rank);
/* Who joined first; -1: nobody has. */
int tti_server_first_joined(void);

/* Whose wish for the end is not taken yet; -1: nobody's. */
int tti_server_abort_rank(void);
/* The first such wish, once. */
bool tti_server_take_abort(tti_server_abort *wish);

#endif
