/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launcher/command_parse.h"
#include "launcher/launcher_report.h"
#include "launcher/process_ends.h"
#include "launcher/process_sweep.h"
#include "launcher/program_path.h"
#include "launcher/rank_environment.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"

static int find_programs(tti_launch *launch)
{
    const tti_command *command = launch->command;
    launch->paths = calloc((size_t)command->programs_count, sizeof *launch->paths);
    if (launch->paths == NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the job");
    for (int i = 0; i < command->programs_count; i++) {
        const tti_program *program = &command->programs[i];
        if (program->wdir != NULL && access(program->wdir, X_OK) != 0)
            return tti_launcher_refuse(TTI_STATUS_USAGE, "--wdir %s: %s; give a directory that exists",
                                       program->wdir, strerror(errno));
        const int status =
            tti_program_find(program->arguments[0], tti_environment("PATH"), program->wdir, launch->paths[i]);
        if (status != 0) return status;
    }
    return 0;
}

/* How many ranks there are, and which program each runs. */
static int lay_out(tti_launch *launch)
{
    const tti_command *command = launch->command;
    int count = 0;
    for (int i = 0; i < command->programs_count; i++)
        count += command->programs[i].ranks;
    const bool by_cores = count == 0;
    if (by_cores && tti_bindings_cores(&count) != 0) return TTI_STATUS_USAGE;
    launch->world = count;
    const int status = tti_command_count(command, launch->world, &count);
    if (status != 0) return status;
    launch->count = count;
    launch->ranks = calloc((size_t)count, sizeof *launch->ranks);
    launch->program_of = calloc((size_t)count, sizeof *launch->program_of);
    if (launch->ranks == NULL || launch->program_of == NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for %d ranks; start fewer", count);
    for (int i = 0; i < count; i++)
        launch->ranks[i].out.fd = launch->ranks[i].err.fd = -1;
    for (int i = 0, rank = 0; i < command->programs_count && !by_cores; i++) {
        for (int j = 0; j < command->programs[i].ranks; j++)
            launch->program_of[rank++] = i;
    }
    return tti_bindings_plan(command->binding, launch->world, &launch->bindings);
}

/* What who started us ignores for us, as nohup does SIGHUP and a script's & SIGINT and SIGQUIT, is not meant
 * to end the job; the ranks inherit it. */
static bool is_left_alone(int signal)
{
    struct sigaction is;
    const bool ends = signal == SIGHUP || signal == SIGINT || signal == SIGQUIT;
    return ends && sigaction(signal, NULL, &is) == 0 && is.sa_handler == SIG_IGN;
}

/* All signals that we heed come through a descriptor; blocked before PMIx starts its thread, which inherits
 * it. */
static int take_signals(tti_launch *launch)
{
    static const int heeded[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                 SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof heeded / sizeof heeded[0]; i++)
        if (!is_left_alone(heeded[i])) sigaddset(&set, heeded[i]);
    sigprocmask(SIG_BLOCK, &set, &launch->user_signals);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write() like others */
    launch->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (launch->signals >= 0) launch->ends = tti_ends_open();
    if (launch->signals >= 0 && launch->ends >= 0) return 0;
    return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot make descriptors for signals and ends",
                                     "raise ulimit -n");
}

static int serve(tti_launch *launch)
{
    int words; /* open to the end of the process, as PMIx's thread may be */
    int status = tti_launch_open_words(launch, &words);
    if (status != 0) return status;
    launch->served = (tti_server_job){.name = launch->session.name,
                                      .directory = launch->session.directory,
                                      .words = words,
                                      .ranks = launch->count,
                                      .world = launch->world,
                                      .spares = launch->command->spares,
                                      .programs = launch->command->programs_count,
                                      .program_of = launch->program_of};
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    status = tti_server_open(&launch->served);
    if (status == 0) return 0;
    tti_rank_output_finish(&launch->server_words);
    tti_sink_flush(launch->err);
    return status;
}

static int start_and_wait(tti_launch *launch, int64_t begin)
{
    const int64_t served = tti_clock_ns();
    int status = tti_launch_start(launch);
    if (status != 0) {
        tti_launch_undo_start(launch);
        return status;
    }
    const int64_t started = tti_clock_ns();
    if (launch->command->timeout_ns > 0)
        launch->job_deadline = tti_clock_later(started, launch->command->timeout_ns);
    if (launch->command->verbose)
        tti_launch_say(launch, "server ready after %.1f ms, %d ranks started after %.1f ms",
                       (double)(served - begin) / 1e6, launch->running, (double)(started - begin) / 1e6);
    status = tti_launch_loop(launch);
    tti_input_close(&launch->input);
    return status;
}

static int run_in_session(tti_launch *launch, int64_t begin)
{
    int status = take_signals(launch);
    if (status == 0) status = tti_launch_open_output(launch);
    if (status == 0) status = serve(launch);
    if (status != 0) return status;
    status = start_and_wait(launch, begin);
    tti_server_close();
    tti_launch_close_output(launch);
    close(launch->signals);
    close(launch->ends);
    return status;
}

int tti_launch_run(const tti_command *command, int *user_signal)
{
    const int64_t begin = tti_clock_ns();
    tti_sweep_spare_present();
    const char *parent = tti_environment("TMPDIR");
    signal(SIGCHLD, SIG_DFL); /* inherited as ignored it would hide how our children end */
    tti_launch launch = {.command = command,
                         .phase_deadline = INT64_MAX,
                         .job_deadline = INT64_MAX,
                         .spares_deadline = INT64_MAX,
                         .server_words.fd = -1,
                         .input = {.terminal = -1, .pipe = -1}};
    int status = find_programs(&launch);
    if (status == 0) status = lay_out(&launch);
    if (status == 0) status = tti_launch_take_files(&launch);
    if (status == 0)
        status = tti_session_open(parent != NULL ? parent : "/tmp", launch.count, &launch.session);
    if (status == 0) {
        tti_environment_forget_launcher();
        status = run_in_session(&launch, begin);
        tti_session_close(&launch.session);
    }
    if (launch.interrupted != 0 && status == TTI_STATUS_SIGNAL + launch.interrupted)
        *user_signal = launch.interrupted;
    tti_bindings_free(&launch.bindings);
    free(launch.ranks);
    free(launch.program_of);
    free(launch.paths);
    return status;
}
