/* SPDX-License-Identifier: BSD-3-Clause */
/* A long proof, divided among processes. */
#ifndef TESTS_PROOF_PROCESSES_H
#define TESTS_PROOF_PROCESSES_H

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/expect.h"

#define PROCESSES_MOST 16

/* `work` returns an exit status for each part, 0 … count - 1. Returns nonzero if one is. */
static inline int in_processes(int count, int (*work)(const void *context, int part), const void *context)
{
    pid_t children[PROCESSES_MOST];
    int failed = 0;
    EXPECT(count <= PROCESSES_MOST);
    for (int part = 0; part < count; part++) {
        children[part] = fork();
        EXPECT(children[part] >= 0);
        if (children[part] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            exit(work(context, part));
        }
    }
    for (int part = 0; part < count; part++) {
        int status = 0;
        EXPECT(waitpid(children[part], &status, 0) == children[part]);
        failed |= status != 0;
    }
    return failed;
}

#endif
