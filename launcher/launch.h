/* SPDX-License-Identifier: BSD-3-Clause */
/* A job of this machine, from its start to its end. Main thread only. */
#ifndef TTI_LAUNCHER_LAUNCH_H
#define TTI_LAUNCHER_LAUNCH_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "launcher/bindings.h"
#include "launcher/command.h"
#include "launcher/job_server.h"
#include "launcher/rank_output.h"
#include "launcher/session.h"
#include "launcher/terminal_input.h"
#include "runtime/base/clock.h"
#include "tutti/types.h"

typedef struct {
    pid_t pid;          /* 0: not running */
    bool lost;          /* it died, and --keep-going let the others go on */
    bool dismissed;     /* a spare that was not needed */
    int64_t news_until; /* it has ended and is judged when there is news, or then; 0: no (launch_news.c) */
    tti_rank_output out, err;
} tti_rank;

/* How far the end of the job is: nothing; all ranks have ended by themselves, what they left running may
 * still; asked to end (SIGTERM or the user's signal); killed. */
enum tti_launch_phase { TTI_PHASE_RUNNING, TTI_PHASE_LEFT, TTI_PHASE_ASKED, TTI_PHASE_KILLED };

typedef struct {
    const tti_command *command;
    int world;          /* ranks of the job; the other processes may take their places */
    int count, running; /* processes that there may be; that run */
    tti_rank *ranks;
    int *program_of;         /* of each rank */
    char (*paths)[PATH_MAX]; /* of each program */
    tti_bindings bindings;
    tti_session session;
    tti_server_job served;
    tti_sink sinks[2];
    tti_sink *out, *err;          /* the same one if both are the same file */
    tti_rank_output server_words; /* what PMIx's server says to the user, while no rank is asked to end */
    tti_input input;
    sigset_t user_signals; /* the mask we were started with */
    struct rlimit files;   /* the limit of descriptors that we were started with */
    int signals;           /* signalfd */
    int ends;              /* of processes, in their order (process_ends.h) */
    enum tti_launch_phase phase;
    int64_t phase_deadline, job_deadline, spares_deadline; /* ns, tti_clock_ns(); INT64_MAX: none */
    int unjudged;                                          /* ranks with news_until */
    int64_t claimed_since; /* when spares that were claimed were all that was left; 0: it is not so */
    bool failed;           /* a rank has failed, or somebody asked for the end */
    int interrupted;       /* the signal by which the user asked first for the end; 0: none */
    int64_t interrupted_at;
    bool told_of_terminal; /* that a rank is stopped by it */
    bool timed_out;        /* its time (--timeout) is over */
    int status;            /* exit status so far */
    int well;              /* ranks that ended as they should */
    int lost, lost_status; /* ranks lost, and the first one's status */
    bool lost_told;        /* of one at least something was said: not all ended for want of a reader */
} tti_launch;

/* Runs the whole job; returns the exit status, with a reason recorded if the job could not be started. In
 * *user_signal: the user's signal that is the status, 0: none is. */
int tti_launch_run(const tti_command *command, int *user_signal);

/* launch_files.c: sees to it that there are descriptors enough, before PMIx's server starts, which crashes
 * where there are not; ranks start with the user's limit. Then takes all there may be: not before, as what a
 * library does at its start may last as long as that number is large. */
int tti_launch_take_files(tti_launch *launch);
void tti_launch_take_all_files(const tti_launch *launch);

/* launch_start.c: starts every rank and spare. Returns 0 or an exit status; then some may be running. */
int tti_launch_start(tti_launch *launch);
/* One process, in the place of a rank. */
int tti_launch_start_for(tti_launch *launch, int process, int place);

/* launch_reserve.c */
void tti_launch_heed_births(tti_launch *launch); /* after tti_server_wake_fd() */
/* True if what ended was a spare that nobody needed: then there is nothing to judge. */
bool tti_launch_judge_spare(tti_launch *launch, int process, const char *what);
/* Ends those that wait for a place when nobody is left who could give them one. */
void tti_launch_dismiss_spares(tti_launch *launch);
/* "rank 3", "spare 8", or "spare 8 in the place of rank 3"; `text` has room for 64. */
const char *tti_launch_name(const tti_launch *launch, int process, char *text);

/* launch_loop.c: until every rank has ended and what they wrote is written. Returns the exit status; with a
 * reason recorded if the ranks could not be waited for, and had to end. */
int tti_launch_loop(tti_launch *launch);

/* launch_output.c */
int tti_launch_open_output(tti_launch *launch); /* returns 0 or an exit status */
void tti_launch_close_output(tti_launch *launch);
/* Makes launch->server_words, and gives the descriptor to write them to. Returns 0 or an exit status. */
int tti_launch_open_words(tti_launch *launch, int *words);
/* A line "tuttirun: …" behind all that the ranks have written to stderr so far. */
void tti_launch_say(tti_launch *launch, const char *format, ...) TUTTI_PRINTF(2, 3);
/* True if a rank may have ended with this status because nobody reads stdout any more: nothing to speak of.
 */
bool tti_launch_is_unread(const tti_launch *launch, int status);
/* Says, once, that the sink cannot be written. */
void tti_launch_tell_error(tti_launch *launch, tti_sink *sink);
/* At the end: says whose output is lost, which makes a status of 0 another one. */
void tti_launch_settle_output(tti_launch *launch);

/* launch_end.c */
void tti_launch_signal(tti_launch *launch, int signal); /* to every running rank's group */
void tti_launch_begin_end(tti_launch *launch, int signal, int64_t grace_ns);
void tti_launch_heed_deadlines(tti_launch *launch, int64_t now);
/* Once all ranks have ended: true while what they left running may go on. */
bool tti_launch_awaits_strays(tti_launch *launch);
void tti_launch_end_strays(tti_launch *launch); /* what the ranks left running */
void tti_launch_undo_start(tti_launch *launch); /* the ranks that did start end with the job that could not */

/* launch_judge.c */
/* What the end of a rank, as waitpid() tells it, means for the job. */
void tti_launch_judge(tti_launch *launch, int rank, int how);
void tti_launch_heed_abort(tti_launch *launch); /* after tti_server_wake_fd() */
/* At the end: says which ranks were lost, if that was told of any; if no other ended well the job has failed.
 */
void tti_launch_settle_lost(tti_launch *launch);

/* launch_news.c: a rank that ended with status 0 may have left the job a moment before, and PMIx's thread not
 * have read it yet; or it never joined, and is missed once others join. True if that is waited for, without
 * standing in anybody's way. */
bool tti_launch_awaits_news(tti_launch *launch, int rank, int how);
/* Judges those whose news have come or are not waited for any more. */
void tti_launch_heed_news(tti_launch *launch, int64_t now);
int64_t tti_launch_news_deadline(const tti_launch *launch); /* INT64_MAX: none */

/* launch_reap.c */
void tti_launch_reap(tti_launch *launch); /* after SIGCHLD; says, once, that a terminal has stopped a rank */

#endif
