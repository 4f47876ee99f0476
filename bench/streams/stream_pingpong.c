/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs examples/ofi/pingpong_msg, both sides, and reads what it prints. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

bool stream_find_pingpong_msg(const stream_settings *settings, char path[4096])
{
    const char *name = settings->pingpong;
    if (name == NULL) {
        const ssize_t length = readlink("/proc/self/exe", path, 4000);
        path[length > 0 ? length : 0] = '\0';
        char *slash = strrchr(path, '/');
        snprintf(slash != NULL ? slash + 1 : path, 90, "pingpong_msg");
    } else {
        snprintf(path, 4096, "%s", name);
    }
    return access(path, X_OK) == 0;
}

/* Starts it; what it prints comes from *output. */
static pid_t start(const char *const words[], FILE **output)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return stream_fail("a pipe", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(words[0], (char *const *)words);
        stream_fail(words[0], strerror(errno));
        _exit(127);
    }
    close(ends[1]);
    *output = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (child < 0) stream_fail("fork", strerror(errno));
    if (*output == NULL) close(ends[0]);
    return child;
}

/* The last number of its output is microseconds per transfer. */
static double run_client(const char *const words[])
{
    FILE *output;
    char line[200];
    double found = -1;
    const pid_t child = start(words, &output);
    if (child < 0) return -1;
    while (output != NULL && fgets(line, sizeof line, output) != NULL) {
        double bytes, count, time;
        if (sscanf(line, "%lf %lf %lf", &bytes, &count, &time) == 3) found = time;
    }
    if (output != NULL) fclose(output);
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) found = -1;
    if (found < 0) stream_fail(words[0], "its client failed, or has not told a time");
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
    const pid_t server = start(server_words, &output);
    if (server < 0) return -1;
    double found = -1;
    int free_port;
    if (output != NULL && fscanf(output, "listening on port %d", &free_port) == 1) {
        snprintf(port, sizeof port, "%d", free_port);
        const char *words[] = {path, "-p", provider, wait,   "-b",        port,
                               "-s", size, "-n",     number, "127.0.0.1", NULL};
        found = run_client(words);
    } else {
        stream_fail(path, "its server has not told its port");
    }
    if (found < 0) kill(server, SIGKILL);
    if (output != NULL) fclose(output);
    waitpid(server, NULL, 0);
    return found;
}
