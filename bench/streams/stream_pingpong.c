/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs examples/ofi/pingpong_msg, both sides, and reads what it prints. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

/* Beside this program, as built (what a complaint names, so the last that is tried); and as both are
 * installed. */
static const char *const places[] = {"pingpong_msg", STREAM_BENCH_LIBEXEC "/pingpong_msg"};

static bool find_near(char path[4096])
{
    const ssize_t length = readlink("/proc/self/exe", path, 4000);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/'), *end = slash != NULL ? slash + 1 : path;
    for (size_t i = sizeof places / sizeof *places; i-- > 0;) {
        snprintf(end, (size_t)(path + 4096 - end), "%s", places[i]);
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

bool stream_find_pingpong_msg(const stream_settings *settings, char path[4096])
{
    if (settings->pingpong == NULL) return find_near(path);
    snprintf(path, 4096, "%s", settings->pingpong);
    return access(path, X_OK) == 0;
}

/* Starts one side, on a core of its own; what it prints comes from *output. */
static pid_t start(const char *const words[], enum stream_core core, FILE **output)
{
    int end;
    *output = NULL;
    const pid_t child = stream_fork(&end);
    if (child < 0) return -1;
    if (child == 0) {
        stream_pin(core);
        dup2(end, STDOUT_FILENO);
        close(end);
        execvp(words[0], (char *const *)words);
        stream_fail(words[0], strerror(errno));
        _exit(127);
    }
    *output = fdopen(end, "r");
    if (*output == NULL) close(end);
    return child;
}

/* The word number `column` of a line, from 1 on, if it is a number; else -1. */
static double number_in(char *line, int column)
{
    char *rest = line, *end;
    const char *word = NULL;
    for (int i = 0; i < column; i++)
        word = strtok_r(i == 0 ? line : NULL, " \t\n", &rest);
    if (word == NULL) return -1;
    const double number = strtod(word, &end);
    return end != word && *end == '\0' ? number : -1;
}

/* What the last line of its output has in a column: microseconds per transfer. -1: it failed. */
static double run_client(const char *const words[], int column)
{
    FILE *output;
    char line[200];
    double found = -1;
    const pid_t child = start(words, STREAM_CORE_CLIENT, &output);
    if (child < 0) return -1;
    while (output != NULL && fgets(line, sizeof line, output) != NULL) {
        const double number = number_in(line, column);
        if (number >= 0) found = number;
    }
    if (output != NULL) fclose(output);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0 ? found : -1;
}

static double end_server(pid_t server, FILE *output, const char *name, double found)
{
    if (found < 0) kill(server, SIGKILL);
    if (output != NULL) fclose(output);
    waitpid(server, NULL, 0);
    if (found < 0) stream_fail(name, "a side failed, or has not told its port or a time");
    return found;
}

double stream_pingpong_msg(const stream_settings *settings, size_t bytes, long count, bool sleeps)
{
    char path[4096], size[24], number[24], port[16];
    stream_find_pingpong_msg(settings, path);
    snprintf(size, sizeof size, "%zu", bytes);
    snprintf(number, sizeof number, "%ld", count);
    const char *provider = settings->provider != NULL ? settings->provider : "tcp";
    const char *wait = sleeps ? "-w" : "-t120"; /* one word more in either case */
    const char *server_words[] = {path, "-p", provider, wait, "-b", "0", NULL};
    FILE *output;
    const pid_t server = start(server_words, STREAM_CORE_SERVER, &output);
    if (server < 0) return -1;
    double found = -1;
    int free_port;
    if (output != NULL && fscanf(output, "listening on port %d", &free_port) == 1) {
        snprintf(port, sizeof port, "%d", free_port);
        const char *words[] = {path, "-p", provider, wait,   "-b",        port,
                               "-s", size, "-n",     number, "127.0.0.1", NULL};
        found = run_client(words, 3);
    }
    return end_server(server, output, path, found);
}

bool stream_find_fi_pingpong(void)
{
    return system("command -v fi_pingpong >/dev/null 2>&1") == 0;
}

/* It tells nobody its port, and its client tries once. */
double stream_fi_pingpong(const stream_settings *settings, size_t bytes, long count)
{
    char size[24], number[24], port[16];
    snprintf(size, sizeof size, "%zu", bytes);
    snprintf(number, sizeof number, "%ld", count);
    snprintf(port, sizeof port, "%d", 20000 + (int)(getpid() % 10000));
    const char *provider = settings->provider != NULL ? settings->provider : "tcp";
    const char *server_words[] = {"fi_pingpong", "-p", provider, "-e", "msg", "-B",
                                  port,          "-I", number,   "-S", size,  NULL};
    const char *words[] = {"fi_pingpong", "-p",   provider, "-e", "msg",       "-P", port,
                           "-I",          number, "-S",     size, "127.0.0.1", NULL};
    FILE *output;
    const pid_t server = start(server_words, STREAM_CORE_SERVER, &output);
    if (server < 0) return -1;
    double found = -1;
    for (int tries = 0; found < 0 && tries < 50 && waitpid(server, NULL, WNOHANG) == 0; tries++) {
        usleep(100000);
        found = run_client(words, 7);
    }
    return end_server(server, output, "fi_pingpong", found);
}
