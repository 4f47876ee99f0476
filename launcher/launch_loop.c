/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"
#include "runtime/base/clock.h"

/* After a signal of the user's the ranks may take this long to end by themselves. */
#define SIGNAL_GRACE_NS (10 * TTI_NS_PER_SECOND)
/* A signal so soon after the first one is no second wish. */
#define ECHO_NS (TTI_NS_PER_SECOND / 2)
#define LAST_WRITE_NS (TTI_NS_PER_SECOND)
/* With a look at unfinished lines so late we take it that we did not run. */
#define LATE_NS (TTI_NS_PER_SECOND / 5)
/* How late it may be seen that the terminal is ours. */
#define FOREGROUND_LOOK_NS (TTI_NS_PER_SECOND / 5)
#define EVENTS 64

enum source {
    FROM_SIGNALS,
    FROM_SERVER,
    FROM_STREAMS_OUT,
    FROM_STREAMS_ERR,
    FROM_SINK_OUT,
    FROM_SINK_ERR,
    FROM_INPUT
};

typedef struct {
    tti_launch *launch;
    int epoll;
    int64_t look;     /* when to look for unfinished lines to show, tti_clock_ns(); INT64_MAX: none is held */
    bool was_late;    /* the last look was put off */
    int input_waited; /* what of the input is in the epoll set, -1: nothing */
} loop;

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int watch(const loop *at, int operation, int fd, uint32_t events, enum source source)
{
    struct epoll_event event = {.events = events, .data.u32 = source};
    return epoll_ctl(at->epoll, operation, fd, &event);
}

/* Where nobody is above who could let us go on, such as a shell with job control, the kernel does not stop
 * us, which shows by there being no SIGCONT; then the ranks go on as well. */
static void stop_with_terminal(tti_launch *launch)
{
    sigset_t stop, waiting;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    tti_launch_signal(launch, SIGTSTP);
    kill(getpid(), SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, NULL);
    /* We go on here after SIGCONT, which is then the next signal to heed. */
    sigprocmask(SIG_BLOCK, &stop, NULL);
    if (sigpending(&waiting) != 0 || !sigismember(&waiting, SIGCONT)) tti_launch_signal(launch, SIGCONT);
}

/* What was sent once may come twice: a shell passes on the SIGHUP of its terminal, which the kernel sends
 * too, and timeout(1) signals us and then its group, which is ours; it is given ^C so, too. */
static bool is_echo(const tti_launch *launch, int signal, int64_t now)
{
    if (launch->interrupted == 0) return false;
    return now < launch->interrupted_at + ECHO_NS || (signal == SIGHUP && launch->interrupted == SIGHUP);
}

/* SIGINT, SIGTERM, SIGHUP, SIGQUIT end the job: politely, and at the second time at once. */
static void end_by_signal(tti_launch *launch, int signal)
{
    const int64_t now = tti_clock_ns();
    if (is_echo(launch, signal, now)) return;
    if (launch->interrupted == 0) {
        launch->interrupted = signal;
        launch->interrupted_at = now;
    }
    if (!launch->failed) launch->status = TTI_STATUS_SIGNAL + signal;
    launch->failed = true;
    if (launch->phase == TTI_PHASE_RUNNING) {
        tti_launch_say(launch, "got signal %d (%s): ending the job; a second one ends it at once", signal,
                       strsignal(signal));
        tti_launch_begin_end(launch, signal, SIGNAL_GRACE_NS);
    } else {
        tti_launch_begin_end(launch, SIGKILL, 0);
    }
}

static void heed_signal(tti_launch *launch, int signal)
{
    switch (signal) {
    case SIGCHLD: tti_launch_reap(launch); break;
    case SIGINT:
    case SIGTERM:
    case SIGQUIT:
    case SIGHUP: end_by_signal(launch, signal); break;
    case SIGTSTP: stop_with_terminal(launch); break;
    default: tti_launch_signal(launch, signal); break;
    }
}

static void heed_signals(tti_launch *launch)
{
    struct signalfd_siginfo info;
    while (read(launch->signals, &info, sizeof info) == (ssize_t)sizeof info)
        heed_signal(launch, (int)info.ssi_signo);
}

static void read_streams(loop *at, const tti_sink *sink)
{
    struct epoll_event events[EVENTS];
    const int count = epoll_wait(sink->streams, events, EVENTS, 0);
    const int64_t now = tti_clock_ns();
    for (int i = 0; i < count; i++) {
        tti_rank_output_read(events[i].data.ptr);
        at->look = sooner(at->look, tti_rank_output_show_partial(events[i].data.ptr, now));
    }
}

/* Writes, and sees to what is waited for: room in the sink; its streams, unless too much is queued. */
static void tend_sink(const loop *at, tti_sink *sink, enum source streams, enum source room)
{
    const bool waits = tti_sink_flush(sink);
    tti_launch_tell_error(at->launch, sink);
    if (waits != sink->armed &&
        watch(at, waits ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, sink->fd, EPOLLOUT, room) == 0)
        sink->armed = waits;
    const bool full = tti_sink_is_full(sink);
    if (full != sink->paused && watch(at, EPOLL_CTL_MOD, sink->streams, full ? 0 : EPOLLIN, streams) == 0)
        sink->paused = full;
}

static void tend_input(loop *at)
{
    bool to_write;
    const int wanted = tti_input_wants(&at->launch->input, &to_write);
    if (wanted == at->input_waited) return;
    if (at->input_waited >= 0) epoll_ctl(at->epoll, EPOLL_CTL_DEL, at->input_waited, NULL);
    at->input_waited = -1;
    if (wanted >= 0 && watch(at, EPOLL_CTL_ADD, wanted, to_write ? EPOLLOUT : EPOLLIN, FROM_INPUT) == 0)
        at->input_waited = wanted;
}

static void tend_all(loop *at)
{
    tti_launch *launch = at->launch;
    tend_sink(at, launch->out, FROM_STREAMS_OUT, FROM_SINK_OUT);
    if (launch->err != launch->out) tend_sink(at, launch->err, FROM_STREAMS_ERR, FROM_SINK_ERR);
    tend_input(at);
}

static void show_partial_lines(loop *at, int64_t now)
{
    /* We were halted, and the ranks with us perhaps, in the middle of a line: they get time to end it. */
    if (now > at->look + LATE_NS && !at->was_late) {
        at->was_late = true;
        at->look = now + LATE_NS;
        return;
    }
    at->was_late = false;
    at->look = INT64_MAX;
    for (int i = 0; i < at->launch->count; i++) {
        at->look = sooner(at->look, tti_rank_output_show_partial(&at->launch->ranks[i].out, now));
        at->look = sooner(at->look, tti_rank_output_show_partial(&at->launch->ranks[i].err, now));
    }
}

static int wait_ms(const loop *at)
{
    const tti_launch *launch = at->launch;
    const int64_t ends = sooner(launch->phase_deadline, launch->job_deadline);
    const int64_t news = sooner(launch->spares_deadline, tti_launch_news_deadline(launch));
    const int64_t deadline = sooner(at->look, sooner(ends, news));
    const bool awaits = tti_input_awaits_foreground(&launch->input);
    if (deadline == INT64_MAX && !awaits) return -1;
    const int64_t left = deadline - tti_clock_ns();
    const int64_t ms = (awaits ? sooner(left, FOREGROUND_LOOK_NS) : left) / 1000000 + 1;
    return ms < 0 ? 0 : (int)sooner(ms, INT_MAX);
}

static void heed(loop *at, enum source source)
{
    switch (source) {
    case FROM_SIGNALS:
    case FROM_SERVER: break; /* heeded before all others, below */
    case FROM_STREAMS_OUT: read_streams(at, at->launch->out); break;
    case FROM_STREAMS_ERR: read_streams(at, at->launch->err); break;
    case FROM_INPUT: tti_input_move(&at->launch->input); break;
    case FROM_SINK_OUT:
    case FROM_SINK_ERR: break; /* tend_all() writes */
    }
}

/* Ends of ranks come before wishes to abort, which others have because of them; but each after those that
 * came before it (launch_end.c). */
static void heed_launch(tti_launch *launch, const struct epoll_event events[], int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        const enum source source = (enum source)events[i].data.u32;
        if (source == FROM_SIGNALS) heed_signals(launch);
        any = any || source == FROM_SIGNALS || source == FROM_SERVER;
    }
    if (!any) return;
    tti_launch_heed_abort(launch);
    tti_launch_heed_births(launch); /* for which the former may have taken the server's sign */
}

static void turn(loop *at)
{
    struct epoll_event events[EVENTS];
    const int count = epoll_wait(at->epoll, events, EVENTS, wait_ms(at));
    heed_launch(at->launch, events, count);
    for (int i = 0; i < count; i++)
        heed(at, (enum source)events[i].data.u32);
    const int64_t now = tti_clock_ns();
    if (now >= at->look) show_partial_lines(at, now);
    tti_launch_heed_deadlines(at->launch, now);
    tti_launch_heed_news(at->launch, now);
    tend_all(at);
}

static void write_queued(loop *at)
{
    tend_all(at);
    while ((at->launch->out->armed || at->launch->err->armed) && at->launch->phase != TTI_PHASE_KILLED)
        turn(at);
}

/* A reader may be slow, but the user can always end the wait, and its time (--timeout) ends with the job's:
 * who has already asked for the end of the job waits a moment at most. */
static void write_the_rest(loop *at)
{
    tti_launch *launch = at->launch;
    launch->phase = TTI_PHASE_ASKED;
    const bool asked = launch->interrupted != 0 || launch->timed_out;
    launch->phase_deadline = asked ? tti_clock_ns() + LAST_WRITE_NS : INT64_MAX;
    launch->spares_deadline = INT64_MAX;
    for (int i = 0; i < launch->count; i++) {
        tti_rank_output_finish(&launch->ranks[i].out);
        tti_rank_output_finish(&launch->ranks[i].err);
    }
    write_queued(at);
    tti_sink *const sinks[] = {launch->out, launch->err};
    for (int i = 0; i < 2; i++) {
        if (sinks[i]->armed) tti_sink_give_up(sinks[i], EAGAIN);
    }
    tti_launch_settle_lost(launch);
    tti_launch_settle_output(launch);
    write_queued(at);
}

static bool watch_all(const loop *at)
{
    const tti_launch *launch = at->launch;
    return watch(at, EPOLL_CTL_ADD, launch->signals, EPOLLIN, FROM_SIGNALS) == 0 &&
           watch(at, EPOLL_CTL_ADD, tti_server_wake_fd(), EPOLLIN, FROM_SERVER) == 0 &&
           watch(at, EPOLL_CTL_ADD, launch->out->streams, EPOLLIN, FROM_STREAMS_OUT) == 0 &&
           (launch->err == launch->out ||
            watch(at, EPOLL_CTL_ADD, launch->err->streams, EPOLLIN, FROM_STREAMS_ERR) == 0);
}

int tti_launch_loop(tti_launch *launch)
{
    loop at = {
        .launch = launch, .epoll = epoll_create1(EPOLL_CLOEXEC), .look = INT64_MAX, .input_waited = -1};
    if (at.epoll < 0 || !watch_all(&at)) {
        const int status = tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot wait for the ranks",
                                                     "raise ulimit -n or fs.epoll.max_user_watches (sysctl)");
        if (at.epoll >= 0) close(at.epoll);
        tti_launch_undo_start(launch);
        return status;
    }
    tend_all(&at);
    while (launch->running > 0 || launch->unjudged > 0 || tti_launch_awaits_strays(launch))
        turn(&at);
    tti_launch_end_strays(launch);
    tti_rank_output_finish(&launch->server_words);
    write_the_rest(&at);
    close(at.epoll);
    return launch->status;
}
