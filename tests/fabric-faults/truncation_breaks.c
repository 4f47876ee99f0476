/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: a message longer than the posted buffer breaks the TCP connection; messages injected behind it are
 * lost, and the sender, whose calls all returned 0, hears nothing. Argument: provider (net, tcp;ofi_rxm). */
#include <stdio.h>

#include "fault_pair.h"

int main(int argc, char **argv)
{
    static char in[64], long_one[4000], small[8][64];
    struct fi_context2 contexts[16];
    struct side pair[2];
    open_pair(pair, argc > 1 ? argv[1] : "net", FI_WAIT_NONE);
    must("fi_trecv", fi_trecv(pair[1].ep, in, 64, NULL, FI_ADDR_UNSPEC, 5, 0, &contexts[0]));
    for (int i = 0; i < 8; i++)
        must("fi_recv", fi_recv(pair[1].ep, small[i], 64, NULL, FI_ADDR_UNSPEC, &contexts[1 + i]));
    while (fi_inject(pair[0].ep, "x", 1, pair[0].other) == -FI_EAGAIN)
        look_around(pair, 1);
    look_around(pair, 50);
    must("fi_tsend", fi_tsend(pair[0].ep, long_one, sizeof long_one, NULL, pair[0].other, 5, &contexts[10]));
    int injected = 1;
    for (int i = 0; i < 5; i++)
        injected += fi_inject(pair[0].ep, "y", 1, pair[0].other) == 0;
    look_around(pair, 500);
    printf("receiver: %d of %d small messages, %d errors (%s); sender: %d errors\n", pair[1].completions,
           injected, pair[1].errors, fi_strerror(pair[1].last_error), pair[0].errors);
    return pair[1].completions < injected && pair[0].errors == 0 ? 0 : 1;
}
