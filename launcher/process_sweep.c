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
#include <sys/stat.h>
#include <unistd.h>

typedef bool victim_fn(pid_t pid, const void *argument);

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

static int kill_all(victim_fn *victim, const void *argument)
{
    DIR *proc = opendir("/proc");
    if (proc == NULL) return 0;
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(proc)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid == getpid() || !victim(pid, argument)) continue;
        if (kill(pid, SIGKILL) == 0) count++;
    }
    closedir(proc);
    return count;
}

static bool is_child(pid_t pid, const void *nothing)
{
    (void)nothing;
    size_t bytes;
    char *text = read_proc(pid, "stat", &bytes);
    if (text == NULL) return false;
    /* "pid (name) state parent …"; the name may hold anything, so look for its last parenthesis. */
    const char *end = strrchr(text, ')');
    long parent = 0;
    const bool ours = end != NULL && sscanf(end + 1, " %*c %ld", &parent) == 1 && parent == (long)getpid() &&
                      strstr(text, "(" TTI_GUARDIAN_NAME ")") == NULL;
    free(text);
    return ours;
}

int tti_sweep_children(void)
{
    return kill_all(is_child, NULL);
}

static bool is_marked(pid_t pid, const void *mark)
{
    size_t bytes;
    char *text = read_proc(pid, "environ", &bytes);
    bool found = false;
    for (const char *at = text; at != NULL && at < text + bytes && !found; at += strlen(at) + 1)
        found = strcmp(at, mark) == 0;
    free(text);
    return found;
}

int tti_sweep_marked(const char *mark)
{
    return kill_all(is_marked, mark);
}

/* True if one of the pids stands in `name` as a whole number. */
static bool names_pid(const char *name, const pid_t *pids, int count)
{
    while (*name != '\0') {
        if (!isdigit((unsigned char)*name)) {
            name++;
            continue;
        }
        char *end;
        const unsigned long number = strtoul(name, &end, 10);
        for (int i = 0; i < count; i++) {
            if (pids[i] > 0 && (unsigned long)pids[i] == number) return true;
        }
        name = end;
    }
    return false;
}

void tti_sweep_shm(const pid_t *pids, int count, time_t since)
{
    DIR *shm = opendir("/dev/shm");
    if (shm == NULL) return;
    for (const struct dirent *entry; (entry = readdir(shm)) != NULL;) {
        struct stat is;
        if (!names_pid(entry->d_name, pids, count)) continue;
        if (fstatat(dirfd(shm), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISREG(is.st_mode) && is.st_uid == geteuid() && is.st_ctime >= since)
            unlinkat(dirfd(shm), entry->d_name, 0);
    }
    closedir(shm);
}
