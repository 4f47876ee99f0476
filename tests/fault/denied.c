/* SPDX-License-Identifier: BSD-3-Clause */
/* denied copies|close_range PROGRAM [ARGUMENT...]: runs it where the kernel denies access to the memory of
 * other processes (process_vm_readv and process_vm_writev give EPERM), as the seccomp profile of a container
 * may, or knows no close_range, as before Linux 5.9. Status 77 where no filter can be installed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/deny.h"

int main(int argc, char **argv)
{
    const bool copies = argc > 2 && strcmp(argv[1], "copies") == 0;
    if (!copies && (argc < 3 || strcmp(argv[1], "close_range") != 0)) {
        fprintf(stderr, "usage: denied copies|close_range PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    if (copies ? !deny(SYS_process_vm_readv, EPERM) || !deny(SYS_process_vm_writev, EPERM)
               : !deny(SYS_close_range, ENOSYS)) {
        fprintf(stderr, "denied: no seccomp filters here: %s\n", strerror(errno));
        return 77;
    }
    execvp(argv[2], argv + 2);
    fprintf(stderr, "denied: %s: %s\n", argv[2], strerror(errno));
    return 127;
}
