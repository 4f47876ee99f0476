/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: a process that is killed inside fi_inject() dies with a lock of the receiver's segment, whose
 * fi_cq_read() then spins for ever. Argument: provider (shm). */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_pair.h"
#include "killed_unlock.h"

#define ADDRESS_MOST 256

static void send_and_die(const char *provider, int from)
{
    struct side side;
    char address[ADDRESS_MOST];
    open_side(&side, provider, FI_WAIT_NONE);
    if (read(from, address, sizeof address) <= 0 ||
        fi_av_insert(side.av, address, 1, &side.other, 0, NULL) != 1)
        _exit(2);
    die_in_unlock(false);
    while (fi_inject(side.ep, "x", 1, side.other) == -FI_EAGAIN)
        look(&side);
    _exit(0);
}

static pid_t child;

/* Killed processes leave their segments. */
static void clear(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/%d:%d:0", (int)pid, (int)getuid());
    unlink(path);
}

static void stuck(int signal)
{
    (void)signal;
    static const char text[] = "fi_cq_read() has not returned for 2 s\n";
    clear(child);
    clear(getpid());
    _exit(write(1, text, sizeof text - 1) > 0 ? 0 : 2);
}

int main(int argc, char **argv)
{
    const char *provider = argc > 1 ? argv[1] : "shm";
    int ends[2];
    must("pipe", pipe(ends));
    child = fork();
    if (child == 0) send_and_die(provider, ends[0]);
    struct side side;
    char address[ADDRESS_MOST] = "";
    size_t bytes = sizeof address;
    open_side(&side, provider, FI_WAIT_NONE);
    must("fi_getname", fi_getname(&side.ep->fid, address, &bytes));
    if (write(ends[1], address, sizeof address) < 0) return 2;
    int status;
    waitpid(child, &status, 0);
    signal(SIGALRM, stuck);
    alarm(2);
    look_around((struct side[]){side, side}, 100);
    clear(child);
    printf("fi_cq_read() returned; the sender %s\n", WIFSIGNALED(status) ? "was killed" : "ended by itself");
    return 1;
}
