/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the job's output goes, and what is said of output that could not be written. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"

/* So many ranks are named that lost output; the others are counted. */
#define RANKS_NAMED 8

static bool same_file(int one, int other)
{
    struct stat a, b;
    return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int tti_launch_open_output(tti_launch *launch)
{
    launch->out = launch->err = &launch->sinks[0];
    const int status = tti_sink_open(launch->out, STDOUT_FILENO, "stdout");
    /* One queue for one terminal, pipe or file: only so can an unfinished line be told from another's. */
    if (status != 0 || same_file(STDOUT_FILENO, STDERR_FILENO)) return status;
    launch->err = &launch->sinks[1];
    return tti_sink_open(launch->err, STDERR_FILENO, "stderr");
}

void tti_launch_close_output(tti_launch *launch)
{
    tti_sink_close(launch->out);
    if (launch->err != launch->out) tti_sink_close(launch->err);
}

/* The server must not wait for who reads our stderr: rather it does without a line. */
int tti_launch_open_words(tti_launch *launch, int *words)
{
    const int status =
        tti_rank_output_open(&launch->server_words, launch->err, "tuttirun: PMIx: ", false, words);
    if (status == 0) fcntl(*words, F_SETFL, O_NONBLOCK);
    return status;
}

void tti_launch_say(tti_launch *launch, const char *format, ...)
{
    char line[TTI_LAUNCHER_LINE];
    va_list args;
    va_start(args, format);
    const size_t bytes = tti_launcher_compose(line, format, args);
    va_end(args);
    tti_sink_append(launch->err, &launch->err->own, line, bytes);
}

/* A pipeline's reader that has seen enough is no fault to speak of, nor is a rank that ends for it. */
bool tti_launch_is_unread(const tti_launch *launch, int status)
{
    return status == TTI_STATUS_SIGNAL + SIGPIPE && launch->out->error == EPIPE;
}

static const char *cause_of(int error)
{
    if (error == EAGAIN) return "its reader did not read them";
    return error == EBADF ? "it is closed" : strerror(error);
}

void tti_launch_tell_error(tti_launch *launch, tti_sink *sink)
{
    if (sink->error == 0 || sink->error == EPIPE || sink->error == EAGAIN || sink->told) return;
    sink->told = true;
    tti_launch_say(
        launch,
        "cannot write %s: %s; what ranks write there from here on is lost: make room, or write elsewhere, "
        "and start the job again",
        sink->name, cause_of(sink->error));
}

/* How much of what `rank` wrote was lost in this sink. */
static size_t lost_by(const tti_launch *launch, const tti_sink *sink, int rank)
{
    const tti_rank *at = &launch->ranks[rank];
    return (sink == launch->out ? at->out.source.lost : 0) + (sink == launch->err ? at->err.source.lost : 0);
}

static void tell_lost(tti_launch *launch, const tti_sink *sink)
{
    char who[RANKS_NAMED * 40 + 40] = "";
    size_t total = 0, used = 0;
    int ranks = 0;
    for (int i = 0; i < launch->count; i++) {
        const size_t lost = lost_by(launch, sink, i);
        if (lost == 0) continue;
        total += lost;
        if (ranks++ < RANKS_NAMED)
            used += (size_t)snprintf(who + used, sizeof who - used, "%s%zu of rank %d", ranks > 1 ? ", " : "",
                                     lost, i);
    }
    if (total == 0) return;
    if (ranks > RANKS_NAMED)
        snprintf(who + used, sizeof who - used, " and others of %d ranks", ranks - RANKS_NAMED);
    tti_launch_say(launch, "%zu bytes for %s are lost (%s): %s", total, sink->name, cause_of(sink->error),
                   who);
}

static bool has_lost(const tti_launch *launch, const tti_sink *sink)
{
    size_t lost = sink->own.lost;
    for (int i = 0; i < launch->count && lost == 0; i++)
        lost = lost_by(launch, sink, i);
    return lost > 0;
}

void tti_launch_settle_output(tti_launch *launch)
{
    for (int i = 0; i < 2; i++) {
        tti_sink *sink = i == 0 ? launch->out : launch->err;
        if (sink->error == 0 || (i == 1 && launch->err == launch->out)) continue;
        if (sink->error != EPIPE) tell_lost(launch, sink);
        if (launch->status == 0 && has_lost(launch, sink))
            launch->status = sink->error == EPIPE ? TTI_STATUS_SIGNAL + SIGPIPE : TTI_STATUS_OUTPUT_LOST;
    }
}
