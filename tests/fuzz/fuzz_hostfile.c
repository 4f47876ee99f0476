/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher's hostfile: whatever is taken from it must be fit for another launcher's command line. */
#include <stdlib.h>
#include <string.h>

#include "launcher/host_list.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    tti_host_list list;
    if (tti_hosts_parse_file("fuzz", (const char *)data, size, &list) != 0) return 0;
    if (list.count == 0) abort();
    for (int i = 0; i < list.count; i++) {
        const tti_host *host = &list.hosts[i];
        if (host->name[0] == '\0' || host->name[0] == '-' || strpbrk(host->name, " ,:;$\n") != NULL) abort();
        if (host->slots < 0) abort();
    }
    tti_hosts_free(&list);
    return 0;
}
