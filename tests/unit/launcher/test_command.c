/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "launcher/command_options.h"
#include "launcher/command_parse.h"
#include "tests/unit/expect.h"

#define ARGUMENTS_MAX 24

/* Parses the words of a command line; `line` is cut up and must outlive the command. */
static int parse(char *line, tti_command *command)
{
    static char *argv[ARGUMENTS_MAX];
    int argc = 0;
    for (char *word = strtok(line, " "); word != NULL && argc < ARGUMENTS_MAX - 1; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return tti_command_parse(argc, argv, command);
}

static void test_everything_given(void)
{
    char line[] =
        "tuttirun -n 4 --bind-to numa --report-bindings --tag-output -x A -x B=2 --wdir=/tmp --timeout 2m "
        "--keep-going -v ./prog -n 7 --wdir";
    tti_command command;
    EXPECT(parse(line, &command) == 0);
    EXPECT(command.action == TTI_ACTION_RUN && command.programs_count == 1);
    const tti_program *program = &command.programs[0];
    EXPECT(program->ranks == 4 && strcmp(program->wdir, "/tmp") == 0);
    EXPECT(program->exports_count == 2 && strcmp(program->exports[1], "B=2") == 0);
    EXPECT(strcmp(program->arguments[0], "./prog") == 0 && strcmp(program->arguments[2], "7") == 0);
    EXPECT(strcmp(program->arguments[3], "--wdir") == 0 && program->arguments[4] == NULL);
    EXPECT(command.binding == TTI_BIND_NUMA && command.timeout_ns == INT64_C(120000000000));
    EXPECT(command.report_bindings && command.tag_output && command.keep_going && command.verbose);
    tti_command_free(&command);
}

static void test_several_programs(void)
{
    char line[] = "tuttirun -n 1 a x : -np 2 --tag-output -- -odd : -n 3 c";
    tti_command command;
    EXPECT(parse(line, &command) == 0);
    EXPECT(command.programs_count == 3 && command.tag_output);
    EXPECT(command.programs[0].arguments[2] == NULL);
    EXPECT(strcmp(command.programs[1].arguments[0], "-odd") == 0 && command.programs[1].ranks == 2);
    EXPECT(command.programs[2].ranks == 3);
    tti_command_free(&command);
}

static void test_keep_going(void)
{
    char plain[] = "tuttirun --keep-going strict", strict[] = "tuttirun --keep-going=strict prog";
    tti_command command;
    EXPECT(parse(plain, &command) == 0 && command.keep_going == TTI_KEEP_GOING);
    EXPECT(strcmp(command.programs[0].arguments[0], "strict") == 0);
    tti_command_free(&command);
    EXPECT(parse(strict, &command) == 0 && command.keep_going == TTI_KEEP_STRICT);
    tti_command_free(&command);
}

/* Both keep going; strictness is the user's. */
static void test_reserve(void)
{
    char spares[] = "tuttirun -n 4 --spares 2 prog",
         respawn[] = "tuttirun --respawn --keep-going=strict prog";
    char both[] = "tuttirun --spares=1 --respawn=3 -n 2 a : -n 1 b",
         one[] = "tuttirun --respawn=3 -n 2 a : -n 1 b";
    tti_command command;
    EXPECT(parse(spares, &command) == 0 && command.spares == 2 && command.respawn == 0);
    EXPECT(command.keep_going == TTI_KEEP_GOING);
    tti_command_free(&command);
    EXPECT(parse(respawn, &command) == 0 && command.spares == 0 && command.respawn == TTI_COMMAND_AS_RANKS);
    EXPECT(command.keep_going == TTI_KEEP_STRICT);
    tti_command_free(&command);
    EXPECT(parse(one, &command) == 0 && command.respawn == 3);
    tti_command_free(&command);
    EXPECT(parse(both, &command) != 0); /* which of them would a spare run? */
    tti_command_free(&command);
}

static void test_defaults(void)
{
    char line[] = "tuttirun prog";
    tti_command command;
    EXPECT(parse(line, &command) == 0);
    EXPECT(command.programs[0].ranks == 0 && command.binding == TTI_BIND_AUTO && command.timeout_ns == 0);
    EXPECT(command.hosts == NULL && command.hostfile == NULL && !command.keep_going);
    tti_command_free(&command);
}

static void test_help_needs_no_program(void)
{
    char help[] = "tuttirun --help", version[] = "tuttirun -n 2 -V";
    tti_command command;
    EXPECT(parse(help, &command) == 0 && command.action == TTI_ACTION_HELP);
    tti_command_free(&command);
    EXPECT(parse(version, &command) == 0 && command.action == TTI_ACTION_VERSION);
    tti_command_free(&command);
}

static void test_refusals(void)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"tuttirun", "no program given"},
        {"tuttirun -n 2", "no program given"},
        {"tuttirun -n", "-n needs a value"},
        {"tuttirun -n 0 a", "-n 0"},
        {"tuttirun -n -3 a", "-n -3"},
        {"tuttirun -n 65537 a", "65536"},
        {"tuttirun -n 99999999999999999999 a", "-n 9999"},
        {"tuttirun -n 2x a", "-n 2x"},
        {"tuttirun --bind-to socket a", "core, numa or none"},
        {"tuttirun --timeout 0 a", "--timeout 0"},
        {"tuttirun --timeout soon a", "--timeout soon"},
        {"tuttirun -x =3 a", "names no variable"},
        {"tuttirun --verbos a", "did you mean --verbose?"},
        {"tuttirun --verbose=yes a", "takes no value"},
        {"tuttirun --zzzzzzzzzz a", "tuttirun --help"},
        {"tuttirun -z a", "tuttirun --help"},
        {"tuttirun --bogus a", "tuttirun --help"},
        {"tuttirun --chdri / a", "did you mean --chdir?"},
        {"tuttirun -hostfile f a", "did you mean --hostfile?"},
        {"tuttirun --keep-going=maybe a", "--keep-going=strict"},
        {"tuttirun --spares few a", "--spares few"},
        {"tuttirun --respawn=0 a", "--respawn=0"},
        {"tuttirun --spares 1 -n 1 a : -n 1 b", "--respawn"},
        {"tuttirun --spares 1 --hosts a b", "tutti_comm_shrink()"},
        {"tuttirun --spares 60000 -n 6000 a", "66000"},
        {"tuttirun -n 40000 --respawn a", "80000 processes"},
        {"tuttirun -n 20000 --respawn a : -n 20000 b", "80000 processes"},
        {"tuttirun -np4 a", "write -n 4"},
        {"tuttirun -n4 a", "write -n 4"},
        {"tuttirun -n=16 a", "write -n 16"},
        {"tuttirun -mca btl self a", "TUTTI_*"},
        {"tuttirun --mca btl self a", "TUTTI_*"},
        {"tuttirun --oversubscribe a", "as many ranks as -n says"},
        {"tuttirun -oversubscribe a", "as many ranks as -n says"},
        {"tuttirun --map-by ppr:2:node a", "--bind-to core, numa or none"},
        {"tuttirun --mpi=pmix a", "leave it out"},
        {"tuttirun --allow-run-as-root a", "works as root"},
        {"tuttirun -N 2 a", "--hosts a:4,b:4"},
        {"tuttirun -H a,b c", "--hosts"},
        {"tuttirun -genv A 1 c", "-x NAME=value"},
        {"tuttirun -n 1 a : b", "b has no -n"},
        {"tuttirun -n 1 a :", "no program given"},
        {"tuttirun : a", "no program given"},
        {"tuttirun -n 40000 a : -n 40000 b", "80000 processes"},
        {"tuttirun --hosts a --hostfile b c", "exclude each other"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[128];
        tti_command command;
        snprintf(line, sizeof line, "%s", rows[i].line);
        EXPECT(parse(line, &command) == 2);
        tti_command_free(&command);
        if (strstr(tutti_error_detail(), rows[i].says) == NULL) fprintf(stderr, "of: %s\n", rows[i].line);
        EXPECT(strstr(tutti_error_detail(), rows[i].says) != NULL);
        EXPECT(strchr(tutti_error_detail(), '\n') == NULL);
    }
}

/* Every option that is accepted stands in the help. */
static void test_help_is_complete(void)
{
    static const char *const options[] = {
        "-n, -np N",    "--bind-to", "--report-bindings", "--tag-output",  "-x VAR",    "--wdir", "--timeout",
        "--keep-going", "--hosts",   "--hostfile",        "--verbose, -v", "--version", "--help"};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    EXPECT(stream != NULL);
    tti_command_print_help(stream);
    fclose(stream);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        EXPECT(strstr(text, options[i]) != NULL);
    free(text);
}

static void test_help(void)
{
    char text[16384] = "";
    FILE *to = fmemopen(text, sizeof text - 1, "w");
    EXPECT(to != NULL);
    tti_command_print_help(to);
    EXPECT(fclose(to) == 0);
    EXPECT(strstr(text, "124 --timeout") != NULL);
    EXPECT(strstr(text, "With --hosts they are those of the launcher that starts the ranks there") != NULL);
}

int main(void)
{
    test_everything_given();
    test_several_programs();
    test_keep_going();
    test_reserve();
    test_defaults();
    test_help_needs_no_program();
    test_refusals();
    test_help_is_complete();
    test_help();
    return 0;
}
