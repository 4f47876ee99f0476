/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/process_sweep.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* In the /proc of another pid namespace our numbers are those of others. */
static bool is_proc_ours(void)
{
    char self[32] = "";
    return readlink("/proc/self", self, sizeof self - 1) > 0 && atol(self) == (long)getpid();
}

static int kill_all(victim_fn *victim, const void *argument)
{
    DIR *proc = is_proc_ours() ? opendir("/proc") : NULL;
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
    int *awaited;
} child_sweep;

static bool is_child_to_kill(pid_t pid, const void *argument)
{
    const child_sweep *sweep = argument;
    child_look child;
    if (pid == sweep->spared || !is_child(pid, &child)) return false;
    const bool is_guardian = strcmp(child.name, TTI_GUARDIAN_NAME) == 0;
    ++*sweep->awaited;
    if (is_guardian) kill(pid, SIGTERM); /* it removes its file at once then */
    return !is_guardian;
}

typedef struct {
    pid_t spared;
    tti_children *found;
} child_count;

/* Kills nobody. */
static bool is_child_to_count(pid_t pid, const void *argument)
{
    const child_count *count = argument;
    child_look child;
    if (pid == count->spared || !is_child(pid, &child)) return false;
    if (child.state == 'Z' || strcmp(child.name, TTI_GUARDIAN_NAME) == 0) return false;
    if (count->found->count++ > 0) return false;
    count->found->pid = pid;
    memcpy(count->found->name, child.name, sizeof child.name);
    return false;
}

/* Kills nobody. */
static bool is_child_to_spare(pid_t pid, const void *argument)
{
    (void)argument;
    child_look child;
    if (!is_child(pid, &child)) return false;
    pid_t *grown = realloc(present.pids, ((size_t)present.count + 1) * sizeof *grown);
    if (grown == NULL) return false;
    present.pids = grown;
    present.pids[present.count++] = pid;
    return false;
}

void tti_sweep_spare_present(void)
{
    siginfo_t is;
    if (waitid(P_ALL, 0, &is, WEXITED | WNOHANG | WNOWAIT) == 0) kill_all(is_child_to_spare, NULL);
}

bool tti_sweep_spares_any(void)
{
    return present.count > 0;
}

void tti_sweep_count(pid_t spared, tti_children *found)
{
    *found = (tti_children){0};
    kill_all(is_child_to_count, &(child_count){spared, found});
}

int tti_sweep_children(pid_t spared)
{
    int awaited = 0;
    kill_all(is_child_to_kill, &(child_sweep){spared, &awaited});
    return awaited;
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

/* libfabric's shm provider calls a rank's segment PID:UID:NUMBER, all of them as ints, so that the highest
 * user ids have a sign. Nobody else is known to write names that only a process of the job can have made:
 * Open MPI, MPICH and UCX name theirs by other things than the process. */
static pid_t maker_of(const char *name)
{
    int pid, number;
    char again[64];
    if (sscanf(name, "%9d:%*11[-0-9]:%9d", &pid, &number) != 2 || number < 0) return 0;
    snprintf(again, sizeof again, "%d:%d:%d", pid, (int)geteuid(), number);
    return strcmp(name, again) == 0 ? pid : 0;
}

static bool is_one_of(pid_t pid, const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++) {
        if (pid > 0 && pids[i] == pid) return true;
    }
    return false;
}

/* True if a living process has the file open or mapped: in another pid namespace, say, where the number of
 * our rank is somebody else's. The kernel grants a write lease only where nobody has it. */
static bool is_in_use(int folder, const char *name)
{
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return true;
    const bool in_use = fcntl(fd, F_SETLEASE, F_WRLCK) != 0 && errno == EAGAIN;
    close(fd);
    return in_use;
}

void tti_sweep_shm(const pid_t *pids, int count, time_t since)
{
    DIR *shm = opendir("/dev/shm");
    if (shm == NULL) return;
    const int folder = dirfd(shm);
    for (const struct dirent *entry; (entry = readdir(shm)) != NULL;) {
        struct stat is;
        if (!is_one_of(maker_of(entry->d_name), pids, count)) continue;
        if (fstatat(folder, entry->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISREG(is.st_mode) && is.st_uid == geteuid() && is.st_ctime >= since &&
            !is_in_use(folder, entry->d_name))
            unlinkat(folder, entry->d_name, 0);
    }
    closedir(shm);
}
