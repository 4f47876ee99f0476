/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: what fi_inject took for a peer that then goes away is lost without a completion or an error, though
 * it returned 0. (fi_send gets an error.) Argument: provider (net, tcp;ofi_rxm). */
#include <stdio.h>
#include <string.h>

#include "fault_pair.h"

int main(int argc, char **argv)
{
    struct side pair[2];
    static char in[64], big[100];
    struct fi_context2 receive;
    open_pair(pair, argc > 1 ? argv[1] : "net", FI_WAIT_NONE);
    must("fi_recv", fi_recv(pair[1].ep, in, sizeof in, NULL, FI_ADDR_UNSPEC, &receive));
    while (fi_inject(pair[0].ep, "x", 1, pair[0].other) == -FI_EAGAIN)
        look_around(pair, 1);
    look_around(pair, 50);
    must("fi_close", fi_close(&pair[1].ep->fid));
    long taken = 0;
    for (int i = 0; i < 100000; i++)
        taken += fi_inject(pair[0].ep, big, 50, pair[0].other) == 0;
    for (int i = 0; i < 1000000; i++)
        look(&pair[0]);
    printf("peer gone: %ld injects returned 0, errors reported: %d\n", taken, pair[0].errors);
    return taken > 0 && pair[0].errors == 0 ? 0 : 1;
}
