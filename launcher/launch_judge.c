/* SPDX-License-Identifier: BSD-3-Clause */
/* What the end of a rank means for the job, and what is said of it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"
#include "launcher/reserve.h"
#include "runtime/base/failure_grace.h"

#define TAIL_LINES 10
/* Room for the list of lost ranks; what does not fit is cut off. */
#define RANKS_BYTES 512

/* The rank's last lines on stderr, each after a bar. */
static void show_tail(tti_launch *launch, int rank)
{
    const tti_rank_output *stream = &launch->ranks[rank].err;
    const char *end = stream->tail + stream->tail_used, *at = end;
    if (stream->tail == NULL || stream->tail_used == 0) return;
    if (end[-1] == '\n') end--;
    for (int lines = 0; at > stream->tail; at--) {
        if (at < end && at[-1] == '\n' && ++lines == TAIL_LINES) break;
    }
    char who[64];
    tti_launch_say(launch, "%s wrote last to stderr:", tti_launch_name(launch, rank, who));
    while (at < end) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((next != NULL ? next : end) - at);
        tti_launch_say(launch, "  | %.*s", (int)length, at);
        at += length + 1;
    }
}

/* What happened to a rank, and what follows from it. */
static void tell(tti_launch *launch, int rank, const char *what)
{
    const char *name = launch->command->programs[launch->program_of[rank]].arguments[0];
    const char *then = launch->phase != TTI_PHASE_RUNNING || launch->running == 0 ? ""
                       : launch->command->keep_going                              ? "; the others go on"
                                                                                  : "; ending the job";
    char who[64];
    tti_launch_say(launch, "%s (%s, pid %ld) %s%s", tti_launch_name(launch, rank, who), name,
                   (long)launch->session.pids[rank], what, then);
    show_tail(launch, rank);
}

/* The first failure makes the exit status and ends the job; later ones count only with --keep-going. */
static void note_failure(tti_launch *launch, int rank, int status, const char *what)
{
    const bool first = !launch->failed;
    const bool keep_going = launch->command->keep_going != TTI_KEEP_NOT;
    if (first) launch->status = status;
    launch->failed = true;
    if (!first && !keep_going) return;
    if (!tti_launch_is_unread(launch, status)) tell(launch, rank, what);
    if (!keep_going) tti_launch_begin_end(launch, SIGTERM, TTI_FAILURE_GRACE_NS);
}

static void note_lost(tti_launch *launch, int rank, int status, const char *what)
{
    if (launch->lost++ == 0) launch->lost_status = status;
    launch->ranks[rank].lost = true;
    if (tti_launch_is_unread(launch, status)) return;
    launch->lost_told = true;
    tell(launch, rank, what);
}

static bool joined_without_leaving(enum tti_server_member member)
{
    return member != TTI_MEMBER_NEVER && member != TTI_MEMBER_LEFT;
}

/* Who was killed is lost, and so is who went without leaving the job or never joined it; a status that a rank
 * chose itself says that it has failed, with --keep-going too. A shell around the program says by its status
 * that it was killed. */
static bool is_lost(enum tti_server_member member, int how)
{
    if (WIFSIGNALED(how)) return true;
    return WEXITSTATUS(how) == 0 || (joined_without_leaving(member) && WEXITSTATUS(how) > TTI_STATUS_SIGNAL);
}

/* The status that the end of a process amounts to, and, unless that is 0, the words for it. */
static int weigh(enum tti_server_member member, int how, char what[128])
{
    const int joined = tti_server_first_joined();
    int status = 0;
    if (WIFSIGNALED(how)) {
        status = TTI_STATUS_SIGNAL + WTERMSIG(how);
        snprintf(what, 128, "was killed by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    } else if (WEXITSTATUS(how) != 0) {
        status = WEXITSTATUS(how);
        snprintf(what, 128, "exited with status %d", status);
    } else if (member == TTI_MEMBER_FAILED) {
        status = 1;
        snprintf(what, 128, "exited with status 0 after its tutti_init() had failed");
    } else if (joined_without_leaving(member)) {
        status = 1;
        snprintf(what, 128, "exited with status 0 without leaving the job (it never finalized)");
    } else if (member == TTI_MEMBER_NEVER && joined >= 0) {
        status = 1;
        snprintf(what, 128, "exited with status 0 without joining the job that rank %d joined", joined);
    }
    return status;
}

void tti_launch_judge(tti_launch *launch, int rank, int how)
{
    char what[128];
    const enum tti_command_keep keep = launch->command->keep_going;
    const enum tti_server_member member = tti_server_member_of(rank);
    /* Ranks that end because we asked them to have not failed. */
    const bool asked = launch->phase != TTI_PHASE_RUNNING && launch->failed;
    const int status = weigh(member, how, what);
    if (tti_launch_judge_spare(launch, rank, status != 0 ? what : NULL)) return;
    launch->well += status == 0;
    if (status == 0) return;
    tti_reserve_died(rank);
    if (keep != TTI_KEEP_NOT && launch->running > 0) tti_server_announce_death(rank);
    if (asked) return;
    (keep == TTI_KEEP_GOING && is_lost(member, how) ? note_lost : note_failure)(launch, rank, status, what);
}

void tti_launch_settle_lost(tti_launch *launch)
{
    char ranks[RANKS_BYTES] = "";
    size_t used = 0;
    if (launch->lost == 0 || launch->status != 0) return;
    if (launch->well == 0) launch->status = launch->lost_status;
    if (!launch->lost_told) return;
    int all = launch->world; /* with those that had the places of others */
    for (int i = 0; i < launch->count; i++) {
        all += tti_reserve_place_of(i) >= 0;
        if (launch->ranks[i].lost && used < sizeof ranks)
            used += (size_t)snprintf(ranks + used, sizeof ranks - used, "%s%d", used > 0 ? ", " : "", i);
    }
    tti_launch_say(launch, "%d of %d ranks lost (%s); %s", launch->lost, all, ranks,
                   launch->well == 0 ? "no other ended well" : "all others ended well");
}

void tti_launch_heed_abort(tti_launch *launch)
{
    tti_server_abort wish;
    char what[sizeof wish.text + 64];
    if (!tti_server_take_abort(&wish)) return;
    const int status = (wish.code & 0xff) != 0 ? wish.code & 0xff : 1;
    snprintf(what, sizeof what, "aborted the job with status %d%s%s", wish.code,
             wish.text[0] != '\0' ? ": " : "", wish.text);
    tti_rank_output_drain(&launch->ranks[wish.rank].err);
    if (launch->phase != TTI_PHASE_RUNNING) return;
    if (launch->command->keep_going != TTI_KEEP_NOT)
        tti_launch_begin_end(launch, SIGTERM, TTI_FAILURE_GRACE_NS);
    note_failure(launch, wish.rank, status, what);
}
