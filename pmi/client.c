/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of pmi/ share: below all of them. */
#include "pmi/client.h"

tti_pmi_client tti_pmi_self;

pmix_proc_t tti_pmi_process(pmix_rank_t rank)
{
    pmix_proc_t process = tti_pmi_self.me;
    process.rank = rank;
    return process;
}
