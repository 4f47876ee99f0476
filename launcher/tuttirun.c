/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "launcher/command_options.h"
#include "launcher/command_parse.h"
#include "launcher/handover.h"
#include "launcher/inherited_files.h"
#include "launcher/launch.h"
#include "launcher/launcher_report.h"
#include "runtime/base/options.h"
#include "runtime/base/parse.h"
#include "tutti/error.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

static int end_words(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    if (errno == EPIPE) return TTI_STATUS_SIGNAL + SIGPIPE; /* as when a job's output is not read */
    return tti_launcher_refuse_errno(TTI_STATUS_OUTPUT_LOST, errno, "cannot write stdout",
                                     "make room or write elsewhere");
}

static bool is_many(const char *variable)
{
    const char *text = tti_environment(variable);
    int64_t number;
    return text != NULL && tti_parse_int(text, &number) && number > 1;
}

/* Other launchers would use all nodes of the allocation. Who starts us by srun on several wants one job each.
 */
static void tell_of_other_nodes(void)
{
    if (!is_many("SLURM_JOB_NUM_NODES") || is_many("SLURM_STEP_NUM_NODES")) return;
    if (tti_environment("PMIX_RANK") != NULL) return;
    tti_launcher_say(
        "all ranks start on this node, of the %s that Slurm has allocated; to use them all give "
        "--hosts \"$(scontrol show hostnames | paste -sd,)\" and, by -n, how many ranks they share",
        tti_environment("SLURM_JOB_NUM_NODES"));
}

static int act(const tti_command *command, int *user_signal)
{
    switch (command->action) {
    case TTI_ACTION_HELP: tti_command_print_help(stdout); return end_words();
    case TTI_ACTION_VERSION:
        puts("tuttirun " TEXT(TUTTI_VERSION_MAJOR) "." TEXT(TUTTI_VERSION_MINOR) "." TEXT(
            TUTTI_VERSION_PATCH));
        return end_words();
    case TTI_ACTION_RUN: break;
    }
    if (command->hosts != NULL || command->hostfile != NULL) return tti_handover_run(command);
    tell_of_other_nodes();
    return tti_launch_run(command, user_signal);
}

/* With a standard descriptor closed the next file we open would take its place. What takes it can be written
 * no more than a closed one: output is not lost in silence. */
static void fill_standard_descriptors(void)
{
    int fd = fcntl(STDIN_FILENO, F_GETFD) < 0 ? open("/dev/null", O_RDONLY) : STDIN_FILENO;
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/", O_PATH);
    if (fd >= 0) close(fd);
}

/* A shell takes a ^C for handled, and goes on with its script, unless who it waits for has died of it. The
 * first process of a pid namespace cannot, and comes back. */
static void die_of(int user_signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, user_signal);
    prctl(PR_SET_DUMPABLE, 0); /* SIGQUIT leaves no core file: nothing is wrong here */
    signal(user_signal, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(user_signal);
}

int main(int argc, char **argv)
{
    tti_command command;
    int user_signal = 0;
    fill_standard_descriptors();
    tti_inherited_note();
    int status = tti_command_parse(argc, argv, &command);
    if (status == 0) status = act(&command, &user_signal);
    tti_command_free(&command);
    tti_inherited_forget();
    /* A reason is recorded if, and only if, the launcher itself refused. */
    if (tutti_error_detail()[0] != '\0') tti_launcher_say("%s", tutti_error_detail());
    if (user_signal != 0) die_of(user_signal);
    return status;
}
