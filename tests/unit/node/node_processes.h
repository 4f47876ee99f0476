/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes as the ranks of a node, with a stand-in for pmi. Define RANKS before. */
#ifndef TESTS_UNIT_NODE_PROCESSES_H
#define TESTS_UNIT_NODE_PROCESSES_H

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

/* What pmi would do, and a way to agree between the processes, in memory that fork() shares. */
typedef struct {
    _Atomic int published;
    size_t bytes;
    unsigned char record[256];
    _Atomic int arrived[16];
    _Atomic uint64_t words[RANKS];
} common;

static common *shared;

int tti_pmi_put(const char *key, const void *value, size_t bytes)
{
    EXPECT(strcmp(key, "tutti.node") == 0 && bytes <= sizeof shared->record);
    memcpy(shared->record, value, bytes);
    shared->bytes = bytes;
    atomic_store(&shared->published, 1);
    return 0;
}

int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns)
{
    EXPECT(rank == 0 && strcmp(key, "tutti.node") == 0 && timeout_ns > 0);
    for (int i = 0; i < PATIENCE_S * 1000 && !atomic_load(&shared->published); i++)
        usleep(1000);
    EXPECT(shared->bytes > 0 && shared->bytes <= *bytes);
    memcpy(value, shared->record, shared->bytes);
    *bytes = shared->bytes;
    return 0;
}

/* All ranks but `missing` meet at point `place`. */
static void meet(int place, int missing)
{
    atomic_fetch_add(&shared->arrived[place], 1);
    for (int i = 0; i < PATIENCE_S * 1000 && atomic_load(&shared->arrived[place]) < RANKS - missing; i++)
        usleep(1000);
    EXPECT(atomic_load(&shared->arrived[place]) >= RANKS - missing);
}

/* The job as process `index` sees it; valid for the process's life. */
static tti_job job_of(int index)
{
    static int local_ranks[RANKS];
    for (int i = 0; i < RANKS; i++)
        local_ranks[i] = i;
    return (tti_job){.rank = index,
                     .size = RANKS,
                     .nodes = 1,
                     .local_index = index,
                     .local_size = RANKS,
                     .local_ranks = local_ranks};
}

static int status_of(pid_t pid, bool may_be_killed)
{
    int status;
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (may_be_killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Runs `run` as each rank, a process each, of which `victim` may kill itself; returns what main() is to
 * return. */
static int run_processes(void (*run)(int index), int victim)
{
    pid_t pids[RANKS];
    int worst = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(shared != MAP_FAILED);
    for (int i = 0; i < RANKS; i++) {
        pids[i] = fork();
        EXPECT(pids[i] >= 0);
        if (pids[i] > 0) continue;
        alarm(PATIENCE_PROGRAM_S);
        run(i);
        exit(0);
    }
    for (int i = 0; i < RANKS; i++) {
        const int code = status_of(pids[i], i == victim);
        if (code != 0 && worst != 1) worst = code;
    }
    return worst;
}

#endif
