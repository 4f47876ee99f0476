/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: fi_getinfo promises FI_ATOMIC, and every atomic call is "not implemented". Argument: provider (net).
 */
#include <stdio.h>
#include <string.h>

#include "fault_pair.h"

int main(int argc, char **argv)
{
    struct fi_info *hints = fi_allocinfo(), *info = NULL;
    struct side one;
    const char *provider = argc > 1 ? argv[1] : "net";
    hints->caps = FI_MSG | FI_ATOMIC;
    hints->ep_attr->type = FI_EP_RDM;
    hints->fabric_attr->prov_name = strdup(provider);
    const int promised = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info) == 0;
    open_side(&one, provider, FI_WAIT_NONE);
    size_t count = 0;
    const int result = fi_fetch_atomicvalid(one.ep, FI_UINT64, FI_SUM, &count);
    printf("FI_ATOMIC promised: %s; fi_fetch_atomicvalid: %s\n", promised ? "yes" : "no",
           fi_strerror(-result));
    return promised && result != 0 ? 0 : 1;
}
