/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/process_sweep.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void visit_fn(pid_t pid, void *argument);

/* Reads all of a small /proc file; the result ends with a zero byte and is the caller's. */
static char *read_proc(pid_t pid, const char *name, size_t *bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    char *text = NULL;
    size_t room = 0;
    *bytes = 0;
    for (ssize_t n = 1; n > 0; *bytes += (size_t)n) {
        if (room - *bytes < 2) {
            room = room == 0 ? 4096 : room * 2;
            char *grown = realloc(text, room);
            if (grown == NULL) break;
            text = grown;
        }
        n = read(fd, text + *bytes, room - *bytes - 1);
        if (n < 0) n = 0;
    }
    close(fd);
    if (text != NULL) text[*bytes] = '\0';
    return text;
}

/* In the /proc of another pid namespace our numbers are those of others. */
static bool is_proc_ours(void)
{
    char self[32] = "";
    return readlink("/proc/self", self, sizeof self - 1) > 0 && atol(self) == (long)getpid();
}

/* Each process but this one. */
static void visit_processes(visit_fn *visit, void *argument)
{
    DIR *proc = is_proc_ours() ? opendir("/proc") : NULL;
    if (proc == NULL) return;
    for (const struct dirent *entry; (entry = readdir(proc)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid != getpid()) visit(pid, argument);
    }
    closedir(proc);
}

static struct {
    pid_t *pids;
    int count;
} present;

static bool is_present(pid_t pid)
{
    for (int i = 0; i < present.count; i++) {
        if (present.pids[i] == pid) return true;
    }
    return false;
}

typedef struct {
    char name[TTI_SWEEP_NAME];
    char state; /* Z: it has ended */
} child_look;

static bool is_child(pid_t pid, child_look *child)
{
    if (is_present(pid)) return false;
    size_t bytes;
    char *text = read_proc(pid, "stat", &bytes);
    if (text == NULL) return false;
    /* "pid (name) state parent …"; the name may hold anything, so look for its last parenthesis. */
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    long parent = 0;
    const bool ours = begin != NULL && end != NULL &&
                      sscanf(end + 1, " %c %ld", &child->state, &parent) == 2 && parent == (long)getpid();
    if (ours) snprintf(child->name, sizeof child->name, "%.*s", (int)(end - begin - 1), begin + 1);
    free(text);
    return ours;
}

typedef struct {
    pid_t spared;
    int awaited;
} child_sweep;

static void kill_child(pid_t pid, void *argument)
{
    child_sweep *sweep = argument;
    child_look child;
    if (pid == sweep->spared || !is_child(pid, &child)) return;
    const bool is_guardian = strcmp(child.name, TTI_GUARDIAN_NAME) == 0;
    sweep->awaited++;
    kill(pid, is_guardian ? SIGTERM : SIGKILL); /* a guardian removes its file at once then */
}

typedef struct {
    pid_t spared;
    tti_children found;
} child_count;

static void count_child(pid_t pid, void *argument)
{
    child_count *count = argument;
    child_look child;
    if (pid == count->spared || !is_child(pid, &child)) return;
    if (child.state == 'Z' || strcmp(child.name, TTI_GUARDIAN_NAME) == 0) return;
    if (count->found.count++ > 0) return;
    count->found.pid = pid;
    memcpy(count->found.name, child.name, sizeof child.name);
}

static void spare_child(pid_t pid, void *argument)
{
    (void)argument;
    child_look child;
    if (!is_child(pid, &child)) return;
    pid_t *grown = realloc(present.pids, ((size_t)present.count + 1) * sizeof *grown);
    if (grown == NULL) return;
    present.pids = grown;
    present.pids[present.count++] = pid;
}

void tti_sweep_spare_present(void)
{
    siginfo_t is;
    if (waitid(P_ALL, 0, &is, WEXITED | WNOHANG | WNOWAIT) == 0) visit_processes(spare_child, NULL);
}

bool tti_sweep_spares_any(void)
{
    return present.count > 0;
}

void tti_sweep_count(pid_t spared, tti_children *found)
{
    child_count count = {.spared = spared};
    visit_processes(count_child, &count);
    *found = count.found;
}

int tti_sweep_children(pid_t spared)
{
    child_sweep sweep = {.spared = spared};
    visit_processes(kill_child, &sweep);
    return sweep.awaited;
}

static bool is_marked(pid_t pid, const char *mark)
{
    size_t bytes;
    char *text = read_proc(pid, "environ", &bytes);
    bool found = false;
    for (const char *at = text; at != NULL && at < text + bytes && !found; at += strlen(at) + 1)
        found = strcmp(at, mark) == 0;
    free(text);
    return found;
}

typedef struct {
    const char *mark;
    int killed;
} mark_sweep;

static void kill_marked(pid_t pid, void *argument)
{
    mark_sweep *sweep = argument;
    if (is_marked(pid, sweep->mark) && kill(pid, SIGKILL) == 0) sweep->killed++;
}

int tti_sweep_marked(const char *mark)
{
    mark_sweep sweep = {.mark = mark};
    visit_processes(kill_marked, &sweep);
    return sweep.killed;
}
