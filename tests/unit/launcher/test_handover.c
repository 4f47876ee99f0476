/* SPDX-License-Identifier: BSD-3-Clause */
/* The command lines for the launchers of other hosts. */
#include <string.h>
#include <unistd.h>

#include "launcher/handover.h"
#include "launcher/rank_environment.h"
#include "tests/unit/expect.h"

static char *prog[] = {(char *)"./prog", (char *)"a b", NULL};
static const char *const exports[] = {"A=1", "B", "C=2,3"};

#define HOSTS "h1:2,h2:1"
static const char *hosts_text = HOSTS;

static void join(char **arguments, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (char **at = arguments; *at != NULL; at++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", at == arguments ? "" : "|", *at);
}

static void check(enum tti_handover_kind kind, const tti_command *command, const char *wanted)
{
    tti_host_list hosts;
    char text[512], **arguments = NULL;
    EXPECT(tti_hosts_parse(hosts_text, &hosts) == 0);
    tti_hosts_share(&hosts, command->programs[0].ranks);
    const int status = tti_handover_compose(kind, "/bin/L", command, &hosts, &arguments);
    tti_hosts_free(&hosts);
    EXPECT(status == (wanted != NULL ? 0 : 2));
    if (wanted == NULL) return;
    join(arguments, text, sizeof text);
    if (strcmp(text, wanted) != 0) fprintf(stderr, "got %s\n", text);
    EXPECT(strcmp(text, wanted) == 0);
    tti_strings_free(arguments);
}

static void test_simple(void)
{
    tti_program program = {.arguments = prog};
    const tti_command command = {.programs = &program, .programs_count = 1};
    check(TTI_HANDOVER_MPIRUN, &command, "/bin/L|--host|h1:2,h2:1|./prog|a b");
    check(TTI_HANDOVER_PRTERUN, &command, "/bin/L|--allow-run-as-root|--host|h1:2,h2:1|./prog|a b");
    check(TTI_HANDOVER_SRUN, &command,
          "/bin/L|--mpi=pmix|-w|h1,h1,h2|--distribution=arbitrary|-N|2|-n|3|--kill-on-bad-exit=1|--input=0|./"
          "prog|a b");
}

static void test_options(void)
{
    tti_program program = {
        .arguments = prog, .ranks = 3, .wdir = "/d", .exports = (const char **)exports, .exports_count = 3};
    tti_command command = {.programs = &program,
                           .programs_count = 1,
                           .binding = TTI_BIND_NONE,
                           .tag_output = true,
                           .report_bindings = true};
    check(TTI_HANDOVER_SRUN, &command,
          "/bin/"
          "L|--mpi=pmix|-w|h1,h1,h2|--distribution=arbitrary|-N|2|-n|3|--kill-on-bad-exit=1|--input=0|--cpu-"
          "bind=verbose,none|--label|--"
          "chdir|/d|"
          "--export=ALL|./prog|a b");
    command.timeout_ns = 1500000000;
    check(TTI_HANDOVER_MPIRUN, &command,
          "/bin/L|--bind-to|none|--tag-output|--report-bindings|--timeout|2|--host|h1:2,h2:1|-n|3|--wdir|/"
          "d|-x|A=1|-x|B|-x|C=2,3|"
          "./prog|a b");
    check(TTI_HANDOVER_SRUN, &command, NULL);
    command.timeout_ns = 0;
    command.keep_going = true;
    check(TTI_HANDOVER_MPIRUN, &command, NULL);
    check(TTI_HANDOVER_PRTERUN, &command, NULL);
    check(TTI_HANDOVER_SRUN, &command, NULL);
}

static void test_several_programs(void)
{
    tti_program programs[] = {{.arguments = prog, .ranks = 2}, {.arguments = prog, .ranks = 1}};
    const tti_command command = {.programs = programs, .programs_count = 2};
    check(TTI_HANDOVER_MPIRUN, &command,
          "/bin/L|--host|h1:2,h2:1|-n|2|./prog|a b|:|--host|h1:2,h2:1|-n|1|./prog|a b");
    check(TTI_HANDOVER_SRUN, &command, NULL);
}

/* Each rank is on the host that it would be on under mpirun. */
static void test_places(void)
{
    tti_program program = {.arguments = prog, .ranks = 2};
    const tti_command command = {.programs = &program, .programs_count = 1};
    check(TTI_HANDOVER_SRUN, &command,
          "/bin/L|--mpi=pmix|-w|h1,h1|--distribution=arbitrary|-N|1|-n|2|--kill-on-bad-exit=1|--input=0|"
          "./prog|a b");
    hosts_text = "h1:2,h2:2";
    program.ranks = 4;
    check(
        TTI_HANDOVER_SRUN, &command,
        "/bin/L|--mpi=pmix|-w|h1,h2|--ntasks-per-node=2|-N|2|-n|4|--kill-on-bad-exit=1|--input=0|./prog|a b");
    hosts_text = "h1,h2"; /* as srun likes it, who knows the allocation */
    check(TTI_HANDOVER_SRUN, &command,
          "/bin/L|--mpi=pmix|-w|h1,h2|-N|2|-n|4|--kill-on-bad-exit=1|--input=0|./prog|a b");
    check(TTI_HANDOVER_MPIRUN, &command, "/bin/L|--host|h1:2,h2:2|-n|4|./prog|a b");
    hosts_text = "h1:65536,h2:1";
    program.ranks = 65536;
    check(TTI_HANDOVER_SRUN, &command, NULL);
    program.ranks = 50000;
    check(TTI_HANDOVER_SRUN, &command, NULL);
    hosts_text = HOSTS;
}

static void test_tutti_options_travel(void)
{
    tti_program program = {.arguments = prog};
    const tti_command command = {.programs = &program, .programs_count = 1};
    static char *environment[] = {(char *)"TUTTI_LOG=info", NULL};
    environ = environment;
    check(TTI_HANDOVER_MPIRUN, &command, "/bin/L|--host|h1:2,h2:1|-x|TUTTI_LOG|./prog|a b");
}

int main(void)
{
    static char *nothing[] = {NULL};
    environ = nothing;
    test_simple();
    test_options();
    test_several_programs();
    test_places();
    test_tutti_options_travel();
    return 0;
}
