/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: a queue's FI_WAIT_FD stays readable for ever after its first completion, because xnet_trywait() does
 * not reset the signal that each completion sets. A sleeper burns its core. Argument: provider (net). */
#include <poll.h>
#include <stdio.h>

#include "fault_pair.h"

int main(int argc, char **argv)
{
    struct side pair[2];
    char in[64];
    struct fi_context2 receive;
    open_pair(pair, argc > 1 ? argv[1] : "net", FI_WAIT_FD);
    must("fi_recv", fi_recv(pair[1].ep, in, sizeof in, NULL, FI_ADDR_UNSPEC, &receive));
    while (fi_inject(pair[0].ep, "x", 1, pair[0].other) == -FI_EAGAIN)
        look_around(pair, 1);
    look_around(pair, 100);
    int fd;
    must("FI_GETWAIT", fi_control(&pair[1].cq->fid, FI_GETWAIT, &fd));
    struct fid *fids[] = {&pair[1].cq->fid};
    int stuck = 0;
    for (int i = 0; i < 100; i++) {
        struct pollfd one = {fd, POLLIN, 0};
        look(&pair[1]);
        if (fi_trywait(pair[1].fabric, fids, 1) == 0 && poll(&one, 1, 10) == 1) stuck++;
    }
    printf("received %d; of 100 sleeps with nothing to do, %d returned at once\n", pair[1].completions,
           stuck);
    return stuck == 100 ? 0 : 1;
}
